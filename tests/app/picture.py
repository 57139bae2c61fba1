"""The picture of docs/architecture.md, drawn from the layers and what each room says of itself.

`make generated` writes it; tests/app/test_generated_docs.py compares it with the repository's.
"""

import ast
import sys
import textwrap
from xml.sax.saxutils import escape

from tests.app.test_architecture import APP_LAYERS, ROOT, SURVEYS

PICTURE = ROOT / "docs" / "architecture.svg"
WIDTH, MARGIN, GAP = 1040, 20, 12
LINE, PADDING, LETTERS = 15, 12, 7.2
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1a1a1a}.name{font-weight:600}"
    "rect{fill:#f4f6f8;stroke:#5b6b7b}.beside{fill:#e8f1ea}"
)
ABOVE = "features/<name>: a folder for each thing that a survey can do, found in a registry"
BELOW = "rr_engine: the statistics, for the rooms that compute; it knows no Django and no survey"


def saying(room: str) -> str:
    """Return the first sentence of a room's docstring."""
    path = SURVEYS / room / "__init__.py"
    path = path if path.is_file() else SURVEYS / f"{room}.py"
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).split(". ")[0].rstrip(".")


def drawing() -> str:
    """Return the picture: who may import from whom, from the top down."""
    wide, bar = WIDTH - 2 * MARGIN, LINE + 2 * PADDING
    parts = _box(MARGIN, MARGIN, wide, bar, ["", ABOVE], "beside")
    top = MARGIN + bar + GAP
    for layer in reversed(APP_LAYERS):
        row, height = _row(layer, top)
        parts += row
        top += height + GAP
    parts += _box(MARGIN, top, wide, bar, ["", BELOW], "beside")
    height = top + bar + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="The rooms of the application in layers: each imports only from below">'
    )
    return "\n".join([head, f"<style>{STYLE}</style>", *parts, "</svg>"]) + "\n"


def _row(layer: set[str], top: int) -> tuple[list[str], int]:
    """Draw a box for each folder of a layer, and one for its modules."""
    folders = sorted(room for room in layer if (SURVEYS / room).is_dir())
    modules = sorted(layer - {*folders})
    shown = {room: saying(room) for room in folders}
    shown |= {"modules": ", ".join(modules)} if modules else {}
    width = (WIDTH - 2 * MARGIN - GAP * (len(shown) - 1)) / len(shown)
    letters = int((width - 2 * PADDING) / LETTERS)
    texts = [[room, *textwrap.wrap(words, letters)] for room, words in shown.items()]
    height = max(map(len, texts)) * LINE + 2 * PADDING
    parts = []
    for place, lines in enumerate(texts):
        parts += _box(MARGIN + place * (width + GAP), top, width, height, lines)
    return parts, height


def _box(
    left: float, top: float, width: float, height: float, lines: list[str], style: str = ""
) -> list[str]:
    name, *rest = lines
    parts = [
        f'<rect class="{style}" x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" rx="4"/>'
    ]
    if name:
        parts.append(_text(left, top + PADDING + LINE - 4, name, "name"))
    for number, line in enumerate(rest, start=1 if name else 0):
        parts.append(_text(left, top + PADDING + (number + 1) * LINE - 4, line))
    return parts


def _text(left: float, baseline: float, words: str, style: str = "") -> str:
    named = f' class="{style}"' if style else ""
    return f'<text{named} x="{left + PADDING:.0f}" y="{baseline:.0f}">{escape(words)}</text>'


def main() -> int:
    PICTURE.write_text(drawing(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
