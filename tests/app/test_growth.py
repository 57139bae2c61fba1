"""Tables and indexes of PostgreSQL through a long life: what is deleted makes room for what comes.

Sizes and counts only, with vacuum where its daemon would have come by (`tests/growing.py`).
"""

from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from surveys.models import Launch, Receipt, ReportSet
from tests.builders import launched
from tests.growing import TABLES, asked, packed, receive, remove, sizes, vacuum_where_due

pytestmark = [
    pytest.mark.slow,
    pytest.mark.production_database,
    pytest.mark.django_db(transaction=True),
]
QUESTIONS = [{}, {"kind": "single_choice", "options": ["a", "b", "c"]}]
PAGE = 8192
SIZE = 400
# Every index of what each response is a row of, and what needs it.
INDEXES = {
    "surveys_receipt_submission_key": "a response that is sent again",
    "surveys_receipt_launch_id": "deleting a survey, counting receipts",
    "surveys_submission_pkey": "taking a batch out of the inbox",
    "surveys_submission_launch_id_a02d4487": "choosing a batch",
    "submission_by_respondent": "somebody who comes back while their response waits",
    "surveys_reportset_pkey": "files in the order of the keys",
    "surveys_reportset_launch_id": "files, recounts, deleting a survey",
    "report_set_by_pattern": "the people whom joint numbers leave out",
    "report_set_once_per_respondent": "one report set of whoever comes back",
}


def opened(number):
    return launched(slug=f"survey-{number}", linkage="together", questions=QUESTIONS)


@contextmanager
def reading():
    """Somebody who reads one state of the database all the while, as a backup does."""
    reader = connection.copy("reader")
    try:
        with reader.cursor() as cursor:
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("SELECT count(*) FROM surveys_receipt")
            yield
    finally:
        reader.close()


def dead_rows():
    asked("SELECT pg_stat_force_next_flush()")
    return dict(
        asked(
            "SELECT relname, n_dead_tup FROM pg_stat_user_tables WHERE relname = ANY(%s)",
            [list(TABLES)],
        )
    )


def grown(before, after):
    """What takes more room than before, by more than what chance leaves of pages."""
    return {
        name: (size, after[name])
        for name, size in before.items()
        if after[name] > 1.25 * size + 2 * PAGE
    }


def test_surveys_that_come_take_the_room_of_those_that_go():
    launches = [opened(number) for number in range(5)]
    for launch in launches:
        receive(launch, 2, SIZE)
    # The first one to go leaves the room that there is from then on.
    remove(launches.pop(0))
    before = sizes(*TABLES)
    for number in range(5, 12):
        launches.append(opened(number))
        receive(launches[-1], 2, SIZE)
        remove(launches.pop(0))
    after = sizes(*TABLES)
    assert Receipt.objects.count() == ReportSet.objects.count() == 4 * 2 * SIZE
    assert grown(before, after) == {}
    assert {
        name: (after[name], size)
        for name, size in packed("surveys_receipt", "surveys_reportset").items()
        if after[name] > 2 * size + 4 * PAGE
    } == {}


def test_the_inbox_keeps_no_more_than_it_needed_at_once():
    launch = opened(0)
    receive(launch, 2, SIZE)
    before = sizes("surveys_submission")
    receive(launch, 20, SIZE)
    assert grown(before, sizes("surveys_submission")) == {}


def test_what_waited_behind_a_long_read_goes_once_that_is_over():
    launch = opened(0)
    with reading():
        receive(launch, 6, SIZE)
        assert dead_rows()["surveys_submission"] >= 6 * SIZE
    vacuum_where_due()
    assert dead_rows()["surveys_submission"] == 0
    before = sizes("surveys_submission")
    receive(launch, 6, SIZE)
    assert grown(before, sizes("surveys_submission")) == {}


def test_a_small_survey_that_is_deleted_is_soon_gone_from_the_files():
    """One row of twenty: by the server's own setting vacuum would wait for one of five."""
    small, large = opened(0), opened(1)
    receive(small, 1, 200)
    receive(large, 10, SIZE)
    asked("VACUUM ANALYZE surveys_receipt, surveys_reportset")
    remove(small)
    dead = dead_rows()
    assert dead["surveys_receipt"] == dead["surveys_reportset"] == 0


def test_every_index_has_a_use_that_is_named_here():
    names = asked("SELECT indexname FROM pg_indexes WHERE tablename = ANY(%s)", [list(TABLES)])
    assert {name for (name,) in names} == set(INDEXES)


def test_the_receipts_of_a_survey_are_found_without_reading_all_others():
    launch, other = opened(0), opened(1)
    receive(launch, 1, 100)
    receive(other, 5, SIZE)
    asked("VACUUM ANALYZE surveys_receipt")
    plan = Receipt.objects.filter(launch=launch).explain()
    assert "surveys_receipt_launch_id" in plan
    assert "Seq Scan" not in plan


def test_a_cursor_that_is_read_to_the_end_is_planned_for_all_rows():
    """For the first ones PostgreSQL would walk the keys of all surveys and skip the others'."""
    for number in range(4):
        receive(opened(number), 3, 1_000)
    asked("VACUUM ANALYZE surveys_reportset")
    launch = Launch.objects.get(survey__slug="survey-0")
    rows = launch.report_sets.filter(step=0).order_by("pk").values_list("content")
    statement, values = rows.query.sql_with_params()
    with connection.cursor() as cursor, transaction.atomic():
        cursor.execute(f"EXPLAIN DECLARE file CURSOR FOR {statement}", values)
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "surveys_reportset_pkey" not in plan
    assert "Sort" in plan
