"""Suites that have passed as they are, and need not run again before something about them changes.

`make verified` runs each suite whole and, where it passes, writes the digest of all that it depends
on into `tests/verified.json`. `make test` asks `python -m tests.verified SUITE` what to run of it:
while the digest is still that one, only what depends on the machine or reads more than the suite
declares here; else, and in a thorough run, all of it. `python -m tests.verified --without SUITE`
says the same of a suite whose tests run among others, as what these are to ignore.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.package.environments import pythons
from tests.thorough import THOROUGH

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests" / "verified.json"
# Not of the sources: what Python and its tools leave beside them.
LEFT = {"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"}


@dataclass(frozen=True)
class Suite:
    """Tests, files and folders that they read, and those of the tests that run every time.

    `pythons`: whether they run on each Python of the machine. `options`: of pytest, after those of
    `make verified`.
    """

    tests: tuple[str, ...]
    reads: tuple[str, ...]
    always: tuple[str, ...] = ()
    pythons: bool = False
    options: tuple[str, ...] = ()

    def files(self) -> Iterator[Path]:
        """Every file that it depends on, in one order."""
        for name in sorted({*self.tests, *self.reads}):
            path = ROOT / name
            found = sorted(path.rglob("*")) if path.is_dir() else [path]
            yield from (each for each in found if each.is_file() and not LEFT & set(each.parts))

    def has(self, path: Path) -> bool:
        """Whether the suite says that it depends on this file."""
        return any(path.is_relative_to(ROOT / name) for name in (*self.tests, *self.reads))

    def digest(self) -> str:
        """SHA-256 of names and contents, and of Python's version or of every Python's."""
        read = hashlib.sha256(repr(sys.version_info[:2]).encode())
        if self.pythons:
            read.update("".join(versions()).encode())
        for path in self.files():
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            read.update(f"\n{path.relative_to(ROOT).as_posix()} {content}".encode())
        return read.hexdigest()


def versions() -> list[str]:
    """What each Python of the machine says that it is, to the last number."""
    found = pythons().values()
    return [subprocess.check_output([each, "--version"], text=True) for each in found]


# Of the device as a browser draws with it.
VECTORS = ("bloom_filters", "bloom_reports", "device_draws", "relaxations", "uniform_below")
VECTORS_MADE = ("case_lines", "make_bloom_vectors", "make_device_vectors", "make_wire_vectors")
# Of every test, and what it imports.
CONFTEST = ("tests/conftest.py", "tests/quicker_django.py")

SUITES = {
    "engine": Suite(
        tests=("tests/papers", "tests/engine"),
        reads=(
            *("rr_engine", "papers", "static/js/rr", "docs/methods"),
            *("docs/guide/library.md", "docs/guide/data-frames.md"),
            *("tests/work.py", "tests/thorough.py", *CONFTEST),
            *(f"tests/vectors/{name}.py" for name in VECTORS_MADE),
            *(f"tests/vectors/{name}.json" for name in VECTORS),
            *("pyproject.toml", "requirements.txt", "requirements-dev.txt"),
        ),
        always=(
            # The last digits of optimal designs differ with the kernel of the linear algebra.
            "tests/engine/test_bounds.py",
            "tests/engine/test_both_bounds.py",
            "tests/engine/test_clusters.py",
            "tests/engine/test_exact.py",
            "tests/engine/test_front.py",
            "tests/engine/test_mechanisms.py",
            "tests/engine/test_proved_margins.py",
            # Read more than the suite does.
            "tests/engine/test_check.py",
            "tests/engine/test_kernels.py",
        ),
    ),
    # Its examples run once more on each Python, with the oldest that it promises to take.
    "wheel": Suite(
        tests=("tests/package/test_wheel.py",),
        reads=(
            *("rr_engine", "LICENSE", "pyproject.toml", ".gitignore"),
            *("requirements.txt", "requirements-dev.txt", *CONFTEST),
            *(f"tests/package/{name}" for name in ("environments.py", "oldest.in", "oldest.txt")),
        ),
        pythons=True,
        # As in `make test`: they install into the same environments.
        options=("--dist", "loadgroup"),
    ),
}


def recorded() -> dict[str, str]:
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def to_run(name: str, *, thorough: bool = THOROUGH) -> tuple[str, ...]:
    """Return the tests of a suite that have to run."""
    suite = SUITES[name]
    if thorough or recorded().get(name) != suite.digest():
        return suite.tests
    return suite.always


def left_out(name: str, *, thorough: bool = THOROUGH) -> tuple[str, ...]:
    """Return the tests that need not run, of a suite of which none runs every time."""
    return () if to_run(name, thorough=thorough) else SUITES[name].tests


def verify(name: str) -> int:
    """Run a suite whole, as `make verified` does, and record it; returns what pytest returned."""
    suite = SUITES[name]
    digest = suite.digest()
    command = [sys.executable, "-m", "pytest", "-p", "tests.opened", *sys.argv[2:]]
    command += [*suite.options, *suite.tests]
    failed = subprocess.run(command, cwd=ROOT, env={**os.environ, "SUITE": name}, check=False)
    if failed.returncode == 0:
        assert suite.digest() == digest, "something has changed meanwhile"
        record = json.dumps({**recorded(), name: digest}, indent=2, sort_keys=True)
        RECORD.write_text(f"{record}\n", encoding="utf-8")
    return failed.returncode


def main() -> int:
    if sys.argv[1] == "--record":
        return max(verify(name) for name in SUITES)
    if sys.argv[1] == "--without":
        sys.stdout.write(" ".join(f"--ignore {each}" for each in left_out(sys.argv[2])))
        return 0
    tests = to_run(sys.argv[1])
    if tests != SUITES[sys.argv[1]].tests:
        left = " and ".join(SUITES[sys.argv[1]].tests)
        sys.stderr.write(f"Of {left}, which have passed as they are, the part that must run.\n")
    sys.stdout.write(" ".join(tests))
    return 0


if __name__ == "__main__":
    sys.exit(main())
