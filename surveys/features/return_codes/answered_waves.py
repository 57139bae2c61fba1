"""Queries for what somebody's earlier waves have left, as statements that are composed once.

Django builds the same statement anew for each query, which costs a response to a later wave more
time than the database takes for it, as with the INSERTs of `surveys/models/insert.py`.
"""

import functools
import json
from typing import Any, NamedTuple

from django.db import connection

from surveys.features.return_codes.models import Participation
from surveys.models.submission import ReportSet, Submission


class AnsweredWave(NamedTuple):
    """A wave in the ledger of somebody, with the ids of the devices that they reported to."""

    launch_id: int
    digest: str
    devices: list[str]


def answered_waves(respondent_id: int) -> list[AnsweredWave]:
    """The waves that somebody has answered, the first one first."""
    with connection.cursor() as cursor:
        cursor.execute(_ledger_statement(), [respondent_id])
        rows = cursor.fetchall()
    return [AnsweredWave(launch, digest, json.loads(devices)) for launch, digest, devices in rows]


def stored_reports(respondent_id: int) -> dict[str, Any]:
    """The reports that count for somebody, waiting or counted, by device; none for a stranger."""
    with connection.cursor() as cursor:
        for statement in _contents():
            cursor.execute(statement, [respondent_id])
            row = cursor.fetchone()
            if row is not None:
                return json.loads(row[0])["reports"]
    return {}


def withdraw_waiting(respondent_id: int) -> int | None:
    """Delete the reports that wait to be counted; the launch with which earlier ones count."""
    with connection.cursor() as cursor:
        # In this order: a worker may be moving the earlier reports, and this waits for it.
        cursor.execute(_withdrawal(), [respondent_id])
        cursor.execute(_counted_statement(), [respondent_id])
        row = cursor.fetchone()
    return row[0] if row else None


@functools.cache
def _ledger_statement() -> str:
    entries = Participation.objects.filter(respondent=0)
    ordered = entries.order_by("launch__version", "launch__wave")
    return ordered.values_list("launch_id", "launch__digest", "devices").query.sql_with_params()[0]


@functools.cache
def _counted_statement() -> str:
    stored = ReportSet.objects.filter(respondent=0)
    return stored.values_list("launch_id").query.sql_with_params()[0]


@functools.cache
def _contents() -> list[str]:
    """The waiting ones first: a worker that moves them meanwhile leaves them for the second."""
    rows = (Submission.objects.filter(respondent=0), ReportSet.objects.filter(respondent=0))
    return [row.values_list("content", flat=True).query.sql_with_params()[0] for row in rows]


@functools.cache
def _withdrawal() -> str:
    quote = connection.ops.quote_name
    table, column = Submission._meta.db_table, Submission._meta.get_field("respondent").column
    return f"DELETE FROM {quote(table)} WHERE {quote(column)} = %s"
