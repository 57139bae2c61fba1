"""A clean environment for each Python of this machine that the library is for.

`python -m tests.package.environments` makes those that are missing, in var/pythons, with pinned
files of NumPy and SciPy and nothing else: the oldest that the library takes for the oldest Python,
those that Candor runs with for the others. Tests install the wheel there, without the network.
"""

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "pythons"
OLDEST = Path(__file__).with_name("oldest.txt")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
# Whether it runs at all, is the version it is called after, and can make an environment.
PROBE = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"


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


def requirements(version: str) -> str:
    """What is installed there, with its hashes."""
    if version == min(pythons()):
        return OLDEST.read_text(encoding="utf-8")
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    return "".join(re.findall(r"^(?:numpy|scipy)==(?:.*\\\n)*.*\n", pinned, re.MULTILINE))


def make(version: str) -> None:
    """Make the environment of a version, if there is none with just that."""
    folder, wanted = FOLDER / version, requirements(version)
    listed = folder / "requirements.txt"
    if listed.is_file() and listed.read_text(encoding="utf-8") == wanted:
        return
    subprocess.run([pythons()[version], "-m", "venv", "--clear", folder], check=True)
    (folder / "wanted.txt").write_text(wanted, encoding="utf-8")
    pip = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", "--require-hashes", "-r", folder / "wanted.txt"], check=True)
    (folder / "wanted.txt").rename(listed)


if __name__ == "__main__":
    for each in pythons():
        make(each)
