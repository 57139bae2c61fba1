"""The findings of arms, in the results document: the engine's numbers, and sums done by hand."""

from decimal import Decimal
from math import e, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

import rr_engine
from surveys.features.arms.results import arm_results
from surveys.parameters import check
from surveys.parameters.exact import channel_of
from surveys.results.launch_strata import Source
from tests.app.kept import kept_once
from tests.arm_reports import ABSENCE, DRUG, SIZE, arms_survey, document_of, in_arm
from tests.plain import as_json

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


def entry(launch, people, name="drug"):
    questions = document_of(launch, people)["questions"]
    return next(question for question in questions if question["id"] == name)


def arms_of(launch, people, name="drug"):
    return {arm["stratum"]: arm for arm in entry(launch, people, name)["arms"]}


def designs_of(launch, name="drug"):
    question = launch.parameters.question(name)
    return [channel_of(device, question) for device in launch.parameters.devices_of(question)]


kept = kept_once(lambda: arms_survey(slug="kept"))


def test_an_arm_counts_by_itself(launch):
    """45 of 100, 24 of 60 and 4 of 40 people sent or said yes."""
    people = [*in_arm("page", 100, 45), *in_arm("split", 60, 24), *in_arm("direct", 40, 4)]
    arms = arms_of(launch, people)
    assert [(name, arm["share"], arm["n"], arm["epsilon"]) for name, arm in arms.items()] == [
        ("page", 50, 100, "1"),
        ("split", 20, 60, "0.5"),
        ("direct", 30, 40, None),
    ]
    # By hand: the share sent, less what the device sends of nobody, over what it tells apart.
    for name, sent, epsilon in (("page", 0.45, 1), ("split", 0.4, 0.5)):
        kept = e**epsilon / (e**epsilon + 1)
        by_hand = (sent - (1 - kept)) / (2 * kept - 1)
        assert arms[name]["categories"][1]["estimate"] == pytest.approx(by_hand, abs=1e-8)
    direct = arms["direct"]["categories"][1]
    assert direct["estimate"] == pytest.approx(0.1)
    assert direct["standard_error"] == pytest.approx(sqrt(0.1 * 0.9 / 39))
    designs, counts = designs_of(launch), [[55, 45], [36, 24], [36, 4]]
    for arm, design, tally in zip(arms.values(), designs, counts, strict=True):
        own = rr_engine.estimate(design, tally)
        assert [row["interval"] for row in arm["categories"]] == own.interval(
            method="default"
        ).tolist()


def test_direct_answers_are_compared_with_those_of_the_device():
    """Without a split sample it is the comparison of the engine, of each answer."""
    launch = arms_survey(questions=[{**DRUG, "split_epsilon": None}], cross_tables=[])
    sent = {"page": [0] * 55 + [1] * 45, "direct": [0] * 36 + [1] * 4}
    people = [(arm, {"drug": code}) for arm, codes in sent.items() for code in codes]
    found = arms_of(launch, people)["direct"]
    assert (found["share"], found["comparison"]["with"]) == (30, ["page"])
    design = designs_of(launch)[0]
    for answer, row in enumerate(found["comparison"]["differences"]):
        same = rr_engine.compare_with_direct(design, [55, 45], [36, 4], answer)
        assert row["difference"] == same.difference
        assert row["standard_error"] == same.standard_error
        assert row["interval"] == list(same.interval)
        assert (row["statistic"], row["p_value"]) == (same.statistic, same.p_value)
        assert row["others"] == same.randomized
    yes = found["comparison"]["differences"][1]
    assert found["comparison"]["p_value"] == yes["p_value"]
    kept = e / (e + 1)
    prevalence = (0.45 - (1 - kept)) / (2 * kept - 1)
    assert yes["difference"] == pytest.approx(prevalence - 0.1, abs=1e-8)
    by_hand = sqrt(0.45 * 0.55 / 99 / (2 * kept - 1) ** 2 + 0.1 * 0.9 / 39)
    assert yes["standard_error"] == pytest.approx(by_hand, rel=1e-8)
    # Two-sided at 5 %, found with a chance of 80 %.
    assert yes["detectable"] == pytest.approx((1.959964 + 0.841621) * by_hand, rel=1e-6)


