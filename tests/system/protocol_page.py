"""docs/protocol.md as the tests read it: its text, its examples and its tables."""

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(\w+) (\w.*?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLES = {name: json.loads(text) for kind, name, text in FENCES if kind == "json"}
PARAMETERS = EXAMPLES["parameters"]


def bytes_of(text: str) -> Callable[[int], bytes]:
    """A source of these bytes, in hexadecimal digits, which is short when they are used up."""
    source = iter(bytes.fromhex(text))
    return lambda size: bytes(itertools.islice(source, size))


def cells_below(words: str) -> list[list[str]]:
    """The rows of the first table after these words, without its head."""
    assert PAGE.count(words) == 1, words
    _, _, rest = PAGE.partition(words)
    table = re.search(r"^(\|.*\n)+", rest, re.MULTILINE)
    assert table, words
    rows = table.group().splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def keys_below(words: str) -> set[str]:
    """Return what the first column of that table names."""
    return {key for row in cells_below(words) for key in re.findall(r"`(\w+)`", row[0])}
