"""A table of LaTeX with the rules of the booktabs package, to be read into a paper."""

import re
from collections.abc import Iterator

from surveys.exports.table import Cell, Row, Table, Type, text_format

ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "^": r"\textasciicircum{}",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "%": r"\%",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    # A bracket after the end of a row would be read as its option.
    "[": "{[}",
    "]": "{]}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{MINUS SIGN}": "$-$",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
    "\N{EN DASH}": "--",
}
# Signs that no text has a use for, among them the ends of lines.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def pieces(table: Table) -> Iterator[str]:
    columns = "".join("l" if column.type is Type.TEXT else "r" for column in table.columns)
    heads = [column.label for column in table.columns]
    yield f"% {CONTROL.sub(' ', table.name)}: needs \\usepackage{{booktabs}}\n"
    yield "\\begin{table}\n\\centering\n"
    yield f"\\caption{{{escaped(table.label)}}}\n"
    yield f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{_row(heads)}\\midrule\n"
    yield from (_row(row) for row in table.rows)
    yield "\\bottomrule\n\\end{tabular}\n\\end{table}\n"


def escaped(cell: Cell) -> str:
    """A cell that LaTeX sets as it reads, whatever it says."""
    text = CONTROL.sub(" ", "" if cell is None else str(cell))
    return "".join(ESCAPES.get(sign, sign) for sign in text)


def _row(cells: Row) -> str:
    return " & ".join(map(escaped, cells)) + " \\\\\n"


FORMAT = text_format("tex", "application/x-tex", pieces)
