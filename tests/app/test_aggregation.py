"""The inbox becomes tallies: once, in random batches, whatever dies meanwhile."""

import random
import secrets
import uuid
from functools import reduce
from itertools import pairwise

import pytest

from surveys.models import Launch, Receipt, ReportSet, Submission, Survey, Tally
from surveys.responses import counting, tallies
from surveys.responses.batches import batch_of, due, next_batch_size
from surveys.responses.spaces import space_of
from surveys.services.results import lagging_launches, refresh_results
from surveys.services.transitions import close_survey, reopen_survey
from tests.builders import launched
from tests.plain import results_document

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]

QUESTIONS = [{"name": "q1"}, {"name": "q2", "required": False}]


def fill(launch, count, *, reports=None):
    """Put `count` responses into the inbox as `record_response` does."""
    for number in range(count):
        key = uuid.uuid4()
        content = reports or {"q1": number % 2, "q2": 0}
        strata = dict.fromkeys(content, "page")
        Receipt.objects.create(pk=secrets.randbits(63), submission=key, launch=launch)
        Submission.objects.create(
            pk=key, launch=launch, content={"reports": content, "strata": strata}
        )


def test_counts_every_response_once():
    launch = launched(questions=QUESTIONS)
    fill(launch, 21)

    assert tallies.aggregate_waiting(launch.pk) == 21
    assert tallies.aggregate_waiting(launch.pk) == 0

    aggregated, counts = tallies.snapshot(launch.pk)
    assert aggregated.aggregated == 21
    assert counts == {("q1", "page"): [11, 10], ("q2", "page"): [21, 0]}
    assert counts == tallies.recount(launch)


def test_aggregates_more_than_one_chunk(monkeypatch):
    monkeypatch.setattr(tallies, "CHUNK", 10)
    launch = launched(questions=QUESTIONS)
    fill(launch, 35)

    assert tallies.aggregate_waiting(launch.pk) == 35
    assert tallies.snapshot(launch.pk)[1] == tallies.recount(launch)


@pytest.mark.slow
@pytest.mark.usefixtures("pauses")
def test_one_call_aggregates_a_bounded_number_and_says_that_more_is_due(monkeypatch):
    monkeypatch.setattr(tallies, "CHUNK", 2)
    launch = launched(questions=QUESTIONS)
    fill(launch, 203)

    assert refresh_results(launch_id=launch.pk)
    assert launch.waiting() == 3
    assert not refresh_results(launch_id=launch.pk)
    assert launch.results.get().responses == 203


def test_an_aggregation_that_fails_half_way_changes_nothing(monkeypatch):
    launch = launched(questions=QUESTIONS)
    fill(launch, 5)

    def fails(*args):
        raise RuntimeError("killed here")

    with monkeypatch.context() as patch:
        patch.setattr(tallies, "_add_to_tallies", fails)
        with pytest.raises(RuntimeError):
            tallies.aggregate_waiting(launch.pk)
    assert Submission.objects.count() == 5
    assert not ReportSet.objects.exists()

    assert tallies.aggregate_waiting(launch.pk) == 5


def test_reports_kept_together_share_a_row():
    launch = launched(questions=QUESTIONS, linkage=Survey.Linkage.TOGETHER)
    fill(launch, 4)
    tallies.aggregate_waiting(launch.pk)

    assert [set(row.content["reports"]) for row in ReportSet.objects.all()] == [{"q1", "q2"}] * 4


def test_reports_kept_apart_have_no_common_key():
    launch = launched(questions=QUESTIONS, linkage=Survey.Linkage.APART)
    fill(launch, 4)
    tallies.aggregate_waiting(launch.pk)

    rows = list(ReportSet.objects.all())
    assert len(rows) == 8
    assert all(len(row.content["reports"]) == 1 for row in rows)
    assert not Submission.objects.exists()


def test_reports_kept_apart_are_not_stored_beside_those_of_the_same_person():
    """60 people with two reports each: by key the questions alternate as chance has it.

    Neighbours differ in 60 of 119 places, give or take 5.5; within 6 of these standard errors.
    """
    launch = launched(questions=QUESTIONS, linkage=Survey.Linkage.APART)
    fill(launch, 60)
    tallies.aggregate_waiting(launch.pk)

    by_key = ReportSet.objects.order_by("pk").values_list("content__reports", flat=True)
    names = [name for reports in by_key for name in reports]
    assert sorted(names) == ["q1"] * 60 + ["q2"] * 60
    assert 27 < sum(one != other for one, other in pairwise(names)) < 93


def test_stored_rows_do_not_tell_the_order_of_arrival():
    """200 responses, half of them 0 first, then 1: by key they are mixed (chance 1e-20 else)."""
    launch = launched(questions=QUESTIONS, linkage=Survey.Linkage.TOGETHER)
    for code in (0, 1):
        fill(launch, 100, reports={"q1": code})
        tallies.aggregate_waiting(launch.pk)

    by_key = list(ReportSet.objects.order_by("pk").values_list("content", flat=True))
    codes = [content["reports"]["q1"] for content in by_key]
    assert 20 < sum(codes[:100]) < 80


