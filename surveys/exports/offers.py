"""The formats of tables, in the words of those who choose one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from surveys.exports.formats import codebook, csv, dta, parquet, r_script, rds, sav, xlsx
from surveys.exports.table import Format

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Offer:
    """`label`: the program that a format is for, or what it is. `first`: whether it is shown
    before anybody asks for more.
    """

    format: Format
    label: "StrOrPromise"
    first: bool = False

    @property
    def address(self) -> str:
        """What the name of an address ends with."""
        return self.format.ending.replace(".", "-")


# Of dialects of CSV, by their endings.
_DIALECTS: "dict[str, StrOrPromise]" = {
    "csv": "CSV",
    "bom.csv": _("CSV for Excel in English: commas, decimal points"),
    "semicolon-comma-bom.csv": _("CSV for Excel in German: semicolons, decimal commas"),
    "semicolon-bom.csv": _("CSV for Excel in Switzerland: semicolons, decimal points"),
    "semicolon-comma.csv": _("CSV for R's read.csv2: semicolons, decimal commas"),
    "semicolon.csv": _("CSV with semicolons and decimal points, for programs"),
}
_BY_ENDING = {each.ending: each for each in csv.FORMATS}

OFFERS = (
    Offer(xlsx.FORMAT, "Excel", first=True),
    Offer(sav.FORMAT, "SPSS", first=True),
    Offer(dta.FORMAT, "Stata", first=True),
    Offer(rds.FORMAT, "R", first=True),
    *(
        Offer(_BY_ENDING[ending], label, first=ending == "csv")
        for ending, label in _DIALECTS.items()
    ),
    Offer(parquet.FORMAT, _("Parquet, for pandas, polars and DuckDB")),
    Offer(r_script.FORMAT, _("Script in R that labels the CSV")),
    Offer(codebook.FORMAT, _("Types and labels of all columns (JSON)")),
)
# The first is the one that other files and programs are joined to.
FORMATS = (csv.FORMAT, *(offer.format for offer in OFFERS if offer.format is not csv.FORMAT))
