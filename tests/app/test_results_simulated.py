"""Simulated respondents: their truths are as asked for, and their responses are accepted."""

from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from surveys.authoring.planning.simulation import (
    ConditionalTruth,
    _answers,
    simulated_respondents,
    simulated_responses,
    simulated_returns,
    simulated_survey,
)
from surveys.features.return_codes import demo
from surveys.forms.question import STARTS
from surveys.kinds.multiple_choice import _subset_shares
from surveys.parameters import columns_of, read
from surveys.parameters.budget import spent
from surveys.responses import envelope
from tests.builders import launched, owner
from tests.devices import devices_of
from tests.plain import checked
from tests.released import RICH
from tests.vectors.make_wire_vectors import everything
from tests.waves import coded_launch, new_code, next_wave

pytestmark = pytest.mark.django_db

TRUTH = {
    "drug": [0.7, 0.2, 0.1],
    "took": [0.4, 0.3],
    "saw": [0.25, 0.6],
    "stress": [0.2, 0.3, 0.4, 0.1],
    "size": [0.5, 0.3, 0.2],
}


def source(seed=1):
    return np.random.default_rng(seed).bytes


def rich_launch():
    return launched(questions=RICH, budget=6, linkage="together")


@pytest.mark.parametrize("prefer_not", [False, True])
def test_shares_of_combinations_have_the_shares_of_their_options(prefer_not):
    question = replace(read(everything()).question("ill"), prefer_not=prefer_not)
    shares = [0.5, 0.2, 0.1, *([0.15] if prefer_not else [])]
    subsets = _subset_shares(question, shares)
    assert len(subsets) == 8 + prefer_not
    assert sum(subsets) == pytest.approx(1)
    for option in range(3):
        ticked = sum(share for code, share in enumerate(subsets[:8]) if code >> option & 1)
        assert ticked == pytest.approx(shares[option])
    if prefer_not:
        assert subsets[8] == 0.15
    else:
        # Independent: the share of a set is the product over its options.
        for code, ticks in enumerate(product((0, 1), repeat=3)):
            ticks = ticks[::-1]
            expected = np.prod([s if t else 1 - s for s, t in zip(shares, ticks, strict=True)])
            assert subsets[code] == pytest.approx(expected)


def test_whoever_prefers_not_to_say_ticks_nothing_else():
    frozen = read(everything())
    parameters = replace(frozen, questions=(frozen.question("ill"),))
    shares = {"ill": [0.5, 0.3, 0.1, 0.25]}
    ticks = _answers(parameters, shares, 4000, np.random.default_rng(3), {})["ill"]
    assert not ticks[ticks[:, 3], :3].any()
    # Four standard errors of the largest share.
    assert ticks.mean(axis=0) == pytest.approx([0.5, 0.3, 0.1, 0.25], abs=4 * (0.25 / 4000) ** 0.5)


@pytest.mark.parametrize("physical_share", [0.0, 0.5, 1.0])
def test_every_simulated_response_fits_the_launch(physical_share):
    launch = rich_launch()
    schema = envelope.response_schema(launch.parameters)
    people = simulated_respondents(launch.parameters, TRUTH, 200, 5, physical_share=physical_share)
    responses = simulated_responses(launch.parameters, people, random_bytes=source())
    for number, response in enumerate(responses):
        parsed = envelope.ParsedSubmission(
            submission=number, digest=launch.digest, wave=launch.wave, **response
        )
        assert envelope.checked_content(parsed, schema) == response
    physical = sum(response["strata"]["drug"] == "physical" for response in responses)
    # 200 tosses with probability one half: 60 to 140 but for a chance of 1e-8.
    assert {0.0: physical == 0, 0.5: 60 < physical < 140, 1.0: physical == 200}[physical_share]


def test_an_answer_can_depend_on_another():
    document = rich_launch().parameters
    conditional = {"drug": ConditionalTruth(("size",), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])}
    answers = _answers(document, TRUTH, 500, np.random.default_rng(1), conditional)
    assert (answers["drug"] == answers["size"]).all()


def test_an_answer_can_depend_on_two_others_that_depend_on_one_another():
    document = rich_launch().parameters
    other = np.zeros((3, 3, 4))
    for drug, size in np.ndindex(3, 3):
        other[drug, size, int(drug == size == 2)] = 1
    conditional = {
        "stress": ConditionalTruth(("drug", "size"), other),
        "drug": ConditionalTruth(("size",), [[1, 0, 0], [0, 1, 0], [0, 0.5, 0.5]]),
    }
    answers = _answers(document, TRUTH, 500, np.random.default_rng(1), conditional)
    both = (answers["drug"] == 2) & (answers["size"] == 2)
    assert 0 < both.sum() < (answers["size"] == 2).sum()
    assert (answers["stress"] == both).all()
    conditional["size"] = ConditionalTruth(("stress",), np.full((4, 3), 1 / 3))
    with pytest.raises(ValueError, match="depend on one another"):
        _answers(document, TRUTH, 500, np.random.default_rng(1), conditional)