def test_nothing_stored_holds_an_id_beside_reports_after_aggregation():
    launch = launched(questions=QUESTIONS)
    fill(launch, 3)
    tallies.aggregate_waiting(launch.pk)

    assert {field.name for field in Receipt._meta.get_fields()} == {
        "id",
        "submission",
        "launch",
    }
    assert {field.name for field in ReportSet._meta.get_fields()} == {
        "id",
        "launch",
        "step",
        "content",
        # Which devices the content has reports of, so that few can be counted by an index.
        "pattern",
        "respondent",
    }
    # Only where people come back, and there it is a code's keyed hash that leads to it.
    assert set(ReportSet.objects.values_list("respondent", flat=True)) == {None}
    assert not Submission.objects.exists()


@pytest.mark.parametrize(("inbox_size", "expected"), [(0, 0), (5, 0), (9, 0), (10, 5), (17, 12)])
def test_an_open_survey_keeps_a_batch_back(inbox_size, expected):
    assert due(launched(release_batch=5), inbox_size) == expected


@pytest.mark.parametrize(("inbox_size", "expected"), [(0, 0), (1, 0), (4, 0), (5, 5), (9, 9)])
def test_a_closed_survey_releases_a_batch_or_nothing(inbox_size, expected):
    launch = launched(release_batch=5)
    close_survey(survey=launch.survey, actor=None)
    assert due(launch, inbox_size) == expected


@pytest.mark.parametrize("state", ["open", "closed"])
@pytest.mark.parametrize("batch", [1, 2, 5, 9, 10, 13, 40])
def test_no_aggregation_is_smaller_than_a_batch_nor_leaves_less_behind(state, batch):
    """Every number of waiting responses, aggregated to the end: what stays is what must stay."""
    launch = launched(release_batch=batch)
    launch.survey.state = state
    batch_kept_back = batch if state == "open" and batch > 1 else 0
    for inbox_size in range(120):
        left = inbox_size
        while size := next_batch_size(launch, left, usual=10):
            assert batch <= size <= left - batch_kept_back
            assert size < max(10, batch) + batch
            left -= size
        assert left == (batch_kept_back if inbox_size - batch_kept_back >= batch else inbox_size)


def test_a_batch_that_was_raised_past_the_database_counts_and_a_lowered_one_does_not():
    launch = launched(release_batch=5)
    for own, expected in ((1, 5), (5, 5), (9, 9)):
        launch.survey.release_batch = own
        assert batch_of(launch) == expected


def test_closing_releases_the_last_batch():
    launch = launched(questions=QUESTIONS, release_batch=5)
    fill(launch, 12)
    refresh_results(launch_id=launch.pk)
    assert Launch.objects.get().aggregated == 7
    assert Submission.objects.count() == 5

    close_survey(survey=launch.survey, actor=None)
    assert list(lagging_launches()) == [launch.pk]
    refresh_results(launch_id=launch.pk)

    assert Launch.objects.get().aggregated == 12
    assert list(lagging_launches()) == []


def test_a_reopening_that_brings_too_few_releases_nothing():
    """Close, reopen, one response, close: the one stays in the inbox until it is one of a batch."""
    launch = launched(questions=QUESTIONS, release_batch=5)
    fill(launch, 12)
    close_survey(survey=launch.survey, actor=None)
    refresh_results(launch_id=launch.pk)

    for number in range(1, 5):
        reopen_survey(survey=launch.survey, actor=None)
        fill(launch, 1)
        close_survey(survey=launch.survey, actor=None)
        assert not refresh_results(launch_id=launch.pk)
        assert Launch.objects.get().aggregated == 12
        assert launch.waiting() == number
        assert list(lagging_launches()) == []

    reopen_survey(survey=launch.survey, actor=None)
    fill(launch, 1)
    close_survey(survey=launch.survey, actor=None)
    refresh_results(launch_id=launch.pk)
    assert Launch.objects.get().aggregated == 17


def test_the_chunks_of_a_closed_survey_leave_no_remainder(monkeypatch):
    """15 wait, a batch is 10 and so is a chunk: 10 and then 5 would leave the 5 behind."""
    monkeypatch.setattr(tallies, "CHUNK", 10)
    launch = launched(questions=QUESTIONS, release_batch=10)
    fill(launch, 15)
    close_survey(survey=launch.survey, actor=None)

    assert tallies.aggregate_batch(launch.pk) == 15


@pytest.mark.parametrize(("quarantined", "aggregated"), [(1, 5), (2, None), (6, None)])
def test_quarantined_responses_do_not_make_a_batch_too_small(quarantined, aggregated):
    launch = launched(questions=QUESTIONS, release_batch=5)
    fill(launch, quarantined, reports={"q1": 9})
    fill(launch, 6 - quarantined)
    close_survey(survey=launch.survey, actor=None)

    assert tallies.aggregate_batch(launch.pk) == aggregated
    assert launch.waiting() == 6 - quarantined - (aggregated or 0)
    assert Submission.objects.filter(quarantined=True).count() == quarantined
    assert ReportSet.objects.filter(launch=launch).count() == 2 * (aggregated or 0)


