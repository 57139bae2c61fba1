"""Waves: who comes back with a code, what is frozen, and whose reports count."""

import csv
import json
import threading
from collections import Counter
from decimal import Decimal

import numpy as np
import pytest
from django.db import connection
from django.test import Client

import rr_engine
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.features.return_codes.models import Participation, Respondent
from surveys.models import Launch, Receipt, ReportSet, Submission
from surveys.parameters import Mixed, Same, check
from surveys.parameters.budget import Answered, spent, spent_over
from surveys.parameters.exact import channel_of, loss
from surveys.responses import tallies
from surveys.services.results import is_lagging, refresh_results
from surveys.services.transitions import close_survey
from tests.app.visible_text import visible_text
from tests.builders import launched, response
from tests.released import as_researcher
from tests.waves import (
    ASKED,
    coded_launch,
    look_up,
    new_code,
    next_wave,
    post,
    relaxed_reports,
    seeded_bytes,
)

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]

REPORTS = {"drug": 1, "absence": 2, "permanent": 0}


def counts(launch: Launch) -> dict[str, list[int]]:
    return {tally.table: tally.counts for tally in launch.tallies.all()}


def in_results(launch: Launch) -> dict:
    while refresh_results(launch_id=launch.pk):
        pass
    launch.refresh_from_db()
    return launch.results.get().content


