"""A valid call of every public callable about quantities; see bad_inputs.py."""

from rr_engine import SurveySample, estimate_mean, library
from rr_engine.library import (
    BarLev,
    ChaudhuriChristofides,
    DianaPerri1,
    DianaPerri2,
    EichhornHayre,
    Eriksson,
    LinearScrambling,
    Saha,
    Scrambling,
    TwoCards,
)
from tests.engine.bad_inputs import call

CARDS = Scrambling.from_cards([0, 1, 2], [0.5, 0.25, 0.25])
DESIGN = Eriksson(0.5, CARDS)
NUMBERS = "list of minus|a hundred thousand|too long"
PAIR = {"factor": CARDS, "addend": CARDS}
SAMPLE = SurveySample(n=4)
FOUND = estimate_mean(DESIGN.scores([0, 1, 2, 1]), SAMPLE)
SHARES = library.estimate_two_cards(TwoCards(0.7, 0.2), [0, 1, 1], [1, 1, 0])

SCRAMBLED_CALLS = {
    "devore": call(library.devore, {"p": 0.7}),
    "mangat_singh_singh": call(library.mangat_singh_singh, {"p": 0.7, "theta": 0.4}),
    "soberanis_cruz": call(library.soberanis_cruz, {"p": 0.7, "theta_yes": 0.4, "theta_no": 0.2}),
    "singh_joarder": call(library.singh_joarder, {"p": 0.7}),
    "christofides": call(
        library.christofides, {"probabilities": [0.5, 0.3, 0.2]}, probabilities="too long"
    ),
    "Scrambling": call(Scrambling, {"mean": 1.5, "sd": 0.5, "distribution": "gamma"}),
    "Scrambling.from_cards": call(
        Scrambling.from_cards,
        {"values": [0, 1, 2], "probabilities": [0.5, 0.25, 0.25]},
        probabilities="None",
    ),
    "Eriksson": call(Eriksson, {"p": 0.5, "scrambling": CARDS}),
    "EichhornHayre": call(EichhornHayre, {"scrambling": CARDS}),
    "BarLev": call(BarLev, {"p": 0.5, "scrambling": CARDS}),
    "ChaudhuriChristofides": call(ChaudhuriChristofides, PAIR),
    "Saha": call(Saha, PAIR),
    "DianaPerri1": call(DianaPerri1, {"p": 0.5, **PAIR}),
    "DianaPerri2": call(DianaPerri2, {"beta": 0.5, **PAIR}),
    "LinearScrambling": call(
        LinearScrambling,
        {"cards": [[1, 0], [0, 1], [0, 2]], "probabilities": [0.5, 0.25, 0.25]},
        probabilities="None",
    ),
    "ScrambledDesign.transform": call(DESIGN.transform, {"reports": [0, 1]}, reports=NUMBERS),
    "ScrambledDesign.device_variance": call(
        DESIGN.device_variance, {"values": [0, 1]}, values=NUMBERS
    ),
    "ScrambledDesign.variance_estimates": call(
        DESIGN.variance_estimates, {"reports": [0, 1]}, reports=NUMBERS
    ),
    "ScrambledDesign.efficiency": call(
        DESIGN.efficiency, {"values": [0, 1, 3], "shares": [0.5, 0.25, 0.25]}, shares="None"
    ),
    "ScrambledDesign.draw": call(DESIGN.draw, {"values": [0, 1], "rng": 15}, values=NUMBERS),
    "ScrambledDesign.design": call(DESIGN.design, {"values": [0, 1, 2]}, values="list of minus"),
    "ScrambledDesign.privacy": call(DESIGN.privacy, {"values": [0, 1, 2]}, values="list of minus"),
    "ScrambledDesign.scores": call(DESIGN.scores, {"reports": [0, 1]}, reports=NUMBERS),
    "equivalent_direct_n": call(library.equivalent_direct_n, {"found": FOUND}),
    "TwoCards": call(
        TwoCards,
        {"p1": 0.7, "p2": 0.2, "T": 0.1, "carriers_say_yes": False},
        carriers_say_yes="True",
    ),
    "TwoCards.known": call(
        TwoCards(0.7, 0.2).known, {"theta": 0.5, "theta_no": 0.4}, theta_no="None"
    ),
    "estimate_two_cards": call(
        library.estimate_two_cards,
        {
            "cards": TwoCards(0.7, 0.2),
            "first": [0, 1, 1, 0],
            "second": [1, 1, 0, 0],
            "sample": SAMPLE,
        },
        sample="None",
    ),
    "TwoCardShares.interval": call(SHARES.interval, {"level": 0.9}),
}