@pytest.mark.slow
def test_what_stays_back_is_chosen_at_random():
    """The response that came last is not the one held back: over 40 rounds it is released
    sometimes (probability 2/3 each; 1e-19 that it never is, 1e-7 that it always is)."""
    launch = launched(questions=QUESTIONS, release_batch=5)
    released = 0
    for _ in range(40):
        Submission.objects.all().delete()
        fill(launch, 14, reports={"q1": 0})
        last = uuid.uuid4()
        strata = {"q1": "page"}
        Submission.objects.create(
            pk=last, launch=launch, content={"reports": {"q1": 1}, "strata": strata}
        )
        tallies.aggregate_waiting(launch.pk)
        released += not Submission.objects.filter(pk=last).exists()
    assert 0 < released < 40


def test_shuffled_reports_and_merged_counts_give_identical_estimates():
    launch = launched(questions=QUESTIONS)
    fill(launch, 60)
    tallies.aggregate_waiting(launch.pk)
    document, counts = launch.parameters, tallies.snapshot(launch.pk)[1]
    all_at_once = results_document(document, launch.digest, counts, 60)

    contents = list(launch.report_sets.values_list("content", flat=True))
    random.Random(5).shuffle(contents)
    parts = [counting.count(contents[start::3], document) for start in range(3)]
    spaces = {device.key: space_of(device) for device in document.devices}
    merged = {key: reduce(spaces[key].add, [part[key] for part in parts]) for key in counts}
    assert results_document(document, launch.digest, merged, 60) == all_at_once


def test_cost_follows_the_new_responses(django_assert_max_num_queries):
    launch = launched(questions=QUESTIONS)
    fill(launch, 300)
    tallies.aggregate_waiting(launch.pk)
    fill(launch, 10)
    with django_assert_max_num_queries(20):
        tallies.aggregate_waiting(launch.pk)


@pytest.mark.parametrize("code", [-1, 2, 1_000_000, 1.5, True, "1", None])
def test_a_quarantined_response_in_the_inbox_is_set_aside_and_stops_nobody(code, caplog):
    """Mutants of other servers: -1 counted as the last category, one cell of a million deciding,
    one bad report stopping the whole aggregation."""
    launch = launched(questions=QUESTIONS)
    fill(launch, 1, reports={"q1": code})
    fill(launch, 3, reports={"q1": 1})

    assert tallies.aggregate_waiting(launch.pk) == 3

    assert Tally.objects.get().counts == [0, 3]
    assert Submission.objects.get().quarantined
    assert launch.waiting() == 0
    assert list(lagging_launches()) == [launch.pk]
    refresh_results(launch_id=launch.pk)
    assert list(lagging_launches()) == []
    assert "do not fit" in caplog.text


FITTING = {"reports": {"q1": 1, "q3_1": 0, "q3_2": 1}, "strata": {}}
FITTING["strata"] = dict.fromkeys(FITTING["reports"], "page")


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        7,
        "reports",
        {"reports": {"q1": 0}},
        {"strata": {"q1": "page"}},
        {"reports": [1], "strata": {}},
        {"reports": None, "strata": None},
        {"reports": {"q1": 0}, "strata": ["page"]},
        {"reports": {"q1": 0}, "strata": {}},
        {"reports": {"q1": 0}, "strata": {"q1": ["page"]}},
        {"reports": {"q1": 0}, "strata": {"q1": {}}},
        {"reports": {"q1": 0}, "strata": {"q1": None}},
        {"reports": {"q1": [0]}, "strata": {"q1": "page"}},
        {"reports": {"q1": {}}, "strata": {"q1": "page"}},
        {"reports": {"q9": 0}, "strata": {"q9": "page"}},
        {"reports": {}, "strata": {}},
        {"reports": {"q1": 0}, "strata": {"q1": "page", "q2": "page"}},
        {"reports": {"q1": 0}, "strata": {"q1": "page"}, "wave": 1},
        {"reports": {"q2": 0}, "strata": {"q2": "page"}},
        {"reports": {"q1": 0, "q3_1": 0}, "strata": {"q1": "page", "q3_1": "page"}},
    ],
    ids=str,
)
def test_whatever_was_written_into_the_inbox_stops_nobody(content, caplog):
    """Seen before: a row of another shape raised, and its launch was never aggregated again."""
    boxes = {"kind": "multiple_choice", "design": "per_option", "options": ["A", "B"]}
    launch = launched(questions=[*QUESTIONS, {**boxes, "name": "q3", "required": False}])
    bad = Submission.objects.create(pk=uuid.uuid4(), launch=launch, content=content)
    for _ in range(3):
        Submission.objects.create(pk=uuid.uuid4(), launch=launch, content=FITTING)

    assert tallies.aggregate_waiting(launch.pk) == 3

    assert tallies.snapshot(launch.pk)[1] == tallies.recount(launch)
    assert tallies.snapshot(launch.pk)[1]["q1", "page"] == [0, 3]
    assert Submission.objects.get().pk == bad.pk
    assert Submission.objects.get().quarantined
    assert "do not fit" in caplog.text
