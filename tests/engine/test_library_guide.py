"""The programs of the guide and of optimal designs print what their page says; tables hold."""

import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.engine.public import MODULES, PUBLIC

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("guide/library.md", "guide/data-frames.md", "methods/optimal.md")
TEXT = "\n".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in PAGES)
BLOCKS = dict(re.findall(r"^```(?:python|text) (\S+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
PROGRAMS = [name for name in BLOCKS if not name.endswith("-output")]


def test_every_task_of_the_guide_has_its_program():
    assert {"crosswise", "covariates", "list", "anchor", "budget"} <= set(PROGRAMS)
    assert {"forced", "strata", "table", "power", "cards", "front", "bound"} <= set(PROGRAMS)


def rows_below(heading):
    text = (ROOT / "docs/guide/library.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_the_table_of_names_has_each_in_the_row_of_its_module():
    rows = {row[0].strip("`"): row for row in rows_below("All names by task")}
    assert rows.keys() == {module.__name__ for module in MODULES}
    for module in MODULES:
        listed = re.findall(r"`(\w+)`", " ".join(rows[module.__name__][1:3]))
        assert sorted(listed) == sorted(module.__all__), module.__name__


def test_what_stands_for_a_function_of_r_is_public():
    rows = rows_below("From R")
    packages = {theirs.split(":")[0] for theirs, _ in rows}
    assert packages == {"RRreg", "rr", "list", "cWise", "RRTCS", "GLMMRR", "rrLogit"}
    methods = {"matrix"}
    ours = {name for _, cell in rows for name in re.findall(r"`(\w+)`", cell)} - methods
    assert len(ours) > 40
    assert ours <= PUBLIC.keys()


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