def test_with_a_split_sample_all_whose_answers_are_scrambled_are_pooled(launch):
    people = [*in_arm("page", 100, 45), *in_arm("split", 60, 24), *in_arm("direct", 40, 4)]
    found = arms_of(launch, people)["direct"]["comparison"]
    assert found["with"] == ["page", "split"]
    designs = designs_of(launch)
    pooled = rr_engine.estimate_strata(designs[:2], [[55, 45], [36, 24]])
    asked = rr_engine.estimate(designs[2], [36, 4])
    wanted = rr_engine.estimate_difference(pooled, asked)
    assert found["differences"][1]["difference"] == wanted.values[1]
    assert found["p_value"] == wanted.score_test().p_values[1]
    assert (found["homogeneity"], found["cheating"]) == (None, None)


def test_of_several_answers_the_one_that_differs_most_counts(launch):
    """A third of the page's 90 reports each, and 36, 4 and 0 of 40 direct answers."""
    people = [
        *(("page", {"absence": number % 3}) for number in range(90)),
        *(("direct", {"absence": int(number >= 36)}) for number in range(40)),
    ]
    found = arms_of(launch, people, "absence")["direct"]["comparison"]
    page, _direct = designs_of(launch, "absence")
    tests = [
        rr_engine.compare_with_direct(page, [30] * 3, [36, 4, 0], answer).p_value
        for answer in range(3)
    ]
    assert [row["p_value"] for row in found["differences"]] == tests
    assert found["focal"] is None
    assert found["p_value"] == 3 * min(tests) < 0.001


def test_of_two_listed_answers_neither_is_the_one_that_people_hide():
    """Their tests are one and the same, and so counts once."""
    two = {**ABSENCE, "options": ["Ill", "Not ill"], "split_epsilon": Decimal("0.5")}
    launch = arms_survey(questions=[two], cross_tables=[])
    sent = {"page": [50, 50], "split": [30, 30], "direct": [30, 10]}
    people = [
        (arm, {"absence": code})
        for arm, counts in sent.items()
        for code, number in enumerate(counts)
        for _ in range(number)
    ]
    arms = arms_of(launch, people, "absence")
    found = arms["direct"]["comparison"]
    assert found["focal"] is arms["split"]["comparison"]["cheating"] is None
    assert found["p_value"] == pytest.approx(found["differences"][1]["p_value"])


def test_with_a_refusal_yes_is_compared_directly_and_all_answers_in_a_split_sample():
    launch = arms_survey(questions=[{**DRUG, "prefer_not": True}], cross_tables=[])
    sent = {"page": [50, 30, 20], "split": [20, 20, 20], "direct": [30, 5, 5]}
    people = [
        (arm, {"drug": code})
        for arm, counts in sent.items()
        for code, number in enumerate(counts)
        for _ in range(number)
    ]
    arms = arms_of(launch, people)
    direct, split = arms["direct"]["comparison"], arms["split"]["comparison"]
    assert (direct["focal"], split["focal"]) == (1, None)
    assert direct["p_value"] == direct["differences"][1]["p_value"]
    assert split["homogeneity"]["degrees_of_freedom"] >= 2
    assert split["cheating"] is None


def test_a_split_sample_is_tested_for_agreement_and_for_cheaters(launch):
    people = [*in_arm("page", 400, 150), *in_arm("split", 200, 70)]
    found = arms_of(launch, people)["split"]["comparison"]
    designs, counts = designs_of(launch)[:2], [[250, 150], [130, 70]]
    agreement = rr_engine.compliance.homogeneity_test(designs, counts)
    assert found["p_value"] == found["homogeneity"]["p_value"] == agreement.p_value
    assert found["homogeneity"]["degrees_of_freedom"] == 1
    wanted = rr_engine.compliance.cheating_share(designs, counts)
    cheating = found["cheating"]
    assert cheating["share"] == wanted.cheaters
    assert cheating["interval"] == wanted.intervals[-1].tolist()
    assert cheating["p_value"] == wanted.p_value
    # By hand: two shares of yes, and shares of honest carriers, honest others and cheaters.
    kept = [e**epsilon / (e**epsilon + 1) for epsilon in (1, 0.5)]
    sums = [*([own, 1 - own, 0] for own in kept), [1, 1, 1]]
    _yes, _no, cheaters = np.linalg.solve(sums, [0.375, 0.35, 1])
    assert cheating["share"] == pytest.approx(cheaters, abs=1e-7)
    page, split = (
        (sent - (1 - own)) / (2 * own - 1) for sent, own in zip([0.375, 0.35], kept, strict=True)
    )
    assert found["differences"][1]["difference"] == pytest.approx(page - split, abs=1e-7)


