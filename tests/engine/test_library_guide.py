"""The programs of the library's guide, and of optimal designs, print what their page says."""

import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("guide/library.md", "guide/data-frames.md", "methods/optimal.md")
TEXT = "\n".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in PAGES)
BLOCKS = dict(re.findall(r"^```(?:python|text) (\S+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
PROGRAMS = [name for name in BLOCKS if not name.endswith("-output")]


def test_every_task_of_the_guide_has_its_program():
    assert {"forced", "strata", "table", "power", "cards", "front", "bound"} <= set(PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_prints_what_the_page_says(name):
    printed = StringIO()
    with redirect_stdout(printed):
        exec(BLOCKS[name], {"__name__": "__main__"})
    assert printed.getvalue() == BLOCKS[f"{name}-output"]


@pytest.mark.slow
def test_a_program_runs_alone_without_a_warning():
    # The others differ from it in what they call, not in how they start.
    command = [sys.executable, "-W", "error", "-c", BLOCKS["forced"]]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == (BLOCKS["forced-output"], "")


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_is_short(name):
    # Imports and blank lines aside: what a researcher has to think about.
    lines = [line for line in BLOCKS[name].splitlines() if line and not line.startswith("from ")]
    assert len(lines) <= 5