def wave_one(client: Client, people: int, **values: object) -> tuple[Launch, list[str]]:
    """A survey that `people` have answered, each under a code."""
    launch = coded_launch(**values)
    codes = [new_code() for _ in range(people)]
    for number, code in enumerate(codes):
        reports = {"drug": number % 2, "absence": number % 3, "permanent": number // 2 % 2}
        assert post(client, launch, code, reports).status_code == 201
    return launch, codes


# --- what is frozen ------------------------------------------------------------------------------


def test_the_next_wave_relaxes_what_is_asked_more_exactly_and_keeps_the_rest():
    launch = coded_launch()
    later = next_wave(launch, drug="2")
    drug, absence, permanent = later.parameters.devices
    assert check(later.parameters) == later.parameters
    assert (later.wave, later.parameters.previous) == (2, launch.digest)
    assert (drug.epsilon, absence.epsilon) == ("2", "0.5")
    assert isinstance(drug.earlier[0].degradation, Mixed)
    assert drug.earlier[0].table == launch.parameters.devices[0].table
    assert isinstance(absence.earlier[0].degradation, Same)
    assert permanent.earlier == ()
    assert spent(later.parameters.devices) == Decimal("2.5")


@pytest.mark.slow
def test_a_third_wave_relaxes_both_waves_before_it():
    launch = coded_launch(budget=Decimal("4"))
    second = next_wave(launch, drug="1.5")
    third = next_wave(second, drug="2", absence="1")
    drug, absence, _permanent = check(third.parameters).devices
    assert [earlier.wave for earlier in drug.earlier] == [1, 2]
    assert [type(earlier.degradation) for earlier in absence.earlier] == [Mixed, Mixed]
    everything = ("drug", "absence", "permanent")
    waves = [Answered(each.parameters, everything) for each in (launch, second, third)]
    assert spent_over(waves) == spent_over([waves[0], waves[2]]) == Decimal("3")
    # Left out in between, the report to absence is gone, and the third one relaxes nothing.
    without = Answered(second.parameters, ("drug",))
    assert spent_over([waves[0], without]) == Decimal("2")
    assert spent_over([waves[0], without, waves[2]]) == Decimal("3.5")
    # The fourth relaxes the second of the two that absence has, and takes nothing from the first.
    fourth = Answered(next_wave(third, drug="2.5").parameters, everything)
    assert spent_over([waves[0], without, waves[2], fourth]) == Decimal("0.5") + 1 + Decimal("2.5")


FOUR = {
    "name": "leave",
    "kind": "single_choice",
    "text": "What would make you leave first?",
    "options": ["Pay", "Hours", "People", "Work"],
    "epsilon": Decimal("0.5"),
}
TICKS = {
    "name": "leave",
    "kind": "multiple_choice",
    "text": "What did you take home?",
    "options": ["Tools", "Food"],
    "epsilon": Decimal("0.5"),
}


@pytest.mark.parametrize(
    "question",
    [
        {**FOUR, "design": "k_rr"},
        {**FOUR, "design": "cards"},
        {**FOUR, "kind": "scale", "design": "laplace"},
        {**TICKS, "design": "per_option"},
        {**TICKS, "design": "whole_set"},
    ],
    ids=lambda question: question["design"],
)
def test_every_device_that_keeps_an_epsilon_has_a_next_step(question):
    launch = coded_launch(questions=[question])
    second = next_wave(launch, leave="1")
    third = next_wave(second, leave="1.5")
    for device in check(third.parameters).devices:
        assert [earlier.wave for earlier in device.earlier] == [1, 2]
        assert device.look == launch.parameters.devices[0].look
        # Close to what was asked for: little of the budget is wasted.
        assert 0.96 * float(device.epsilon) <= loss(device.table) <= float(device.epsilon)
    assert spent(third.parameters.devices) == pytest.approx(Decimal("1.5"), abs=Decimal("1e-5"))


def test_a_device_with_a_delta_is_asked_again_as_it_is():
    rare = {"name": "rare", "design": "optimal_binary", "epsilon": Decimal("0.5")}
    rare["design_parameters"] = {"delta": "0.01", "prevalence": "0.01"}
    launch = coded_launch(questions=[rare, {"name": "drug"}])
    with pytest.raises(NotReadyError) as error:
        next_wave(launch, rare="1")
    assert "up to a delta only" in error.value.message
    device = next_wave(launch, drug="1.5").parameters.devices[0]
    assert isinstance(device.earlier[0].degradation, Same)


@pytest.mark.parametrize(
    ("epsilons", "words"),
    [
        ({"drug": "0.9"}, "below 1"),
        ({"drug": "2.6"}, "add up to 3.1"),
        ({}, "more exactly"),
    ],
)
def test_a_wave_is_never_below_the_one_before_nor_above_the_budget(epsilons, words):
    launch = coded_launch()
    with pytest.raises(NotReadyError) as error:
        next_wave(launch, **epsilons)
    assert words in error.value.message
    assert launch.survey.current_launch() == launch


def test_without_return_codes_there_is_no_next_wave():
    launch = launched(questions=ASKED)
    with pytest.raises(WrongStateError):
        next_wave(launch, drug="2")


def test_the_next_wave_opens_a_closed_survey():
    launch = coded_launch()
    close_survey(survey=launch.survey, actor=None)
    assert next_wave(launch, drug="2").survey.accepts_responses()


# --- at the door ---------------------------------------------------------------------------------


def test_only_a_keyed_hash_of_a_code_is_stored(client):
    _launch, (code,) = wave_one(client, 1)
    stored = json.dumps(
        [
            list(model.objects.values())
            for model in (Respondent, Participation, Submission, Receipt, ReportSet)
        ],
        default=str,
    )
    for part in [code, code.replace("-", ""), *code.split("-")]:
        assert part not in stored
    assert len(Respondent.objects.get().code_hash) == 64


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (None, "missing"),
        ("", "not_a_code"),
        (7, "not_a_code"),
        ("7K2M-7K2M-7K2M-7K2M-7K2N", "not_a_code"),
    ],
)
def test_a_response_needs_a_code_that_is_one(client, code, problem):
    launch = coded_launch()
    body = response(launch, reports=REPORTS) | ({} if code is None else {"code": code})
    answer = client.post(
        f"/s/{launch.survey.slug}/responses/", json.dumps(body), content_type="application/json"
    )
    assert answer.status_code == 422
    assert [(e["field"], e["code"]) for e in answer.json()["errors"]] == [("code", problem)]
    assert not Respondent.objects.exists()


def test_an_open_survey_takes_no_codes(client):
    launch = launched(questions=ASKED)
    answer = post(client, launch, new_code(), REPORTS)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "code")


def test_a_wave_is_answered_once_under_a_code_and_a_retry_gets_its_receipt(client):
    launch = coded_launch()
    body = response(launch, reports=REPORTS) | {"code": new_code()}
    url = f"/s/{launch.survey.slug}/responses/"
    first, again = (
        client.post(url, json.dumps(body), content_type="application/json") for _ in range(2)
    )
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    another = post(client, launch, body["code"], REPORTS)
    assert (another.status_code, another.json()["errors"][0]["code"]) == (409, "already_answered")
    assert Submission.objects.count() == Participation.objects.count() == 1


def test_a_retry_gets_its_receipt_when_the_next_wave_has_begun(client):
    launch = coded_launch()
    body = json.dumps(response(launch, reports=REPORTS) | {"code": new_code()})
    url = f"/s/{launch.survey.slug}/responses/"
    first = client.post(url, body, content_type="application/json")
    next_wave(launch, drug="2")
    again = client.post(url, body, content_type="application/json")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()


