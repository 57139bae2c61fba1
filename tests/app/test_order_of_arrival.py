"""Stored data do not say in which order the responses came."""

import json
import uuid
from itertools import chain, pairwise

import pytest
from django.db import connection

from surveys.models import Receipt, ReportSet, Submission
from surveys.responses.tallies import aggregate_batch, aggregate_waiting
from surveys.services.responses import record_response
from tests.builders import launched, response

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]

ROW_KEY = {"sqlite": "rowid", "postgresql": "id"}


def row_keys(model) -> list[int]:
    """The database's internal row keys, in the order of the file."""
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
    keys = []

    def record_parameters(execute, sql, params, many, context):
        if sql.startswith(f'INSERT INTO "{ReportSet._meta.db_table}"'):
            # PostgreSQL takes a column as one list.
            values = chain.from_iterable(
                parameter_or_list if isinstance(parameter_or_list, list) else [parameter_or_list]
                for parameter_or_list in params
            )
            keys.extend(key for key in values if isinstance(key, int) and key > 2**20)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record_parameters):
        aggregate_batch(launch.pk)
    assert len(keys) == 50
    assert all(first < other for first, other in pairwise(keys))
    codes = [report_set.content["reports"]["q1"] for report_set in ReportSet.objects.order_by("pk")]
    assert sorted(codes) == list(range(50))
    # As it came or turned round: once in 10**64.
    assert codes not in (sorted(codes), sorted(codes, reverse=True))


def test_an_index_by_launch_is_only_kept_where_new_rows_end_up_together():
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, ReportSet._meta.db_table)
    indexed = any(
        constraint["index"] and constraint["columns"] == ["launch_id"]
        for constraint in constraints.values()
    )
    assert indexed == (connection.vendor == "postgresql")