def test_how_many_left_it_out_is_known_where_all_others_must_answer(launch):
    """Seven people of the direct arm answer only what everybody must."""
    silent = [("direct", {"theft": 0, "size": 1})] * 7
    people = [*in_arm("page", 50, 20), *in_arm("split", 20, 9), *in_arm("direct", 30, 3), *silent]
    assert (arms_of(launch, people)["direct"]["asked"]) == 37
    optional = arms_survey(
        slug="other", questions=[{**DRUG, "required": False}, SIZE], cross_tables=[]
    )
    sent = [
        (arm, {k: v for k, v in reports.items() if k in ("drug", "size")})
        for arm, reports in people
    ]
    assert arms_of(optional, sent)["direct"]["asked"] is None


@pytest.mark.parametrize(("people", "held"), [(4, 4), (5, 0)])
def test_an_arm_of_fewer_than_the_threshold_tells_nothing(launch, people, held):
    found = entry(launch, [*in_arm("page", 40, 20), *in_arm("direct", people, 1)])
    direct = found["arms"][2]
    assert (direct["suppressed"], direct["n"]) == (held, people - held)
    assert (direct["categories"] == []) == (direct["comparison"] is None) == bool(held)
    assert (direct["asked"] is None) == bool(held)
    assert found["n"] == 40
    assert found["suppressed"] == 0
    assert found["devices"][2]["counts"] == (None if held else [people - 1, 1])


def test_direct_answers_are_told_where_nobody_is_on_the_page(launch):
    """And there is nothing to compare them with."""
    found = entry(launch, in_arm("direct", 12, 5))
    direct = found["arms"][2]
    assert (found["n"], found["categories"], found["notes"]) == (0, [], ["no_reports"])
    assert direct["categories"][1]["estimate"] == pytest.approx(5 / 12)
    assert direct["comparison"] is None


def test_a_question_that_everybody_is_asked_alike_has_no_arms(launch):
    document = document_of(launch, in_arm("page", 20, 4))
    assert ["arms" in question for question in document["questions"]] == [True, True, False, False]


def test_who_is_in_another_arm_is_asked_as_on_the_page(launch):
    """The split sample has no device for this one: its share is that of the page's too."""
    arms = arms_of(launch, in_arm("page", 20, 4), "absence")
    assert {name: arm["share"] for name, arm in arms.items()} == {"page": 70, "direct": 30}
    people = [*in_arm("page", 20, 4), *in_arm("split", 20, 4)]
    assert arms_of(launch, people, "absence")["page"]["n"] == 40


def test_arms_may_have_any_names(launch):
    """A document of another author calls them otherwise; the numbers are the same."""
    names = {"page": "page", "split": "weaker", "direct": "openly"}
    parameters = replace(
        launch.parameters,
        arms=tuple(replace(arm, stratum=names[arm.stratum]) for arm in launch.parameters.arms),
        devices=tuple(
            replace(device, stratum=names[device.stratum]) for device in launch.parameters.devices
        ),
    )
    other = SimpleNamespace(parameters=check(parameters), digest=launch.digest)
    people = [*in_arm("page", 100, 45), *in_arm("split", 60, 24), *in_arm("direct", 40, 4)]
    first = arms_of(launch, people)
    renamed = arms_of(other, [(names[arm], reports) for arm, reports in people])
    assert list(renamed) == ["page", "weaker", "openly"]
    for arm, name in names.items():
        same = {**renamed[name], "stratum": arm}
        if same["comparison"]:
            back = [old for new in same["comparison"]["with"] for old in names if names[old] == new]
            same["comparison"] = {**same["comparison"], "with": back}
        assert same == first[arm]


def test_of_two_direct_arms_nobody_knows_whose_people_left_it_out(launch):
    page, _split, direct = launch.parameters.devices_of(launch.parameters.question("drug"))
    others = [each for each in launch.parameters.devices if each.questions != ("drug",)]
    parameters = replace(
        launch.parameters,
        arms=tuple(
            replace(arm, stratum={"split": "openly"}.get(arm.stratum, arm.stratum))
            for arm in launch.parameters.arms
        ),
        devices=(page, direct, replace(direct, stratum="openly"), *others),
    )
    survey = SimpleNamespace(parameters=check(parameters), digest=launch.digest)
    people = [*in_arm("page", 100, 45), *in_arm("openly", 20, 2), *in_arm("direct", 40, 4)]
    found = arms_of(survey, [*people, *[("openly", {"size": 0})] * 5])
    assert [found[name]["n"] for name in ("page", "openly", "direct")] == [100, 20, 40]
    assert [found[name]["asked"] for name in ("openly", "direct")] == [None, None]


