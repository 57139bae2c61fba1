"""A comparison of receipts with stored responses: no receipt may be without its response.

A receipt has no reports, so nothing tells which response is missing, only how many are.
"""

from django.db import connection
from django.db.models import Count, Exists, OuterRef

from surveys.models import Launch, Participation, Receipt, ReportSet, Submission
from surveys.models.survey import Survey
from surveys.parameters import PSEUDONYMOUS


def unaccounted() -> dict[int, int]:
    """Return the receipts beyond the responses in tallies and inbox, by launch, if not none.

    Below zero there are responses without a receipt.
    """
    differences = _receipts_beyond() | _people_lost()
    return {launch: difference for launch, difference in differences.items() if difference}


def _receipts_beyond() -> dict[int, int]:
    """Return the receipts beyond stored responses, by launch that counts each receipt once.

    It is one statement, so all counts are of one moment.
    """
    quote = connection.ops.quote_name
    launch, survey = quote(Launch._meta.db_table), quote(Survey._meta.db_table)
    receipts, inbox = (_counts_by_launch(quote(model._meta.db_table)) for model in _ROWS)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT l.id, COALESCE(r.number, 0) - l.aggregated - COALESCE(i.number, 0)
            FROM {launch} l JOIN {survey} s ON s.id = l.survey_id
            LEFT JOIN ({receipts}) r ON r.launch_id = l.id
            LEFT JOIN ({inbox}) i ON i.launch_id = l.id
            WHERE s.mode <> %s""",
            [PSEUDONYMOUS],
        )
        return dict(cursor.fetchall())


_ROWS = (Receipt, Submission)


def _counts_by_launch(table: str) -> str:
    return f"SELECT launch_id, COUNT(*) AS number FROM {table} GROUP BY launch_id"


def _people_lost() -> dict[int, int]:
    """Return the people who answered and of whom nothing is stored, by launch with return codes.

    A later answer takes the place of an earlier one, so receipts are more than responses there.
    """
    owner = OuterRef("respondent")
    stored = [Exists(model.objects.filter(respondent=owner)) for model in (Submission, ReportSet)]
    lost = Participation.objects.exclude(stored[0]).exclude(stored[1])
    counts = lost.values("launch").annotate(number=Count("*"))
    return dict(counts.values_list("launch", "number"))
