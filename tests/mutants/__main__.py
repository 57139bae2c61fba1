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

# What pytest returns when tests have failed; anything else is no verdict.
FAILED = 1
COPIED = (
    *("config", "rr_engine", "surveys", "static", "templates"),
    *("tests", "scripts", "benchmarks", "docs", "papers"),
)
FILES = ("manage.py", "pyproject.toml", "requirements.txt", "requirements-dev.txt", "Makefile")


def copy_tree(folder: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)


def run_tests(folder: Path, tests: Sequence[str]) -> int:
    """The exit status of pytest over some tests of a copy."""
    # A module that was changed within the clock's last tick must not be taken from its bytecode.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True).returncode


def try_mutant(folder: Path, mutant: Mutant) -> bool:
    """Whether a test noticed it; the copy is as it was afterwards."""
    if mutant.occurrences(folder) != 1:
        sys.exit(f"{mutant.name}: the text to replace does not stand once in {mutant.file}")
    mutant.write(folder)
    try:
        status = run_tests(folder, mutant.tests)
    finally:
        shutil.copy(ROOT / mutant.file, folder / mutant.file)
    if status not in (0, FAILED):
        sys.exit(f"{mutant.name}: pytest ended with {status} and gave no verdict")
    return status == FAILED


def main(words: Sequence[str]) -> int:
    chosen = [m for m in mutants() if not words or any(w == m.room or w in m.name for w in words)]
    with tempfile.TemporaryDirectory(prefix="candor-mutants-") as name:
        folder = Path(name)
        copy_tree(folder)
        if run_tests(folder, sorted({test for mutant in chosen for test in mutant.tests})):
            sys.exit("The tests of the mutants do not pass on the tree as it is.")
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
