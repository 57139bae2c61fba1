"""The tables of settings in docs/operating.md; `make generated` writes them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from config.environment.environment import GROUPS
from config.environment.variable import FILE, Variable, variables_of

PAGE = Path(__file__).parents[2] / "docs" / "operating.md"
BEGIN, END = "<!-- settings: made by `make generated` -->", "<!-- end of settings -->"


def tables() -> str:
    """Return a table for each group, in Markdown."""
    lines = [line for group in GROUPS for line in _table(group)]
    return "\n".join([BEGIN, "", *lines, END])


def _table(group: type) -> Iterator[str]:
    yield f"**{group.__doc__}.**"
    yield ""
    yield "| variable | value | default | what it is |"
    yield "| --- | --- | --- | --- |"
    for variable in variables_of(group).values():
        cells = [_names(variable), variable.rule, _default(variable), variable.text]
        yield f"| {' | '.join(cells)} |"
    yield ""


def _names(variable: Variable[Any]) -> str:
    return f"`{variable.name}`" + (f", `{variable.name}{FILE}`" if variable.secret else "")


def _default(variable: Variable[Any]) -> str:
    plain = variable.default if isinstance(variable.default, str) else ""
    default = variable.default_words or (f"`{plain}`" if plain else "empty")
    if variable.under_make_run:
        return f"{default}; `make run` sets `{variable.under_make_run}`"
    return (
        f"{default}; `make run` {variable.make_run_words}" if variable.make_run_words else default
    )


def with_tables(text: str) -> str:
    """Return the text of the page with the tables in their place."""
    before, rest = text.split(BEGIN)
    return before + tables() + rest.split(END)[1]


def main() -> int:
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
