"""The table of what does not go together, as protocol and guide print it and the browser reads it.

`make generated` writes it from the traits of features (surveys/features/traits.py).
"""

import sys

import django

from surveys.features import FEATURES
from surveys.features.traits import CLASHES
from tests.app.test_architecture import ROOT

PAGES = (ROOT / "docs" / "protocol.md", ROOT / "docs" / "guide" / "authors.md")
SCRIPT = ROOT / "static" / "js" / "rr" / "clashes.js"
BEGIN, END = "<!-- clashes: made by `make generated` -->", "<!-- end of clashes -->"


def table() -> str:
    """Return the table in Markdown."""
    rows = [
        f"| {clash.one} | {' '.join(filter(None, [clash.other, clash.within]))} | {clash.reason} |"
        for clash in CLASHES
    ]
    head = [
        "| A survey in which ... | and in which ... | cannot be, because |",
        "| --- | --- | --- |",
    ]
    return "\n".join([BEGIN, "", *head, *rows, "", END])


def with_table(text: str) -> str:
    """Return the text of a page with the table in its place."""
    before, rest = text.split(BEGIN)
    return before + table() + rest.split(END)[1]


def script() -> str:
    """Return the module in which the browser finds which features clash with which later ones."""
    lines = []
    for place, one in enumerate(FEATURES.values()):
        others = [
            other.name
            for other in list(FEATURES.values())[place + 1 :]
            if (clash := one.clash_with(other)) is not None and not clash.within
        ]
        if others:
            lines.append(f'  {one.name}: "{" ".join(others)}",')
    head = "/** Features that do not go together; `make generated` writes it from their traits. */"
    return "\n".join([head, "", "export const CLASHES = {", *lines, "};", ""])


def main() -> int:
    django.setup()
    SCRIPT.write_text(script(), encoding="utf-8")
    for page in PAGES:
        page.write_text(with_table(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
