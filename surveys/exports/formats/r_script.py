"""A script in R that reads a table's CSV file and labels it, with nothing but R itself.

What it makes is the same data frame as the .rds, except that missing values are plain NA, whose
reasons stand in an attribute.
"""

from collections.abc import Iterable, Iterator

from surveys.exports.formats import limits
from surveys.exports.table import Column, Table, Type, Value, text_format

CLASSES = {Type.INTEGER: "numeric", Type.NUMBER: "numeric", Type.TEXT: "character"}

HEAD = """\
# {label}
# Reads {name}.csv, or ...-{name}.csv as it is downloaded, from this folder, or the file named:
# Rscript {name}.R path/to/{name}.csv
# Afterwards `data` has labels as attributes ("label", and "labels" for codes); cells without a
# value are NA, and why is the attribute "missing": a code for each row that has one.
path <- commandArgs(trailingOnly = TRUE)
if (length(path) != 1) path <- Sys.glob(c("{name}.csv", "*-{name}.csv"))
if (length(path) == 0) stop("There is no {name}.csv in this folder: ", getwd())
if (length(path) > 1) stop("Name one of these: ", paste(path, collapse = ", "))
data <- read.csv(
  path, encoding = "UTF-8", check.names = FALSE, na.strings = "", stringsAsFactors = FALSE,
  colClasses = c({classes})
)
describe <- function(column, label, labels = NULL, missing = NULL) {{
  reasons <- missing[match(column, missing)]
  column[column %in% missing] <- NA
  attr(column, "label") <- label
  attr(column, "labels") <- labels
  if (any(!is.na(reasons))) attr(column, "missing") <- reasons
  column
}}
"""


def pieces(table: Table) -> Iterator[str]:
    classes = ", ".join(_text(CLASSES[column.type]) for column in table.columns)
    words = " ".join(table.label.split())
    yield HEAD.format(label=words, name=table.name, classes=classes)
    for place, column in enumerate(table.columns, start=1):
        told = [_text(column.label)]
        for name, values in (("labels", column.values), ("missing", column.missing)):
            if codes := _codes(column, values):
                told.append(f"{name} = {codes}")
        if reason := limits.empty_reason(column):
            yield f"# {_line(column.name)}: an empty cell means: {_line(reason)}\n"
        yield f"data[[{place}]] <- describe(data[[{place}]], {', '.join(told)})\n"
    yield "str(data)\n"


def _codes(column: Column, values: Iterable[Value]) -> str:
    """The vector of codes, of which the names are labels."""
    is_text = column.type is Type.TEXT
    pairs = [
        f"{_text(value.label)} = {_text(value.code) if isinstance(value.code, str) else value.code}"
        for value in values
        if value.code is not None and isinstance(value.code, str) == is_text
    ]
    return f"c({', '.join(pairs)})" if pairs else ""


def _line(text: str) -> str:
    return " ".join(text.split())


def _text(text: str) -> str:
    """A text of R in ASCII, which reads alike wherever a script is run."""
    return '"' + "".join(map(_sign, text)) + '"'


def _sign(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    if " " <= sign <= "~":
        return sign
    return f"\\U{ord(sign):08X}" if ord(sign) > 0xFFFF else f"\\u{ord(sign):04X}"


FORMAT = text_format("R", "text/plain", pieces, has_rows=False)