def test_what_was_left_out_in_between_may_exceed_the_budget(client):
    """Its earlier report is gone, so that a later one can only add to it."""
    questions = [ASKED[0], {**ASKED[1], "required": False}]
    launch, (code,) = coded_launch(questions=questions, budget=Decimal("3")), [new_code()]
    assert post(client, launch, code, {"drug": 0, "absence": 0}).status_code == 201
    second = next_wave(launch, drug="1.5")
    assert post(client, second, code, {"drug": 0}).status_code == 201
    assert look_up(client, second, code).json()["ledger"][-1] == {"wave": 2, "epsilon": "2"}
    third = next_wave(second, drug="2", absence="1")
    refused = post(client, third, code, {"drug": 0, "absence": 0})
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (409, "over_budget")
    assert post(client, third, code, {"drug": 0}).status_code == 201


def test_a_response_to_the_wave_before_is_stale(client):
    launch = coded_launch()
    next_wave(launch, drug="2")
    answer = post(client, launch, new_code(), REPORTS)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (409, "stale_digest")
    assert not Respondent.objects.exists()


def test_whoever_has_a_code_sees_what_was_scrambled_and_the_ledger(client):
    launch, (code,) = wave_one(client, 1)
    seen = look_up(client, launch, code)
    assert seen.status_code == 200
    assert seen.json() == {
        "wave": 1,
        "answered": True,
        "reports": {"drug": 0, "absence": 0},
        "ledger": [{"wave": 1, "epsilon": "1.5"}],
        "total": "1.5",
    }
    later = next_wave(launch, drug="2")
    assert look_up(client, later, code).json() == seen.json() | {"answered": False}
    assert "no-store" in look_up(client, later, code)["Cache-Control"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"code": new_code()}, 404, "unknown_code"),
        ({"code": "x"}, 422, "not_a_code"),
        ({}, 422, "not_an_object"),
        ([], 422, "not_an_object"),
    ],
)
def test_a_code_that_leads_nowhere(client, body, status, code):
    launch = coded_launch()
    answer = client.post(
        f"/s/{launch.survey.slug}/return/", json.dumps(body), content_type="application/json"
    )
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (status, code)


def test_a_code_whose_answers_a_database_has_lost_leads_nowhere(client):
    """A restored database may have the ledger of somebody and not their answers."""
    launch, (code,) = wave_one(client, 1)
    Submission.objects.all().delete()
    ReportSet.objects.all().delete()
    answer = look_up(client, launch, code)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (404, "unknown_code")


def test_a_code_is_of_one_survey(client):
    _launch, (code,) = wave_one(client, 1)
    other = coded_launch(slug="other")
    assert look_up(client, other, code).status_code == 404


def test_what_would_exceed_the_budget_is_refused(client):
    """A device that relaxes nothing adds to what was revealed; no launch makes such a document."""
    launch, (code,) = wave_one(client, 1, budget=Decimal("2.5"))
    later = next_wave(launch, drug="2")
    forgetful = tuple(
        type(device)(**{**{k: getattr(device, k) for k in device.__struct_fields__}, "earlier": ()})
        for device in later.parameters.devices
    )
    parameters = type(later.parameters)(
        **{
            **{k: getattr(later.parameters, k) for k in later.parameters.__struct_fields__},
            "devices": forgetful,
            "wave": 3,
        }
    )
    Launch.objects.create(
        survey=launch.survey, parameters=parameters, digest="sha256:" + "7" * 64, wave=3
    )
    third = Launch.objects.get(wave=3)
    answer = post(client, third, code, REPORTS)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (409, "over_budget")
    assert Participation.objects.count() == 1


# --- what counts ---------------------------------------------------------------------------------


def test_a_later_report_takes_the_place_of_the_earlier_one(client):
    launch, codes = wave_one(client, 12)
    in_results(launch)
    assert sum(counts(launch)["drug"]) == launch.aggregated == 12
    later = next_wave(launch, drug="2")
    source = seeded_bytes(1)
    for code in codes[:5]:
        before = look_up(client, later, code).json()["reports"]
        truths = {"drug": 1, "absence": 0, "permanent": 1}
        reports = relaxed_reports(later, 1, before, truths, source)
        assert post(client, later, code, reports).status_code == 201
    content = in_results(later)
    launch.refresh_from_db()
    assert (launch.aggregated, later.aggregated) == (7, 5)
    assert (sum(counts(launch)["drug"]), sum(counts(later)["drug"])) == (7, 5)
    assert ReportSet.objects.filter(launch=launch).count() == 7
    for each in (launch, later):
        assert tallies.audit(each.pk)[1] == []
    assert content["responses"] == 12
    assert content["sources"] == [
        {"source": "", "digest": later.digest, "epsilon": "2.5", "responses": 5},
        {"source": "1", "digest": launch.digest, "epsilon": "1.5", "responses": 7},
    ]
    drug = content["questions"][0]
    assert (drug["n"], [entry["source"] for entry in drug["devices"]]) == (12, ["", "1"])
    assert [entry["n"] for entry in drug["devices"]] == [5, 7]