def test_a_fill_recovers_every_kind_within_five_standard_errors():
    launch = rich_launch()
    results = checked(
        simulated_survey(launch.parameters, launch.digest, TRUTH, 5000, seed=1).results
    )
    for question in results["questions"]:
        for row, share in zip(question["categories"], TRUTH[question["id"]], strict=True):
            assert abs(row["estimate"] - share) < 5 * row["standard_error"]
    assert results["tables"] == []


def test_a_fill_shows_few_respondents_too():
    launch = launched(questions=RICH, budget=6, release_threshold=20)
    results = checked(simulated_survey(launch.parameters, launch.digest, TRUTH, 10).results)
    assert all(question["categories"] for question in results["questions"])


@pytest.mark.slow
def test_whoever_returns_sends_what_their_earlier_reports_and_the_same_answers_lead_to():
    """Reports of 4,000 who came back have the law of the later device, and repeat what is kept."""
    first = coded_launch()
    truth = {"drug": [0.7, 0.3], "absence": [0.6, 0.3, 0.1], "permanent": [0.2, 0.8]}
    people = simulated_respondents(first.parameters, truth, 5000, 4)
    before = simulated_responses(first.parameters, people, random_bytes=source())[:4000]
    second = next_wave(first, drug="2")
    returns = simulated_returns(
        second.parameters, people, before, first.wave, random_bytes=source(2)
    )
    assert [sorted(response["reports"]) for response in returns] == [sorted(truth)] * 4000
    assert reports_of(returns, "absence") == reports_of(before, "absence")
    assert reports_of(returns, "permanent") == people.answers["permanent"][:4000].tolist()
    drug = next(device for device in second.parameters.devices if device.id == "drug")
    rows = list(zip(people.answers["drug"].tolist(), reports_of(returns, "drug"), strict=False))
    for answer, column in enumerate(columns_of(drug.table)):
        sent = [report for true_answer, report in rows if true_answer == answer]
        chance = column[1] / drug.table.denominator
        # Five standard errors.
        assert np.mean(sent) == pytest.approx(chance, abs=5 * (chance / len(sent)) ** 0.5)
    pairs = zip(reports_of(before, "drug"), reports_of(returns, "drug"), strict=True)
    changes = sum(earlier != later for earlier, later in pairs)
    # Drawn from the earlier report: two independent draws would differ in 1,300 cases or more.
    assert 0 < changes < 1000


def reports_of(responses, device):
    return [response["reports"][device] for response in responses]


def test_the_demo_has_each_new_thing_once():
    launch = demo.launch_demo(owner=owner())
    kinds = {question["kind"] for question in launch.document["questions"]}
    assert kinds == {"scale", "multiple_choice", "yes_no", "single_choice", "bounded_number"}
    assert launch.document["tables"] == [["bullied", "size"]]
    assert {device["look"] for device in devices_of(launch)} == {"codes", "cards"}
    sensitive = [each for each in launch.document["questions"] if each["randomized"]]
    # A number without bins has no place for a refusal, and must not be left out then.
    starts = [STARTS[each["kind"] != "bounded_number"] for each in sensitive]
    assert all({**each, **start} == each for each, start in zip(sensitive, starts, strict=True))
    truth = launch.survey.simulated_truth
    for question in launch.document["questions"]:
        assert len(truth[question["id"]]) == len(question["categories"])
    # The shares asked for as a whole are what the groups add up to.
    groups = np.einsum("s,a,sac->c", truth["size"], truth["age"], demo.BULLIED)
    assert truth["bullied"] == pytest.approx(groups.tolist(), abs=1e-6)
    recommending = np.array(truth["bullied"]) @ demo.RECOMMEND
    assert truth["recommend"] == pytest.approx(recommending.tolist(), abs=1e-6)


def test_the_second_wave_of_the_demo_asks_some_questions_more_exactly_within_its_budget():
    first = demo.launch_demo(owner=owner())
    second = demo.launch_second_wave(first)
    assert demo.demo_launch() == second
    spent_before, spent_now = (
        {
            question.id: spent(launch.parameters.devices_of(question))
            for question in launch.parameters.questions
        }
        for launch in (first, second)
    )
    raised = {name for name in spent_now if spent_now[name] > spent_before[name]}
    assert raised == {"bullied", "exhausted", "overtime"}
    assert sum(spent_before.values()) < sum(spent_now.values()) == 3
    looks = {device.id: device.look for device in second.parameters.devices}
    assert looks["exhausted"] == "cards"
    people = demo.respondents_of(first, 300, seed=2)
    before = simulated_responses(first.parameters, people, random_bytes=source())
    returns = simulated_returns(
        second.parameters, people, before, first.wave, random_bytes=source(2)
    )
    schema = envelope.response_schema(second.parameters)
    for number, response in enumerate(returns):
        parsed = envelope.ParsedSubmission(
            submission=number,
            digest=second.digest,
            wave=second.wave,
            own={"code": new_code()},
            **response,
        )
        assert envelope.checked_content(parsed, schema) == response
    assert reports_of(returns, "substances") == reports_of(before, "substances")
