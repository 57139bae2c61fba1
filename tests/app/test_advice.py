"""What should I choose? What is proposed for a draft, and whether it keeps what it promises.

The page is in test_advice_page.py.
"""

import json
from dataclasses import asdict, replace
from decimal import Decimal
from functools import cache
from random import Random

import numpy as np
import pytest

from surveys.authoring.advice.exits import Exits, exits_of
from surveys.authoring.advice.other_ways import other_ways
from surveys.authoring.advice.proposal import NoProposalError, Outcome, propose
from surveys.authoring.advice.spenders import LEAST, STEP, Precision, Spender, Stays
from surveys.authoring.advice.wishes import AIMS, HARMS, Wish
from surveys.authoring.limits import COARSE_MARGIN, USABLE_MARGIN, people_for
from surveys.authoring.planning.figures import (
    focal_category,
    focal_channel,
    focal_margin,
    planning_shares,
    weighting_prior,
)
from surveys.devices import fitting
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.drafts import Draft, Membership
from surveys.parameters import Scale
from tests.app.searched_tables import searched_question
from tests.thorough import examples

pytestmark = pytest.mark.slow

EMBARRASSMENT, LIVELIHOOD, PROSECUTION = HARMS.values()
# A number, the usual quantile of a normal distribution.
WIDE = 1.959964


def draft(**values):
    return Draft(**{"kind": "yes_no", "epsilon": Decimal(1), "design": "k_rr", **values})


def choice(count, **values):
    options = tuple(map(str, range(count)))
    return draft(**{"kind": "single_choice", "options": options, **values})


def several(count, **values):
    return choice(count, kind="multiple_choice", design="per_option", **values)


def spenders(*drafts, most="2"):
    return [
        Spender((f"k{number}",), (each,), Decimal(most), (number,))
        for number, each in enumerate(drafts, 1)
    ]


def proposal_for(*drafts, harm=EMBARRASSMENT, n=500, budget="3", margin=0.1, aim="even"):
    wish = Wish(harm, n, Decimal(budget), margin, aim)
    return propose(spenders(*drafts, most=harm.question), wish)


def points(margins):
    return [round(100 * margin, 1) for margin in margins]


# Five questions as they start, with an epsilon of 1 each, of a budget of 3.
FIVE = [
    draft(prefer_not=True),
    draft(prefer_not=True),
    choice(10, prefer_not=True, design="cards"),
    choice(5, kind="scale", prefer_not=True, design="cards"),
    several(4, prefer_not=True),
]


# --- what is proposed -----------------------------------------------------------------------------


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("harm", [EMBARRASSMENT, LIVELIHOOD], ids=lambda harm: harm.name)
def test_one_hopeless_question_takes_nothing_from_four_usable_ones(harm, aim):
    """Five alike in their margins would have 37 points each: none of them would be useful."""
    proposal = proposal_for(*FIVE, harm=harm, aim=aim)
    assert points(share.before for share in proposal.shares) == [10.4, 10.4, 15.3, 14.0, 43.8]
    *usable, hopeless = proposal.shares
    assert hopeless.is_left_out
    assert hopeless.epsilon == LEAST
    # The epsilons were 5 in all, so that all four lose; by the usual aim all by the same part.
    assert all(share.margin <= COARSE_MARGIN for share in usable)
    assert max(share.growth for share in usable) < (1.5 if aim == "even" else 1.75)
    if aim == "even":
        growths = [share.growth for share in usable]
        assert max(growths) - min(growths) < 0.05
    assert LIVELIHOOD.person - STEP * 2 <= proposal.total <= LIVELIHOOD.person
    assert set(map(id, proposal.worse)) == set(map(id, proposal.shares))
    exits = exits_of(proposal)
    assert exits.without == (3, 4, 5)
    # All five would take more than anybody may reveal; four of them do not where harm is small.
    assert (exits.budget_of_kept or exits.too_much) == Decimal("4.96")
    assert (exits.too_much is None) is (harm is EMBARRASSMENT)
    assert exits.budget is None
    assert exits.people == 5_400


