"""What a file with several sheets has beside its table: what it is of, and another table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import language_of
from surveys.exports.formats.codebook import name_beside
from surveys.exports.snapshot import MOVING, MovingError
from surveys.exports.table import Table
from surveys.models import Launch
from surveys.results.release import release_of

_NOTE = "note"


def in_company(
    table: Callable[[], Table],
    beside: Callable[[], Table] | None,
    launch: Launch,
    step: int,
    *,
    of_people: bool,
) -> Table:
    """Return the table with notes on its survey and release, and the one beside it.

    `of_people`: its rows are reports.

    Raises MovingError where the results have changed meanwhile.
    """
    before = release_of(launch, step)
    # The table of people may hold the cursor of a query, so that it comes last.
    others = (beside(),) if beside else ()
    made = table()
    if release_of(launch, step).revision != before.revision:
        made.close()
        raise MovingError(MOVING)
    with translation.override(language_of(launch)):
        words = tuple((_NOTE, each) for each in _words(made, others, of_people=of_people))
    return replace(made, notes=(*notes_of(launch, step), *words), beside=others)


def _words(table: Table, others: Sequence[Table], *, of_people: bool) -> Iterator[str]:
    """How the sheets are read."""
    if of_people and others:
        scrambled = _(
            "Answers to sensitive questions were scrambled before they were sent: a report is no "
            "answer. What follows from all of them together is in the sheet “%s”."
        )
        yield scrambled % others[0].name
    columns = _(
        "What each column is, and what its codes and empty cells stand for, is in the sheet “%s”."
    )
    yield columns % name_beside([table, *others])


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
