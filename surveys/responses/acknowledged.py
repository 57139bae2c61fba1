"""A comparison of receipts with stored responses: no receipt may be without its response.

A receipt has no reports, so nothing tells which response is missing, only how many are.
"""

from django.db import connection

from surveys.features import FEATURES, Trait
from surveys.models import DroppedReceipts, Launch, Receipt, Submission
from surveys.models.survey import Survey


def unaccounted() -> dict[int, int]:
    """Return the receipts beyond the responses in tallies and inbox, by launch, if not none.

    Below zero there are responses without a receipt.
    """
    differences = _receipts_beyond()
    for feature in FEATURES.values():
        differences |= feature.answers.people_lost()
    return {launch: difference for launch, difference in differences.items() if difference}


def _receipts_beyond() -> dict[int, int]:
    """Return the receipts beyond stored responses, by launch that counts each receipt once.

    It is one statement, so all counts are of one moment. Where people come back a later answer
    takes the place of an earlier one, so receipts are more than responses there.
    """
    returning = {
        feature.mode.value
        for feature in FEATURES.values()
        if feature.mode and Trait.RETURNING in feature.traits
    }
    quote = connection.ops.quote_name
    launch, survey, dropped = (
        quote(model._meta.db_table) for model in (Launch, Survey, DroppedReceipts)
    )
    receipts, inbox = (_counts_by_launch(quote(model._meta.db_table)) for model in _ROWS)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT l.id, s.mode, COALESCE(r.number, 0) + COALESCE(d.number, 0) - l.aggregated
                - COALESCE(i.number, 0)
            FROM {launch} l JOIN {survey} s ON s.id = l.survey_id
            LEFT JOIN ({receipts}) r ON r.launch_id = l.id
            LEFT JOIN {dropped} d ON d.launch_id = l.id
            LEFT JOIN ({inbox}) i ON i.launch_id = l.id
            WHERE s.state <> '{Survey.State.DELETED}'"""
        )
        rows = cursor.fetchall()
    return {launch: number for launch, mode, number in rows if mode not in returning}


_ROWS = (Receipt, Submission)


def _counts_by_launch(table: str) -> str:
    return f"SELECT launch_id, COUNT(*) AS number FROM {table} GROUP BY launch_id"