def revisions(launch: Launch) -> list[int]:
    """Return the revisions of all waves, the first first: they name the state of the counts."""
    waves = Launch.objects.filter(survey=launch.survey).order_by("wave")
    return list(waves.values_list("revision", flat=True))


def test_results_lag_behind_the_responses_of_a_survey_with_codes_too(client):
    launch, codes = wave_one(client, 6)
    # A worker that is killed before it has computed the results of what it counted.
    assert tallies.aggregate_waiting(launch.pk) == 6
    assert is_lagging(launch.pk)
    assert in_results(launch)["responses"] == 6
    assert not is_lagging(launch.pk)
    later = next_wave(launch, drug="2")
    assert post(client, later, codes[0], {**REPORTS, "absence": 0}).status_code == 201
    assert tallies.aggregate_waiting(later.pk) == 1
    assert is_lagging(later.pk)
    assert in_results(later)["sources"][1]["responses"] == 5
    assert not is_lagging(later.pk)


def test_every_wave_that_has_changed_and_all_after_it_have_another_revision(client):
    """Each pools those before it: what is read of one while it changes must be read again."""
    launch, codes = wave_one(client, 6)
    in_results(launch)
    second = next_wave(launch, drug="1.5")
    third = next_wave(second, drug="2")
    assert revisions(launch) == [6, 6, 6]
    answered = {**REPORTS, "absence": 0}
    assert post(client, third, codes[0], answered).status_code == 201
    in_results(third)
    assert revisions(launch) == [7, 7, 7]
    # Somebody who comes for the first time changes this wave alone.
    assert post(client, third, new_code(), answered).status_code == 201
    in_results(third)
    assert revisions(launch) == [7, 7, 8]


def test_an_earlier_report_that_still_waits_never_counts(client):
    launch, codes = wave_one(client, 6, release_batch=5)
    later = next_wave(launch, drug="2")
    reports = {"drug": 1, "absence": 0, "permanent": 1}
    assert post(client, later, codes[0], reports).status_code == 201
    assert (launch.waiting(), later.waiting()) == (5, 1)
    assert Submission.objects.get(launch=later).replaces is None
    in_results(launch)
    assert launch.aggregated == 5


def test_the_batch_that_waited_enters_once_the_next_wave_is_open(
    client, django_capture_on_commit_callbacks
):
    """And the results of the wave in force follow: nobody waits for the sweep."""
    launch, _codes = wave_one(client, 12, release_batch=5)
    in_results(launch)
    assert (launch.aggregated, launch.waiting()) == (7, 5)
    with django_capture_on_commit_callbacks() as asked:
        later = next_wave(launch, drug="2")
    assert [(each.args[0].name, each.args[1]) for each in asked] == [("recompute", launch.pk)]
    with django_capture_on_commit_callbacks() as asked:
        in_results(launch)
    assert (launch.aggregated, launch.waiting()) == (12, 0)
    assert [(each.args[0].name, each.args[1]) for each in asked] == [("recompute", later.pk)]


@pytest.mark.slow
def test_people_who_return_enter_by_batches_of_those_who_replace_the_same_wave(client):
    """Otherwise the reports of the earlier wave would change by fewer than a batch."""
    launch, codes = wave_one(client, 20, release_batch=5)
    close_survey(survey=launch.survey, actor=None)
    in_results(launch)
    later = next_wave(launch, drug="2")
    for number, code in enumerate([*codes[:4], *(new_code() for _ in range(7))]):
        reports = {"drug": 1, "absence": number % 3, "permanent": 1}
        assert post(client, later, code, reports).status_code == 201
    close_survey(survey=later.survey, actor=None)
    in_results(later)
    launch.refresh_from_db()
    assert (launch.aggregated, later.aggregated, later.waiting()) == (20, 7, 4)