def test_a_single_person_in_an_arm_breaks_nothing():
    launch = arms_survey(release_threshold=1)
    found = arms_of(
        launch, [("page", {"drug": 1}), ("split", {"drug": 0}), ("direct", {"drug": 1})]
    )
    assert [arm["n"] for arm in found.values()] == [1, 1, 1]
    assert found["direct"]["comparison"]["differences"][1]["detectable"] is None


@pytest.mark.parametrize(
    ("page", "split", "direct", "differ"),
    [(45, 24, 8, False), (70, 36, 4, True), (70, 10, 20, True)],
)
def test_a_clear_difference_is_a_note(launch, page, split, direct, differ):
    people = [
        *in_arm("page", 100, page),
        *in_arm("split", 60, split),
        *in_arm("direct", 40, direct),
    ]
    found = entry(launch, people)
    smallest = min(arm["comparison"]["p_value"] for arm in found["arms"][1:])
    assert ("arms_differ" in found["notes"]) == (smallest < 0.01) == differ
    assert "strata_disagree" not in found["notes"]


def test_the_note_is_not_about_who_prefers_a_device(launch):
    """The split sample alone disagrees; what is asked directly would agree with the page."""
    people = [*in_arm("page", 100, 70), *in_arm("split", 60, 10), *in_arm("direct", 40, 36)]
    found = entry(launch, people)
    assert found["agreement"]["p_value"] < 0.01
    assert {"arms_differ"} == {"arms_differ", "strata_disagree"} & set(found["notes"])


def simulated(launch, generator, honest):
    """Draw 2,000 people: it is true for 30 in 100, and a share of these say so directly."""
    question = launch.parameters.question("drug")
    devices, tallies = launch.parameters.devices_of(question), {}
    people = generator.multinomial(2000, [arm.share / 100 for arm in launch.parameters.arms])
    for device, size in zip(devices, people, strict=True):
        carriers = generator.binomial(size, 0.3)
        if device.direct:
            carriers = generator.binomial(carriers, honest)
        matrix = channel_of(device, question).matrix
        answers = enumerate([size - carriers, carriers])
        sent = sum(generator.multinomial(number, matrix[:, truth]) for truth, number in answers)
        tallies[device.key] = sent.tolist()
    source = Source(devices, tallies, people=2000)
    _page, split, direct = arm_results(question, launch.parameters, source) or []
    return as_json(split.comparison), as_json(direct.comparison)


@pytest.mark.slow
def test_lies_are_found_where_people_lie_and_nowhere_else():
    """Asked directly half of the carriers deny it; where answers are scrambled nobody does."""
    epsilon = {"epsilon": Decimal(2), "split_epsilon": Decimal(1)}
    launch = arms_survey(questions=[{**DRUG, **epsilon}], cross_tables=[])
    generator, rounds = np.random.default_rng(20261123), 30
    surveys = [simulated(launch, generator, 0.5) for _ in range(rounds)]
    found = [direct["differences"][1] for _split, direct in surveys]
    values = np.array([row["difference"] for row in found])
    errors = np.array([row["standard_error"] for row in found])
    assert abs(values.mean() - 0.15) < 3 * errors.mean() / sqrt(rounds)
    # The errors are those that the surveys have, and intervals and tests keep what they promise.
    assert abs(values.std(ddof=1) / errors.mean() - 1) < 3 / sqrt(2 * (rounds - 1))
    covered = sum(row["interval"][0] <= 0.15 <= row["interval"][1] for row in found)
    alike = sum(split["p_value"] >= 0.05 for split, _direct in surveys)
    spread = 3 * sqrt(0.05 * 0.95 * rounds)
    assert abs(covered - 0.95 * rounds) < spread
    assert abs(alike - 0.95 * rounds) < spread
    assert sum(direct["p_value"] < 0.05 for _split, direct in surveys) > 0.9 * rounds