def test_what_is_needed_is_given_and_no_more():
    proposal = proposal_for(draft(), choice(8), n=1_000, budget="3")
    assert proposal.is_met
    for share in proposal.shares:
        (asked,) = share.spender.drafts
        less = replace(asked, epsilon=share.epsilon - STEP)
        assert share.margin <= 0.1 < focal_margin(less, 1_000)
        assert share.margin == focal_margin(replace(asked, epsilon=share.epsilon), 1_000)
    assert proposal.total < 2
    assert [share.outcome for share in proposal.shares] == [Outcome.MET] * 2
    assert proposal.worse == []


def test_an_epsilon_between_two_steps_is_no_step():
    """What is known of 0.885 says nothing about 0.88."""
    spender = spenders(draft(epsilon=Decimal("0.885")))[0]
    precision = Precision(spender, 500)
    margin = precision.at(spender.epsilon)
    assert precision.least_epsilon(margin) == Decimal("0.89")


def test_what_is_already_best_stays():
    proposal = proposal_for(*[draft(epsilon=Decimal("1.5"))] * 2, margin=0.02, n=400)
    assert not proposal.is_changed
    assert {share.outcome for share in proposal.shares} == {Outcome.SHARED}


def test_all_questions_gain_alike_and_none_loses():
    proposal = proposal_for(
        draft(epsilon=Decimal("0.5")), choice(8, epsilon=Decimal("0.9")), margin=0.02
    )
    growths = [share.growth for share in proposal.shares]
    assert max(growths) < 0.75
    assert max(growths) - min(growths) < 0.02
    assert proposal.worse == proposal.wider == []


@pytest.mark.parametrize("aim", ["largest", "mean"])
def test_no_coarse_split_is_clearly_better(aim):
    drafts = [draft(), choice(8), choice(4)]
    proposal = proposal_for(*drafts, aim=aim, margin=0.01)
    value = {"largest": max, "mean": sum}[aim]
    quarters = [Decimal(step) / 4 for step in range(1, 9)]
    splits = [(a, b, c) for a in quarters for b in quarters for c in quarters if a + b + c <= 3]
    best = min(
        value(
            [focal_margin(replace(d, epsilon=e), 500) for d, e in zip(drafts, split, strict=True)]
        )
        for split in splits
    )
    assert value([share.margin for share in proposal.shares]) <= 1.01 * best


def test_a_question_that_would_make_all_others_coarse_is_left_out():
    """Each alone can be useful, and all together too; but then none would be more than coarse."""
    proposal = proposal_for(*FIVE, harm=PROSECUTION, n=2_000)
    *others, dear = proposal.shares
    assert dear.outcome is Outcome.CROWDED
    assert max(share.margin for share in others) < 0.17
    floors = [each.least_epsilon(COARSE_MARGIN) for each in proposal.precisions]
    assert sum(floors) <= PROSECUTION.person


def test_what_is_usable_stays_so_where_another_question_becomes_useful():
    proposal = proposal_for(*FIVE, budget="5")
    *others, rescued = proposal.shares
    assert max(share.margin for share in others) <= USABLE_MARGIN
    assert USABLE_MARGIN < rescued.margin <= COARSE_MARGIN < rescued.before


def test_a_question_left_out_keeps_its_epsilon_where_there_is_enough():
    proposal = proposal_for(draft(), several(6, epsilon=Decimal("1.5")), n=300, margin=0.2)
    kept, left = proposal.shares
    assert (left.outcome, left.is_changed) == (Outcome.HOPELESS, False)
    assert kept.outcome is Outcome.MET
    # More people, and the same question is one of all.
    more = proposal_for(draft(), several(6, epsilon=Decimal("1.5")), n=3_000, margin=0.2)
    assert more.left_out == []