@pytest.mark.slow
def test_earlier_reports_that_should_have_been_withdrawn_hold_up_no_wave(client, caplog):
    """Release 0.1.0 could store them: of a person there are then two, of which one is refused."""
    launch, codes = wave_one(client, 20, release_batch=2)
    close_survey(survey=launch.survey, actor=None)
    in_results(launch)
    later = next_wave(launch, drug="2")
    for number, code in enumerate([*codes[:2], *(new_code() for _ in range(3))]):
        reports = {"drug": number % 2, "absence": number % 3, "permanent": number // 2 % 2}
        assert post(client, later, code, reports).status_code == 201
    # Nobody knows any more that those of two people are in the first wave.
    Submission.objects.update(replaces=None)
    close_survey(survey=later.survey, actor=None)
    in_results(later)
    launch.refresh_from_db()
    assert (launch.aggregated, later.aggregated, later.waiting()) == (18, 5, 0)
    assert tallies.audit(launch.pk)[1] == tallies.audit(later.pk)[1] == []
    assert f"2 responses replace reports of launch {launch.pk} after all" in caplog.text


@pytest.mark.slow
def test_results_are_as_if_everybody_who_came_back_had_only_answered_the_later_wave(client):
    """The pooled estimate is that of the two strata by themselves."""
    launch, codes = wave_one(client, 30)
    in_results(launch)
    later = next_wave(launch, drug="2")
    for number, code in enumerate(codes[:15]):
        reports = {"drug": number % 2, "absence": number % 3, "permanent": 0}
        assert post(client, later, code, reports).status_code == 201
    drug = in_results(later)["questions"][0]
    question = later.parameters.questions[0]
    channels = [channel_of(each.parameters.devices[0], question) for each in (later, launch)]
    expected = rr_engine.estimate_strata(
        channels, [counts(later)["drug"], counts(launch)["drug"]], population="sample"
    )
    assert drug["categories"][1]["estimate"] == expected.proportions[1]
    assert drug["categories"][1]["standard_error"] == expected.standard_errors[1]


def answered_twice(client: Client, **values: object) -> tuple[Launch, Launch]:
    """24 people of whom every other one has come back."""
    launch, codes = wave_one(
        client, 24, results_public=True, cross_tables=[["drug", "permanent"]], **values
    )
    in_results(launch)
    later = next_wave(launch, drug="2")
    for number, code in enumerate(codes[::2]):
        # The reports to questions that are not asked more exactly are as in the first wave.
        reports = {"drug": number % 2, "absence": 2 * number % 3, "permanent": number // 2 % 2}
        assert post(client, later, code, reports).status_code == 201
    in_results(later)
    return launch, later


@pytest.mark.slow
def test_downloads_have_the_last_report_of_each_person_and_the_ledger(client):
    launch, later = answered_twice(client)
    url = f"/s/{later.survey.slug}/results/reports.csv"
    text = as_researcher(client, later).get(url).content.decode("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    assert list(rows[0]) == ["wave", "epsilon", "drug", "absence", "permanent", "in.tables"]
    assert Counter((row["wave"], row["epsilon"]) for row in rows) == {
        ("1", "1.5"): 12,
        ("2", "2.5"): 12,
    }
    for wave, each in (("1", launch), ("2", later)):
        reports = Counter(int(row["drug"]) for row in rows if row["wave"] == wave)
        assert [reports[0], reports[1]] == counts(each)["drug"]


@pytest.mark.slow
def test_a_cross_table_pools_the_waves(client):
    launch, later = answered_twice(client)
    (table,) = later.results.get().content["tables"]
    assert table["n"] == 24
    assert table["strata"] == [
        {"source": "", "stratum": "page,page", "n": 12},
        {"source": "1", "stratum": "page,page", "n": 12},
    ]
    questions = [later.parameters.question(name) for name in ("drug", "permanent")]
    designs, tallied = [], []
    for each in (later, launch):
        devices = [each.parameters.devices_of(question)[0] for question in questions]
        designs.append(tuple(map(channel_of, devices, questions)))
        tallied.append(np.array(counts(each)["drug,permanent"]).reshape(2, 2))
    expected = rr_engine.joint.estimate_joint_strata(designs, tallied)
    shown = [[cell["estimate"] for cell in row] for row in table["cells"]]
    assert pytest.approx(expected.proportions, abs=1e-12) == np.array(shown).T


@pytest.mark.slow
def test_the_results_page_has_the_ledger_of_the_survey(client):
    _launch, later = answered_twice(client)
    text = visible_text(client.get(f"/s/{later.survey.slug}/results/").text)
    assert "Wave 1: 12 people answered it and no later one; ε = 1.5 up to it." in text
    # Fewer responses of this wave than people in the results, which is no contradiction.
    summary = " ".join(text.split())
    assert "24 people answered, 12 of them wave 2" in summary
    assert "The page's device in wave 1" in text


@pytest.mark.slow
def test_few_people_of_a_wave_are_not_shown(client):
    """Their reports are held back everywhere, as those of a stratum are."""
    launch, codes = wave_one(client, 24, results_public=True, release_threshold=20)
    in_results(launch)
    later = next_wave(launch, drug="2")
    for number, code in enumerate(codes[:21]):
        reports = {"drug": 0, "absence": number % 3, "permanent": 0}
        assert post(client, later, code, reports).status_code == 201
    drug = in_results(later)["questions"][0]
    assert (drug["n"], drug["suppressed"]) == (21, 3)
    assert [device["counts"] is None for device in drug["devices"]] == [False, True]
    url = f"/s/{later.survey.slug}/results/reports.csv"
    text = as_researcher(client, later).get(url).content.decode("utf-8-sig")
    rows = [row for row in csv.DictReader(text.splitlines()) if row["wave"] == "1"]
    # Held back, and not left out.
    assert [(row["drug"], row["permanent"]) for row in rows] == [("-1", "-1")] * 3


def test_a_device_that_has_not_changed_sends_again_what_it_sent(client):
    """Another draw would reveal as much once more, and the ledger counts the device once."""
    launch, (waiting, counted) = wave_one(client, 2)
    in_results(launch)
    later = next_wave(launch, drug="2")
    for code, sent in ((waiting, 0), (counted, 1)):
        answer = post(client, later, code, {**REPORTS, "absence": sent + 1})
        assert answer.status_code == 422
        (error,) = answer.json()["errors"]
        assert (error["field"], error["code"]) == ("reports.absence", "not_kept")
        assert "wave 1" in error["message"]
    assert Participation.objects.filter(launch=later).count() == 0
    assert later.inbox.count() == 0
    for code, sent in ((waiting, 0), (counted, 1)):
        assert post(client, later, code, {**REPORTS, "absence": sent}).status_code == 201


def test_what_was_left_out_is_drawn_anew(client):
    launch = coded_launch(questions=[{**ASKED[0]}, {**ASKED[1], "required": False}])
    code = new_code()
    assert post(client, launch, code, {"drug": 1}).status_code == 201
    later = next_wave(launch, drug="1.5")
    assert post(client, later, code, {"drug": 1, "absence": 2}).status_code == 201


# --- at once -------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_two_requests_at_once_under_one_code_one_is_stored():
    launch = coded_launch()
    code, statuses = new_code(), []
    start = threading.Barrier(6)

    def send() -> None:
        start.wait()
        statuses.append(post(Client(), launch, code, REPORTS).status_code)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [201, 409, 409, 409, 409, 409]
    assert Submission.objects.count() == Participation.objects.count() == 1
    assert Respondent.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_waves_that_are_launched_at_once_one_is_frozen():
    launch = coded_launch()
    outcomes: list[str] = []
    start = threading.Barrier(2)

    def launch_it() -> None:
        start.wait()
        try:
            next_wave(launch, drug="2.5")
            outcomes.append("launched")
        except NotReadyError:
            outcomes.append("refused")
        connection.close()

    threads = [threading.Thread(target=launch_it) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # The second one finds the first: it would freeze the same again, or exceed the budget.
    assert Launch.objects.filter(survey=launch.survey, wave=2).count() == 1
    assert "launched" in outcomes


# --- another secret ------------------------------------------------------------------------------


def test_a_code_of_a_former_secret_still_leads_to_its_chain(client, settings):
    launch, (code,) = wave_one(client, 1)
    former, settings.SECRET_KEY = (
        settings.SECRET_KEY,
        "another secret of at least fifty characters, for tests",
    )
    assert look_up(client, launch, code).status_code == 404
    settings.SECRET_KEY_FALLBACKS = ["one between them", former]
    assert look_up(client, launch, code).json()["reports"] == {"drug": 0, "absence": 0}
    later = next_wave(launch, drug="2")
    assert post(client, later, code, {**REPORTS, "absence": 0}).status_code == 201
    assert Respondent.objects.count() == 1
    assert [row.launch.wave for row in Participation.objects.order_by("launch__wave")] == [1, 2]
