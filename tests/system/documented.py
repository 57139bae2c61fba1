"""The commands that docs/operating.md tells the operator to type, by the names of its blocks."""

import re
import shlex
from functools import cache
from pathlib import Path

from tests.system.answering_process import ROOT

_BLOCK = re.compile(r"^```(?:sh|sql) ([a-z-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@cache
def blocks(code: Path = ROOT) -> dict[str, str]:
    """Those of the page that comes with this code."""
    page = (code / "docs" / "operating.md").read_text(encoding="utf-8")
    return dict(_BLOCK.findall(page))


def program_of(name: str, code: Path = ROOT) -> str:
    """A block of one line, run in the place of its shell, so that a signal reaches it."""
    (line,) = blocks(code)[name].splitlines()
    settings = " ".join(word for word in line.split() if word in assignments(line))
    return f"export {settings}; exec {line.removeprefix(settings)}" if settings else f"exec {line}"


def assignments(line: str) -> list[str]:
    """The settings before a command, each as NAME=value."""
    words = shlex.split(line.replace("\\\n", " "))
    return [word for word in words if re.match(r"[A-Z_]+=", word)]
