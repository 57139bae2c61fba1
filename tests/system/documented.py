"""The commands that operators are told to type, by the names of the blocks of their pages."""

import re
import shlex
from functools import cache
from pathlib import Path

from tests.system.answering_process import ROOT

_BLOCK = re.compile(r"^```(?:sh|sql) ([a-z-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


PAGES = ("operating.md", "operating/backups.md")


@cache
def blocks(code: Path = ROOT) -> dict[str, str]:
    """Those of the pages that come with this code; of 0.1.0 there is one."""
    pages = [path for path in (code / "docs" / page for page in PAGES) if path.exists()]
    found = [block for page in pages for block in _BLOCK.findall(page.read_text(encoding="utf-8"))]
    assert len(dict(found)) == len(found)
    return dict(found)


def program_of(name: str, code: Path = ROOT) -> str:
    """A block of one line, run in the place of its shell, so that a signal reaches it."""
    (line,) = blocks(code)[name].splitlines()
    settings = " ".join(word for word in line.split() if word in assignments(line))
    return f"export {settings}; exec {line.removeprefix(settings)}" if settings else f"exec {line}"


def assignments(line: str) -> list[str]:
    """The settings before a command, each as NAME=value."""
    words = shlex.split(line.replace("\\\n", " "))
    return [word for word in words if re.match(r"[A-Z_]+=", word)]
