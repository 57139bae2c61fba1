"""What a file with several sheets has beside its table: what it is of, and another table."""

from collections.abc import Callable
from dataclasses import replace

from surveys.exports.snapshot import MOVING, MovingError
from surveys.exports.table import Table
from surveys.models import Launch
from surveys.results.release import release_of


def in_company(
    table: Callable[[], Table], beside: Callable[[], Table] | None, launch: Launch, step: int
) -> Table:
    """Return the table with notes on its survey and release, and the one beside it.

    Raises MovingError where the results have changed meanwhile.
    """
    before = release_of(launch, step)
    # The table of people may hold the cursor of a query, so that it comes last.
    others = (beside(),) if beside else ()
    made = table()
    if release_of(launch, step).revision != before.revision:
        made.close()
        raise MovingError(MOVING)
    return replace(made, notes=notes_of(launch, step), beside=others)


def notes_of(launch: Launch, step: int) -> tuple[tuple[str, str], ...]:
    """Names in English, as those of columns are; what the author wrote in the survey's language."""
    release = release_of(launch, step)
    people = () if release.content is None else (("responses", str(release.responses)),)
    return (
        ("survey", launch.parameters.title),
        ("address", launch.survey.slug),
        ("wave", str(launch.wave)),
        ("digest", launch.digest_at(step)),
        *people,
    )
