"""What is stored does not say in which order the responses came."""

import json

import pytest
from django.db import connection

from surveys.models import Receipt, ReportSet, Submission
from surveys.services.responses import record_response
from surveys.tallies import fold_waiting
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
        fold_waiting(launch.pk)

    assert not Submission.objects.exists()
    for model in (ReportSet, Receipt):
        keys = row_keys(model)
        assert sorted(keys) == sorted(model.objects.values_list("pk", flat=True))
        # Eight counted-up keys would all be small; a random one of 63 bits is so once in 2**43.
        assert min(keys) > 2**20