@pytest.mark.parametrize("harm", HARMS.values(), ids=lambda harm: harm.name)
def test_harm_bounds_a_question_and_a_person(harm):
    alone = proposal_for(draft(), harm=harm, margin=0.01, budget="50")
    assert alone.total == harm.question
    assert alone.shares[0].outcome is Outcome.MOST
    many = proposal_for(*[draft()] * 7, harm=harm, margin=0.01, budget="50")
    assert many.total <= harm.person
    assert proposal_for(draft(), margin=0.01, budget="0.8").total == Decimal("0.8")


def test_no_epsilon_that_could_be_changed_is_no_proposal():
    with pytest.raises(NoProposalError, match="No question has an epsilon"):
        proposal_for()
    with pytest.raises(NoProposalError, match="too little"):
        proposal_for(*[draft()] * 70, harm=LIVELIHOOD)


# --- what stays, and what shares a draw -----------------------------------------------------------


def test_a_text_stays_as_it_is_and_counts():
    text = draft(kind="short_text", design="rappor")
    proposal = proposal_for(text, draft(), margin=0.01)
    stays, moves = proposal.shares
    assert (stays.spender.stays, stays.margin) == (Stays.NO_MARGIN, None)
    assert stays.outcome is Outcome.STAYS
    assert moves.epsilon == 2
    assert proposal.total == 3


def test_a_table_that_was_searched_stays():
    values = searched_question()
    searched = draft(
        kind=values["kind"],
        options=tuple(values["options"]),
        design="searched",
        epsilon=values["epsilon"],
        settings=json.dumps(values["design_parameters"]),
    )
    assert spenders(searched)[0].stays is Stays.MADE_FOR_ONE


def test_a_physical_randomizer_keeps_what_it_needs():
    # A die keeps to no less than ln 2.
    die = draft(physical_device="die")
    least = PHYSICAL_DEVICES["die"].smallest_epsilon(die)
    share = proposal_for(die, n=10_000).shares[0]
    assert least <= share.epsilon < least + STEP
    (spender,) = spenders(die, most="0.5")
    assert spender.stays is Stays.RANDOMIZER


def test_a_question_with_another_epsilon_for_some_stays_and_counts_with_the_larger():
    split = draft(of_features='{"arms": {"split_epsilon": "1.7"}}')
    (spender,) = spenders(split)
    assert (spender.stays, spender.cost) == (Stays.OTHER_EPSILONS, Decimal("1.7"))


def joint(*sizes, most="2"):
    """Questions that are sent together, each with an epsilon of 0.5."""
    epsilon = Decimal("0.5") * len(sizes)
    drafts = tuple(
        choice(size, group=1, epsilon=Decimal("0.5"), membership=Membership(sizes, place, epsilon))
        for place, size in enumerate(sizes)
    )
    keys = tuple(f"j{place}" for place in range(len(sizes)))
    return Spender(keys, drafts, Decimal(most), tuple(range(1, len(sizes) + 1)))


def test_a_group_has_one_epsilon_and_no_more_than_one_question_may_have():
    group, alone = joint(2, 3), spenders(draft())[0]
    proposal = propose([group, alone], Wish(EMBARRASSMENT, 500, Decimal(9), 0.02))
    assert proposal.shares[0].epsilon == EMBARRASSMENT.question
    parts = group.parts(proposal.shares[0].epsilon)
    assert sum(parts) == 2
    assert max(parts) - min(parts) < Decimal("0.02")
    # The margin is the larger one, of the joint device.
    margins = []
    for member in group.drafts:
        changed = replace(
            member,
            epsilon=parts[0],
            membership=replace(member.membership, epsilon=Decimal(2)),
        )
        margins.append(focal_margin(changed, 500))
    assert proposal.shares[0].margin == max(margins)


# --- whether it keeps what it promises ------------------------------------------------------------

SAMPLES = 4_000


