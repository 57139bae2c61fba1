"""`python -m tests.mutants [WORD ...]`: break one rule after the other in a copy of the tree.

Each mutant is caught if one of its tests fails; the same tests pass on the tree as it is, which is
tried first. WORDS name rooms, or occur in the names of mutants; without them all are tried.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.listed import ROOT, Mutant, mutants

# The code that pytest returns when tests have failed; anything else is no verdict.
FAILED = 1
# Lines of a run that are shown where it was to pass.
SHOWN = 20
COPIED = (
    *("client", "config", "rr_engine", "surveys", "static", "templates"),
    *("tests", "scripts", "benchmarks", "docs", "papers"),
)
FILES = ("manage.py", "pyproject.toml", "requirements.txt", "requirements-dev.txt", "Makefile")


def copy_tree(folder: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in FILES:
        shutil.copy2(ROOT / name, folder / name)


def run_tests(
    folder: Path, tests: Sequence[str], *, compiled: bool = False
) -> subprocess.CompletedProcess[str]:
    """A run of pytest over some tests of a copy.

    `compiled`: whether the modules of the copy are kept as bytecode, which later runs read.
    """
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    environment["PYTHONDONTWRITEBYTECODE"] = "" if compiled else "1"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def try_mutant(folder: Path, mutant: Mutant) -> bool:
    """Whether a test noticed it; the copy is as it was afterwards."""
    if mutant.occurrences(folder) != 1:
        sys.exit(f"{mutant.name}: the text to replace does not stand once in {mutant.file}")
    mutant.write(folder)
    try:
        run = run_tests(folder, mutant.tests)
    finally:
        # With its time, by which the bytecode of the first run is known to be that of the file.
        shutil.copy2(ROOT / mutant.file, folder / mutant.file)
    if run.returncode not in (0, FAILED):
        sys.exit(f"{mutant.name}: pytest gave no verdict.\n{last_lines(run)}")
    return run.returncode == FAILED


def last_lines(run: subprocess.CompletedProcess[str]) -> str:
    return "\n".join((run.stdout + run.stderr).splitlines()[-SHOWN:])


def main(words: Sequence[str]) -> int:
    chosen = [m for m in mutants() if not words or any(w == m.room or w in m.name for w in words)]
    with tempfile.TemporaryDirectory(prefix="candor-mutants-") as name:
        folder = Path(name)
        copy_tree(folder)
        tests = sorted({test for mutant in chosen for test in mutant.tests})
        run = run_tests(folder, tests, compiled=True)
        if run.returncode:
            sys.exit(f"The tests do not pass on the tree as it is.\n{last_lines(run)}")
        survivors = []
        for mutant in chosen:
            caught = try_mutant(folder, mutant)
            sys.stdout.write(
                f"{'caught  ' if caught else 'SURVIVED'} {mutant.room}: {mutant.name}\n"
            )
            sys.stdout.flush()
            if not caught:
                survivors.append(mutant)
    sys.stdout.write(f"{len(chosen) - len(survivors)} of {len(chosen)} mutants caught\n")
    return int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
