"""The table of what does not go together, as protocol and guide print it.

`make generated` writes it from the traits of features (surveys/features/traits.py).
"""

import sys

from surveys.features.traits import CLASHES
from tests.app.test_architecture import ROOT

PAGES = (ROOT / "docs" / "protocol.md", ROOT / "docs" / "guide" / "authors.md")
BEGIN, END = "<!-- clashes: made by `make generated` -->", "<!-- end of clashes -->"


def table() -> str:
    """Return the table in Markdown."""
    rows = [f"| {clash.one} | {clash.other} | {clash.reason} |" for clash in CLASHES]
    head = [
        "| A survey in which ... | and in which ... | cannot be, because |",
        "| --- | --- | --- |",
    ]
    return "\n".join([BEGIN, "", *head, *rows, "", END])


def with_table(text: str) -> str:
    """Return the text of a page with the table in its place."""
    before, rest = text.split(BEGIN)
    return before + table() + rest.split(END)[1]


def main() -> int:
    for page in PAGES:
        page.write_text(with_table(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
