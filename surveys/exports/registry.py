"""The tables that can be downloaded, and their formats.

A new format is a module in `formats` and its name in FORMATS: every table of data is then offered
in it. A new table is a module in `tables` and a line in `all_exports`, or of a feature.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO

from surveys.exports.formats import codebook, csv
from surveys.exports.languages import in_every_language
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
from surveys.results.crowd.distribution import has_crowd

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

FORMATS = (csv.FORMAT, codebook.FORMAT)


@dataclass(frozen=True, slots=True)
class Export:
    """`table` takes a launch and a step. `released`: it depends on responses, so it requires a
    release. `exists`: whether a survey with these parameters has such a table. `of_people`: a row
    is what somebody has sent. `of_block`: the table of one of several blocks of questions, by its
    number from 1. `label`, `codebook_label`, `about`: what the page of results says of a feature's
    table, of its codebook, and of both.
    """

    name: str
    table: Callable[[Launch, int], Table]
    formats: tuple[Format, ...] = FORMATS
    released: bool = True
    exists: Callable[[Parameters], bool] = lambda _: True
    of_people: bool = False
    of_block: Callable[[Launch, int, int], Table] | None = None
    label: "StrOrPromise" = ""
    codebook_label: "StrOrPromise" = ""
    about: "StrOrPromise" = ""

    @property
    def address(self) -> str:
        """The name of the address of its first format."""
        return f"{self.name}-{self.formats[0].ending}"

    @property
    def codebook_address(self) -> str:
        return f"{self.name}-{codebook.FORMAT.ending.replace('.', '-')}"

    def block(self, number: int) -> "Export":
        """The export of one block; the first has the name of all, and the others a number."""
        of_block = self.of_block
        if of_block is None or number == 1:
            return self

        def table(launch: Launch, step: int) -> Table:
            return of_block(launch, step, number)

        return replace(self, name=f"{self.name}-block-{number}", table=table)


BEFORE_FEATURES = (
    Export(reports.NAME, reports.table, of_people=True),
    Export(estimates.NAME, estimates.table),
)
AFTER_FEATURES = (
    Export(weighted.NAME, weighted.table, exists=weighted.exists),
    Export(combinations.NAME, combinations.table, exists=combinations.exists),
    Export(synthetic.NAME, synthetic.table, exists=has_crowd, of_block=synthetic.of_block),
    Export(codes.NAME, codes.table, formats=(csv.FORMAT,), released=False),
    Export(chances.NAME, chances.table, formats=(csv.FORMAT,), released=False),
    Export(questions.NAME, questions.table, formats=(csv.FORMAT,), released=False),
)


def all_exports() -> tuple[Export, ...]:
    """Return every table that some survey has, in the order of the page."""
    return (*BEFORE_FEATURES, *exports_of_features(), *AFTER_FEATURES)


def exports_of_features() -> tuple[Export, ...]:
    return tuple(export for feature in FEATURES.values() for export in feature.exports)


def write_file(
    export: Export,
    file_format: Format,
    launch: Launch,
    file: BinaryIO,
    step: int = 0,
    counted: Callable[[Iterator[Row]], Iterator[Row]] = iter,
) -> None:
    """Write a table into an empty file; its query has ended then, whatever happens.

    `counted`: what looks at the rows as they go by, for instance to say how far it is.

    Raises MovingError where the results lag behind the reports.
    """
    table = in_every_language(export.table, launch, step, of_people=export.of_people)
    try:
        file_format.write(replace(table, rows=counted(table.rows)), file)
    finally:
        table.close()