@cache
def simulated_margin(asked, n):
    """The margin of so many surveys: reports are drawn, and the share is estimated from each."""
    channel, shares = focal_channel(asked), planning_shares(asked, focal_channel(asked))
    category, prior = focal_category(asked, channel), weighting_prior(asked)
    rng = np.random.default_rng(20_261_127)
    fitted = channel.apply(np.asarray(prior if prior else [1 / len(shares)] * len(shares)))
    chances = np.asarray(channel.matrix) @ np.asarray(shares)
    counts = rng.multinomial(n, chances / chances.sum(), size=SAMPLES)
    estimates = channel.solve(counts / n, fitted if prior else None)[:, category]
    assert abs(estimates.mean() - shares[category]) < 5 * estimates.std() / SAMPLES**0.5
    return WIDE * estimates.std()


def random_draft(rng):
    epsilon = Decimal(rng.randint(5, 250)) / 100
    kind = rng.choice(["yes_no", "single_choice", "single_choice", "scale", "multiple_choice"])
    prefer_not = rng.random() < 0.5
    asked = draft(kind=kind, epsilon=epsilon, prefer_not=prefer_not)
    if kind != "yes_no":
        asked = replace(asked, options=tuple(map(str, range(rng.randint(3, 9)))))
    usual = [f.name for f in fitting(asked) if f.follows_epsilon and not f.setting_fields()]
    return replace(asked, design=rng.choice(usual))


def random_wish(rng):
    harm = rng.choice(list(HARMS.values()))
    wish = Wish(
        harm,
        rng.choice([80, 200, 500, 900, 2_500]),
        Decimal(rng.choice(["1", "2", "3", "5", "8"])),
        rng.choice([0.04, 0.07, 0.1, 0.15, 0.2]),
        rng.choice(AIMS),
    )
    asked = [random_draft(rng) for _number in range(rng.randint(1, 7))]
    return spenders(*asked, most=harm.question), wish


WISHES = [random_wish(Random(seed)) for seed in range(examples(120, 300))]


def test_random_wishes_keep_what_they_promise_and_exceed_no_limit():
    worst, useful, outcomes = 0.0, 0, set()
    for asked, wish in WISHES:
        proposal = propose(asked, wish)
        assert proposal.total == sum(share.epsilon for share in proposal.shares) <= wish.limit
        for share in proposal.shares:
            outcomes.add(share.outcome)
            assert share.spender.least <= share.epsilon <= wish.harm.question
            assert share.is_left_out or share.margin <= COARSE_MARGIN
            assert share.outcome is not Outcome.MET or share.margin <= wish.margin
            (question,) = share.spender.drafts
            proposed = replace(question, epsilon=share.epsilon)
            if share.margin > 1:
                # Nothing is promised of what is left out with next to nothing.
                assert share.is_left_out
                continue
            useful += 1
            simulated = simulated_margin(proposed.without_labels(), wish.planned_n)
            worst = max(worst, abs(simulated / share.margin - 1))
    assert worst < 0.1
    assert useful > 2.3 * len(WISHES)
    assert outcomes == set(Outcome) - {Outcome.STAYS}


