"""The commands of the guide to the command line, block by block, as its readers type them."""

import re
import shlex
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "client.md"
TEXT = GUIDE.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<kind>\w+) (?P<name>client-[a-z-]+)\n(?P<text>.*?)^```$", re.M | re.S)
BLOCKS = {found["name"]: found["text"] for found in BLOCK.finditer(TEXT)}
COMMANDS = {
    found["name"]: [shlex.split(line)[1:] for line in found["text"].splitlines()]
    for found in BLOCK.finditer(TEXT)
    if found["kind"] == "sh" and found["text"].startswith("candor ")
}
