"""What the tests in a browser take for granted of the style sheets."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

STYLES = sorted((Path(__file__).resolve().parents[2] / "static/css").rglob("*.css"))
_OF_A_SIZE = re.compile(r"@media[^{]*\((?:min|max)-(?:width|height)[^{]*\{")
_COLOUR = re.compile(r"(?<![\w-])(?:color|background|opacity|filter)(?:-\w+)?\s*:")


def blocks_for_a_size(sheet: str) -> Iterator[str]:
    """The rules that hold in windows of some sizes only."""
    for start in _OF_A_SIZE.finditer(sheet):
        depth, end = 1, start.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(sheet[end], 0)
            end += 1
        yield sheet[start.end() : end]


def test_colours_for_a_size_are_found():
    sheet = (
        "a { color: red; }\n@media (max-width: 9em) {\n  a { margin: 0; }\n  b { color: red; }\n}"
    )
    (block,) = blocks_for_a_size(sheet)
    assert _COLOUR.search(block)
    assert not _COLOUR.search("a { margin: 0; --color-x: 1; border-color: red; }")


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_no_window_has_colours_of_its_own(path):
    """Contrast is looked at in one size (tests/browser/axe.py), so it must be the same in all."""
    for block in blocks_for_a_size(path.read_text()):
        assert not _COLOUR.search(block), block