def test_where_a_wish_cannot_be_had_the_exits_hold():
    counts = dict.fromkeys(asdict(Exits()), 0)
    for asked, wish in WISHES[::2]:
        proposal = propose(asked, wish)
        exits = exits_of(proposal)
        if proposal.is_met:
            assert exits == Exits()
            continue
        # More people always do, unless there are not so many.
        assert exits.people or exits.useful_people
        if exits.useful_people:
            counts["useful_people"] += 1
            more = replace(wish, planned_n=exits.useful_people, margin=COARSE_MARGIN)
            assert propose(asked, more).is_met
        if exits.people:
            counts["people"] += 1
            assert propose(asked, replace(wish, planned_n=exits.people)).is_met
            fewer = replace(wish, planned_n=int(exits.people / 1.25))
            assert exits.people == wish.planned_n or not propose(asked, fewer).is_met
        if exits.without:
            counts["without"] += 1
            rest = [each for each in asked if each.numbers[0] not in exits.without]
            assert propose(rest, wish).is_met
        kept = {share.spender.keys for share in proposal.shares if not share.is_left_out}
        if exits.budget:
            counts["budget"] += 1
            assert wish.limit < exits.budget <= wish.harm.person
            assert propose(asked, replace(wish, budget=exits.budget)).is_met
        if exits.budget_of_kept:
            counts["budget_of_kept"] += 1
            assert wish.limit < exits.budget_of_kept <= wish.harm.person
            rest = [each for each in asked if each.keys in kept]
            assert propose(rest, replace(wish, budget=exits.budget_of_kept)).is_met
        if exits.too_much:
            counts["too_much"] += 1
            assert exits.too_much > wish.harm.person
            assert (exits.budget, exits.budget_of_kept) == (None, None)
        if exits.margin:
            counts["margin"] += 1
            wider = propose(asked, replace(wish, margin=exits.margin))
            met = {s.spender.keys for s in wider.shares if s.outcome is Outcome.MET}
            assert kept <= met
    assert min(counts.values()) >= examples(1, 3), counts


def test_other_ways_are_those_that_help():
    counts = dict.fromkeys(("answers", "device", "partner", "people"), 0)
    for asked, wish in WISHES[::3]:
        proposal = propose(asked, wish)
        for share in proposal.left_out:
            (question,) = share.spender.drafts
            for way in other_ways(proposal, share, may_group=True):
                assert way.margin <= COARSE_MARGIN
                if way.people:
                    counts["people"] += 1
                    gone = {each.spender.keys for each in proposal.left_out} - {share.spender.keys}
                    rest = [each for each in asked if each.keys not in gone]
                    more = replace(wish, planned_n=way.people, margin=COARSE_MARGIN)
                    assert propose(rest, more).is_met
                    continue
                # As it is asked now it is not useful with what the others can spare.
                at_that = replace(question, epsilon=way.epsilon)
                assert share.spender.least <= way.epsilon <= share.spender.most
                assert way.partner or focal_margin(at_that, wish.planned_n) > COARSE_MARGIN
                if way.answers:
                    counts["answers"] += 1
                    fewer = replace(at_that, options=question.options[: way.answers])
                    assert focal_margin(fewer, wish.planned_n) == way.margin
                if way.device:
                    counts["device"] += 1
                    other = at_that.with_device(way.device.name)
                    assert focal_margin(other, wish.planned_n) == way.margin
                counts["partner"] += way.partner is not None
    assert min(counts.values()) >= 1, counts
    assert people_for(0.5, 0.25, 500) == 2_000


def test_forty_different_questions_take_some_forty_margins_each():
    # Margins are what advice spends its time on: one takes a millisecond or two.
    rng = Random(40)
    asked = [
        choice(
            2 + number,
            design=rng.choice(["k_rr", "cards"]) if number > 2 else "k_rr",
            epsilon=Decimal(rng.randint(5, 200)) / 100,
        )
        for number in range(40)
    ]
    for budget in ("3", "30"):
        focal_margin.figures_of.cache_clear()
        proposal = proposal_for(*asked, n=3_000, budget=budget)
        exits_of(proposal)
        for share in proposal.left_out:
            other_ways(proposal, share, may_group=True)
        computed = focal_margin.figures_of.cache_info().misses
        assert 10 * len(asked) < computed < 45 * len(asked)


def test_a_number_has_its_margin_as_a_part_of_its_range():
    scale = Scale(lower="0", upper="10", step="1", unit="hours", bins=())
    number = draft(kind="bounded_number", design="one_bit", scale=scale)
    (share,) = proposal_for(number).shares
    assert share.outcome is Outcome.MET
    assert share.margin == focal_margin(replace(number, epsilon=share.epsilon), 500)
