"""The tables that can be downloaded, and their formats.

A new format is a module in `formats` and a line in `surveys.exports.offers`: every table is then
offered in it. A new table is a module in `tables` and a line in `all_exports`, or of a feature.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, TYPE_CHECKING

from django.utils.translation import gettext_lazy

from surveys.exports.company import in_company
from surveys.exports.languages import in_every_language
from surveys.exports.offers import FORMATS, OFFERS, Offer
from surveys.exports.table import Format, Row, Table
from surveys.exports.tables import (
    chances,
    codes,
    combinations,
    estimates,
    questions,
    reports,
    synthetic,
    weighted,
)
from surveys.features import FEATURES
from surveys.models import Launch
from surveys.parameters import Parameters
from surveys.results.crowd.distribution import MOST_PEOPLE, has_crowd, pairs_in

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Export:
    """`table` takes a launch and a step. `columns_alone`: the same without its rows, where they are
    read from the database, for formats that have none. `released`: it depends on responses, so it
    requires a release. `exists`: whether a survey with these parameters has such a table.
    `of_people`: a row is what somebody has sent. `of_block`: the table of one of several blocks of
    questions, by its number from 1. `most_made_up`: the most rows of a table whose rows are people
    who were made up.
    `pairs`: of how many pairs of questions the shares are estimated before its first row.
    `beside`: the name of the table that goes with it where a file has several. `label`, `about`:
    what the page of results says of it.
    """

    name: str
    table: Callable[[Launch, int], Table]
    formats: tuple[Format, ...] = FORMATS
    columns_alone: Callable[[Launch, int], Table] | None = None
    released: bool = True
    exists: Callable[[Parameters], bool] = lambda _: True
    of_people: bool = False
    of_block: Callable[[Launch, int, int], Table] | None = None
    most_made_up: int = 0
    pairs: Callable[[Parameters], int] = lambda _: 0
    beside: str = ""
    label: "StrOrPromise" = ""
    about: "StrOrPromise" = ""

    @property
    def first_offers(self) -> list[Offer]:
        """The formats that most people want."""
        return [offer for offer in OFFERS if offer.first]

    @property
    def further_offers(self) -> list[Offer]:
        return [offer for offer in OFFERS if not offer.first]

    def people_in(self, responses: int) -> int:
        """How many of its rows are people, real or made up, with so many responses."""
        return responses if self.of_people else min(responses, self.most_made_up)

    def block(self, number: int) -> "Export":
        """The export of one block; the first has the name of all, and the others a number."""
        of_block = self.of_block
        if of_block is None or number == 1:
            return self

        def table(launch: Launch, step: int) -> Table:
            return of_block(launch, step, number)

        return replace(self, name=f"{self.name}-block-{number}", table=table)


BEFORE_FEATURES = (
    Export(
        reports.NAME,
        reports.table,
        columns_alone=reports.columns_alone,
        of_people=True,
        beside=estimates.NAME,
        label=gettext_lazy("Randomized reports"),
    ),
    Export(
        estimates.NAME,
        estimates.table,
        label=gettext_lazy("Estimated shares"),
        about=gettext_lazy(
            "One row a share, with its intervals: of each answer, and of each group of the tables. "
            "For a spreadsheet or a plot of your own."
        ),
    ),
)
AFTER_FEATURES = (
    Export(
        weighted.NAME,
        weighted.table,
        exists=weighted.exists,
        label=gettext_lazy("Weighted results"),
        about=gettext_lazy(
            "One row a share or a mean, weighted to the margins that were declared before launch, "
            "with the design effect of the weights."
        ),
    ),
    Export(
        combinations.NAME,
        combinations.table,
        exists=combinations.exists,
        label=gettext_lazy("Combinations of answers"),
        about=gettext_lazy(
            "One row a combination of answers to questions that were sent together: how many "
            "reports have it, and its estimated share with intervals."
        ),
    ),
    Export(
        synthetic.NAME,
        synthetic.table,
        exists=has_crowd,
        of_block=synthetic.of_block,
        most_made_up=MOST_PEOPLE,
        pairs=pairs_in,
        label=gettext_lazy("Synthetic data"),
        about=gettext_lazy(
            "People who were made up, drawn from the estimated distribution of the answers: no row "
            "is anybody's. One column a question that was measured together with all others of the "
            "file; further files are below Compute on the crowd. A cell is the number of the "
            "answer, counted from 0."
        ),
    ),
    Export(
        questions.NAME,
        questions.table,
        released=False,
        label=gettext_lazy("Questions and answers"),
        about=gettext_lazy(
            "What was asked: one row an answer, in the words of all other files, with units, bins, "
            "the epsilon of the question and the declared shares of the population."
        ),
    ),
    Export(
        codes.NAME,
        codes.table,
        released=False,
        label=gettext_lazy("Codebook"),
        about=gettext_lazy(
            "What each code of the reports stands for: one row a code of every device, with its "
            "letter, the answers on it where it is a card, and the real answers that send it most "
            "often; last the cells without a report, with the reason."
        ),
    ),
    Export(
        chances.NAME,
        chances.table,
        released=False,
        label=gettext_lazy("Chances of the reports"),
        about=gettext_lazy(
            "The devices themselves: with which chance each real answer is sent as each report, of "
            "every device and wave."
        ),
    ),
)


def all_exports() -> tuple[Export, ...]:
    """Return every table that some survey has, in the order of the page."""
    return (*BEFORE_FEATURES, *exports_of_features(), *AFTER_FEATURES)


def export_of(name: str) -> Export:
    """Return a table by its name."""
    return next(export for export in all_exports() if export.name == name)


def exports_of_features() -> tuple[Export, ...]:
    return tuple(export for feature in FEATURES.values() for export in feature.exports)


def write_file(
    export: Export,
    file_format: Format,
    launch: Launch,
    file: IO[bytes],
    step: int = 0,
    counted: Callable[[Iterator[Row]], Iterator[Row]] = iter,
) -> None:
    """Write a table into an empty file; its query has ended then, whatever happens.

    `counted`: what looks at the rows as they go by, for instance to say how far it is.

    Raises MovingError where the results lag behind the reports.
    """
    table = _table(export, file_format, launch, step)
    try:
        file_format.write(replace(table, rows=counted(table.rows)), file)
    finally:
        table.close()


def _table(export: Export, file_format: Format, launch: Launch, step: int) -> Table:
    def made(of: Export) -> Table:
        table = of.table if file_format.has_rows else of.columns_alone or of.table
        return in_every_language(table, launch, step, of_people=of.of_people)

    if not file_format.several:
        return made(export)
    beside = partial(made, export_of(export.beside)) if export.beside else None
    return in_company(partial(made, export), beside, launch, step, of_people=export.of_people)
