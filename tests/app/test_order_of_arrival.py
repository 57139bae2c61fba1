"""What is stored does not say in which order the responses came."""

import json
import uuid
from itertools import chain, pairwise

import pytest
from django.db import connection

from surveys.models import Receipt, ReportSet, Submission
from surveys.responses.tallies import aggregate_batch, aggregate_waiting
from surveys.services.responses import record_response
from tests.builders import launched, response

pytestmark = pytest.mark.django_db

ROW_KEY = {"sqlite": "rowid", "postgresql": "id"}


def row_keys(model) -> list[int]:
    """What the database itself tells rows apart by, in the order of the file."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {ROW_KEY[connection.vendor]} FROM {model._meta.db_table}")
        return [key for (key,) in cursor.fetchall()]


def test_the_database_has_no_counter_beside_the_random_key():
    launch = launched()
    for _ in range(8):
        body = json.dumps(response(launch)).encode()
        record_response(launch=launch, body=body)
        aggregate_waiting(launch.pk)

    assert not Submission.objects.exists()
    for model in (ReportSet, Receipt):
        keys = row_keys(model)
        assert sorted(keys) == sorted(model.objects.values_list("pk", flat=True))
        # Eight counted-up keys would all be small; a random one of 63 bits is so once in 2**43.
        assert min(keys) > 2**20


def test_a_batch_is_written_in_the_order_of_its_keys_and_of_nothing_else():
    """Keys that ascend cost a B-tree least; who has which of them is chance."""
    choice = {"kind": "single_choice", "options": [f"option {n}" for n in range(50)]}
    launch = launched(questions=[choice], linkage="together")
    for code in range(50):
        content = {"reports": {"q1": code}, "strata": {"q1": "page"}}
        Submission.objects.create(pk=uuid.uuid4(), launch=launch, content=content)
    written = []

    def watched(execute, sql, params, many, context):
        if sql.startswith(f'INSERT INTO "{ReportSet._meta.db_table}"'):
            # PostgreSQL takes a column as one list.
            values = chain.from_iterable(one if isinstance(one, list) else [one] for one in params)
            written.extend(one for one in values if isinstance(one, int) and one > 2**20)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watched):
        aggregate_batch(launch.pk)
    assert len(written) == 50
    assert all(one < other for one, other in pairwise(written))
    codes = [kept.content["reports"]["q1"] for kept in ReportSet.objects.order_by("pk")]
    assert sorted(codes) == list(range(50))
    # As it came or turned round: once in 10**64.
    assert codes not in (sorted(codes), sorted(codes, reverse=True))


def test_an_index_by_launch_is_only_kept_where_new_rows_end_up_together():
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, ReportSet._meta.db_table)
    indexed = any(one["index"] and one["columns"] == ["launch_id"] for one in found.values())
    assert indexed == (connection.vendor == "postgresql")
