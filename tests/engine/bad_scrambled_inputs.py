"""A valid call of every public callable about quantities; see bad_inputs.py."""

import rr_engine
from rr_engine import SurveySample
from rr_engine.quantities import Scrambling, TwoCards
from rr_engine.sampling import estimate_mean
from tests.engine.bad_inputs import also, named_calls, valid

CARDS = Scrambling.from_cards([0, 1, 2], [0.5, 0.25, 0.25])
DESIGN = rr_engine.quantities.Eriksson(0.5, CARDS)
NUMBERS = "list of minus|a hundred thousand|too long"
SOME, VALUES = also([0, 1], NUMBERS), also([0, 1, 2], "list of minus")
SAMPLE = SurveySample(n=4)
FOUND = estimate_mean(DESIGN.scores([0, 1, 2, 1]), SAMPLE)
SHARES = rr_engine.quantities.estimate_two_cards(TwoCards(0.7, 0.2), [0, 1, 1], [1, 1, 0])

SCRAMBLED_CALLS = named_calls(
    valid(rr_engine.designs.devore, p=0.7),
    valid(rr_engine.designs.mangat_singh_singh, p=0.7, theta=0.4),
    valid(rr_engine.designs.soberanis_cruz, p=0.7, theta_yes=0.4, theta_no=0.2),
    valid(rr_engine.designs.singh_joarder, p=0.7),
    valid(rr_engine.designs.christofides, also([0.5, 0.3, 0.2], "too long")),
    valid(Scrambling, mean=1.5, sd=0.5, distribution="gamma"),
    valid(Scrambling.from_cards, [0, 1, 2], [0.5, 0.25, 0.25]),
    valid(rr_engine.quantities.Eriksson, p=0.5, scrambling=CARDS),
    valid(rr_engine.quantities.EichhornHayre, scrambling=CARDS),
    valid(rr_engine.quantities.BarLev, p=0.5, scrambling=CARDS),
    valid(rr_engine.quantities.ChaudhuriChristofides, factor=CARDS, addend=CARDS),
    valid(rr_engine.quantities.Saha, factor=CARDS, addend=CARDS),
    valid(rr_engine.quantities.DianaPerri1, p=0.5, factor=CARDS, addend=CARDS),
    valid(rr_engine.quantities.DianaPerri2, beta=0.5, factor=CARDS, addend=CARDS),
    valid(rr_engine.quantities.LinearScrambling, [[1, 0], [0, 1], [0, 2]], [0.5, 0.25, 0.25]),
    valid(DESIGN.transform, reports=SOME),
    valid(DESIGN.device_variance, values=SOME),
    valid(DESIGN.variance_estimates, reports=SOME),
    valid(DESIGN.efficiency, values=[0, 1, 3], shares=[0.5, 0.25, 0.25]),
    valid(DESIGN.draw, values=SOME, rng=15),
    valid(DESIGN.design, values=VALUES),
    valid(DESIGN.privacy, values=VALUES),
    valid(DESIGN.scores, reports=SOME),
    valid(rr_engine.quantities.equivalent_direct_n, found=FOUND),
    valid(TwoCards, 0.7, 0.2, T=0.1, carriers_say_yes=also(False, "True")),
    valid(TwoCards(0.7, 0.2).known, theta=0.5, theta_no=0.4),
    valid(
        rr_engine.quantities.estimate_two_cards,
        TwoCards(0.7, 0.2),
        [0, 1, 1, 0],
        [1, 1, 0, 0],
        SAMPLE,
    ),
    valid(SHARES.interval, level=0.9),
)
