"""Declared cross-tables are counted in the aggregation, as the devices are: once, by addition."""

import random
from functools import reduce

import pytest
from msgspec.structs import replace

from surveys.models import Launch, Submission, Survey, Tally
from surveys.parameters import digest_of
from surveys.responses import counting, tallies
from surveys.responses.crossings import crossed_spaces
from surveys.responses.pair_counts import ALL_PAIRS
from tests.app.test_aggregation import fill
from tests.builders import launched

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]

OPTIONS = {"kind": "single_choice", "options": ["a", "b", "c"]}
QUESTIONS = [{"name": "q1"}, {"name": "q2", **OPTIONS, "required": False}]
QUESTIONS += [{"name": "q3", "required": False}]
TABLE = ("q1,q2", "page,page")


def launch_with_table(**values):
    values = {"linkage": Survey.Linkage.TOGETHER, "cross_tables": [["q1", "q2"]], **values}
    return launched(questions=QUESTIONS, **values)


def test_a_table_counts_pairs_of_reports_with_the_last_device_running_fastest():
    launch = launch_with_table()
    fill(launch, 2, reports={"q1": 0, "q2": 2, "q3": 1})
    fill(launch, 3, reports={"q1": 1, "q2": 0, "q3": 1})
    tallies.aggregate_waiting(launch.pk)

    counts = tallies.snapshot(launch.pk)[1]
    assert counts[TABLE] == [0, 0, 2, 3, 0, 0]
    assert set(counts) == {("q1", "page"), ("q2", "page"), ("q3", "page"), TABLE, ALL_PAIRS}
    assert counts == tallies.recount(launch)


def test_only_people_who_answered_both_are_in_a_table():
    launch = launch_with_table()
    fill(launch, 4, reports={"q1": 0, "q3": 0})
    fill(launch, 5, reports={"q1": 1, "q2": 1, "q3": 0})
    tallies.aggregate_waiting(launch.pk)

    counts = tallies.snapshot(launch.pk)[1]
    assert sum(counts["q1", "page"]) == 9
    assert counts[TABLE] == [0, 0, 0, 0, 5, 0]


def test_tables_of_later_batches_are_added():
    launch = launch_with_table()
    for _ in range(3):
        fill(launch, 2, reports={"q1": 1, "q2": 2, "q3": 0})
        tallies.aggregate_waiting(launch.pk)

    assert tallies.snapshot(launch.pk)[1][TABLE] == [0, 0, 0, 0, 0, 6]
    assert tallies.snapshot(launch.pk)[1] == tallies.recount(launch)


def test_a_table_of_shuffled_and_merged_parts_is_the_same():
    launch = launch_with_table()
    for index in range(2):
        for other in range(3):
            fill(launch, 1 + 2 * index + other, reports={"q1": index, "q2": other})
    tallies.aggregate_waiting(launch.pk)
    contents = list(launch.report_sets.values_list("content", flat=True))
    random.Random(5).shuffle(contents)
    parts = [counting.count(contents[start::3], launch.parameters) for start in range(3)]
    space = crossed_spaces(launch.parameters)[TABLE]
    assert reduce(space.add, [part[TABLE] for part in parts]) == [1, 2, 3, 3, 4, 5]
    assert tallies.snapshot(launch.pk)[1][TABLE] == [1, 2, 3, 3, 4, 5]


def test_answers_that_are_kept_apart_have_no_table():
    """Lint refuses such a draft; should one be frozen all the same, nothing is crossed."""
    first = launch_with_table()
    parameters = replace(first.parameters, linkage="apart", version=2)
    launch = Launch.objects.create(
        survey=first.survey, parameters=parameters, digest=digest_of(parameters), version=2
    )
    fill(launch, 5, reports={"q1": 1, "q2": 2})
    tallies.aggregate_waiting(launch.pk)

    assert set(tallies.snapshot(launch.pk)[1]) == {("q1", "page"), ("q2", "page")}
    assert crossed_spaces(launch.parameters) == {}


def test_a_table_that_nobody_declared_is_not_counted():
    launch = launch_with_table(cross_tables=[])
    fill(launch, 5, reports={"q1": 1, "q2": 2})
    tallies.aggregate_waiting(launch.pk)

    assert not Tally.objects.filter(table__contains=",").exclude(table=ALL_PAIRS[0]).exists()


@pytest.mark.parametrize("bad", [{"q1": 0, "q2": 3}, {"q1": 0, "q1,q2": 0}, {"q1": 2, "q2": 0}])
def test_a_quarantined_response_is_in_no_table(bad):
    """A code beyond one device's reports would be a cell of somebody else's."""
    launch = launch_with_table()
    fill(launch, 1, reports=bad)
    fill(launch, 1, reports={"q1": 0, "q2": 0})
    tallies.aggregate_waiting(launch.pk)

    assert tallies.snapshot(launch.pk)[1][TABLE] == [1, 0, 0, 0, 0, 0]
    assert Submission.objects.get().quarantined


def test_a_table_costs_two_statements_more_however_many_answered(django_assert_max_num_queries):
    launch = launch_with_table()
    fill(launch, 300, reports={"q1": 0, "q2": 1})
    tallies.aggregate_waiting(launch.pk)
    fill(launch, 10, reports={"q1": 0, "q2": 1})
    with django_assert_max_num_queries(22):
        tallies.aggregate_waiting(launch.pk)
