"""A clean environment for each Python of this machine, for each distribution that is made here.

`python -m tests.package.environments` makes those that are missing, in var/pythons, with pinned
files of what the distribution needs and nothing else: the oldest that it takes for the oldest
Python, those that Candor runs or is tested with for the others. Tests install the wheels there,
without the network.
"""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "pythons"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
# Whether it runs at all, is the version it is called after, and can make an environment.
PROBE = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"


@dataclass(frozen=True, slots=True)
class Distribution:
    """What is installed by itself. `needs`: all that it needs, by name; `pins`: where they are."""

    name: str
    needs: tuple[str, ...]
    pins: Path
    oldest: Path

    def folder(self, version: str) -> Path:
        """The environment for a version of Python."""
        return FOLDER / self.name / version

    def python(self, version: str) -> Path:
        """Its interpreter; raises AssertionError where there is none yet."""
        path = self.folder(version) / "bin" / "python"
        assert path.exists(), "python -m tests.package.environments makes it, as `make test` does"
        return path

    def requirements(self, version: str) -> str:
        """What is installed there, with its hashes."""
        if version == min(pythons()):
            return self.oldest.read_text(encoding="utf-8")
        pinned = self.pins.read_text(encoding="utf-8")
        names = "|".join(self.needs)
        return "".join(re.findall(rf"^(?:{names})==(?:.*\\\n)*.*\n", pinned, re.MULTILINE))


ENGINE = Distribution(
    "rr-engine",
    ("numpy", "scipy"),
    ROOT / "requirements.txt",
    Path(__file__).with_name("oldest.txt"),
)
CLIENT = Distribution(
    "candor-client",
    (
        "anyio", "certifi", "cffi", "cryptography", "h11", "httpcore", "httpx", "idna", "msgspec",
        "pycparser", "typing-extensions",
    ),
    ROOT / "requirements-dev.txt",
    Path(__file__).with_name("oldest-client.txt"),
)  # fmt: skip


@cache
def pythons() -> dict[str, Path]:
    """The interpreters of this machine, by version; that of these tests is one of them."""
    return {version: found for version in VERSIONS if (found := _find(version))}


def _find(version: str) -> Path | None:
    named = shutil.which(f"python{version}")
    candidates = [
        Path(sys.base_prefix) / "bin" / f"python{version}",
        *sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"), reverse=True),
        *([Path(named)] if named else []),
    ]
    return next((path for path in candidates if _is(path, version)), None)


def _is(path: Path, version: str) -> bool:
    if not path.exists():
        return False
    run = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, check=False)
    return run.stdout.strip() == version


def build(source: Path, folder: Path) -> Path:
    """Make the wheel and the source distribution of a folder, without the network."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def pip(python: Path) -> list[str | Path]:
    """The installer of an environment."""
    return [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]


def install(python: Path, distribution: Distribution, wheel: Path) -> None:
    """Install a wheel in place of any before it, with nothing from the network."""
    gone = ["uninstall", "--yes", distribution.name]
    subprocess.run([*pip(python), *gone], check=True, capture_output=True)
    subprocess.run([*pip(python), "install", "--no-index", wheel], check=True)


def make(distribution: Distribution, version: str) -> None:
    """Make the environment of a version, if there is none with just that."""
    folder, wanted = distribution.folder(version), distribution.requirements(version)
    listed = folder / "requirements.txt"
    if listed.is_file() and listed.read_text(encoding="utf-8") == wanted:
        return
    subprocess.run([pythons()[version], "-m", "venv", "--clear", folder], check=True)
    (folder / "wanted.txt").write_text(wanted, encoding="utf-8")
    installer = pip(folder / "bin" / "python")
    hashed = ["install", "--require-hashes", "-r", folder / "wanted.txt"]
    subprocess.run([*installer, *hashed], check=True)
    (folder / "wanted.txt").rename(listed)


if __name__ == "__main__":
    for each in (ENGINE, CLIENT):
        for found in pythons():
            make(each, found)
