"""The runs of `make bench`, and what it says of a target."""

import ast
import mmap
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest

from benchmarks import parts
from benchmarks.__main__ import select_parts, verdicts
from benchmarks.costs import MEGABYTE, anonymous_bytes
from benchmarks.effort import FULL, QUICK
from benchmarks.parts import Part

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted(path for name in ("benchmarks", "papers") for path in (ROOT / name).glob("*.py"))
OURS = {"benchmarks", "config", "papers", "rr_engine", "surveys", "tests"}
ALL = (*parts.ALONE, *parts.ON_A_STACK, *parts.ON_A_DATABASE)


def test_every_part_has_a_name_of_its_own():
    names = [part.name for part in ALL]
    assert len(set(names)) == len(names)


def test_the_full_run_has_everything_and_the_short_one_what_is_short():
    assert select_parts(ALL, FULL, set()) == list(ALL)
    short = select_parts(ALL, QUICK, set())
    assert [part for part in ALL if part not in short] == [part for part in ALL if part.full_only]


def test_a_named_part_runs_however_long_it_is():
    long = next(part for part in ALL if part.full_only)
    assert select_parts(ALL, QUICK, {long.name, "sqlite"}) == [long]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_all_that_a_program_imports_of_ours_exists(path):
    """Those in functions too, at which it would stop after minutes; peers may be missing here."""
    imports = [node for node in ast.walk(ast.parse(path.read_text())) if _is_ours(node)]
    for node in imports:
        for alias in node.names:
            try:
                resolve_name(f"{node.module}:{alias.name}")
            except AttributeError:
                resolve_name(f"{node.module}.{alias.name}")


def _is_ours(node):
    return isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] in OURS


@pytest.mark.parametrize(("value", "verdict"), [(0.6, "met"), (0.59, "MISSED")])
def test_a_target_is_met_or_missed(value, verdict):
    part = Part("submit", dict, {"ratio": (">=", 0.6), "b.p95": ("<", 3)})
    rows = {"a": {"ratio": value, "p95": 5.0}, "b": {"p95": 5.0}}
    first, second = verdicts(part, rows)
    assert first.split() == [verdict, "submit,", "a:", "ratio", f"{value:g}", ">=", "0.6"]
    assert second.startswith("MISSED")
    assert "b: p95" in second


def test_memory_is_that_of_the_process_without_files_and_parents(tmp_path):
    size, page = 64 * MEGABYTE, mmap.PAGESIZE
    before = anonymous_bytes()
    path = tmp_path / "file"
    path.write_bytes(bytes(page))
    with path.open("r+b") as file:
        file.truncate(size)
        with mmap.mmap(file.fileno(), size, prot=mmap.PROT_READ) as mapped:
            assert sum(mapped[start] for start in range(0, size, page)) == 0
            assert anonymous_bytes() - before < size / 4
    held = bytearray(b"x") * size
    assert anonymous_bytes() - before > 0.9 * size
    program = "from benchmarks.costs import anonymous_bytes; print(anonymous_bytes())"
    child = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert int(child.stdout) < size / 2
    assert len(held) == size
