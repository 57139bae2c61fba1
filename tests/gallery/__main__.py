"""`python -m tests.gallery FOLDER`: every page in every state, and a page that shows the pictures.

Two runs over one tree take the same pictures, and give them the same names: of galleries before and
after a change, `--compare` marks what it has changed.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.browser.support import ROOT
from tests.gallery.index import NAME, write_index

WALKED = "tests/gallery/walked.py"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write; what a gallery has left goes")
    parser.add_argument("--documented", action="store_true", help="the guides' pictures alone")
    parser.add_argument("--only", default="", help="part of a walk, of walk/state, or of a state")
    parser.add_argument("--language", default="en", choices=["en", "de"])
    parser.add_argument("--compare", type=Path, help="an older gallery")
    chosen = parser.parse_args()
    if chosen.compare and not (chosen.compare / NAME).is_file():
        parser.error(f"{chosen.compare} is no gallery")
    if chosen.documented:
        return int(walk(chosen.folder.resolve(), "", "en", "--gallery-documented"))
    if not emptied(chosen.folder):
        parser.error(f"{chosen.folder} has other things in it than a gallery")
    failed = walk(chosen.folder.resolve(), chosen.only, chosen.language)
    found = write_index(chosen.folder, older=chosen.compare, part=bool(chosen.only))
    sys.stdout.write(f"{found}\nOpen {chosen.folder / NAME}\n")
    return int(failed)


def emptied(folder: Path) -> bool:
    """Empty the folder of an older gallery, or make one; False where it is something else."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / NAME).is_file():
            return False
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # At once, so that a run that was interrupted has left a gallery.
    (folder / NAME).touch()
    return True


def walk(folder: Path, only: str, language: str, *options: str) -> bool:
    """Walk every walk; whether one has failed."""
    os.chdir(ROOT)
    spread = ["--numprocesses", "logical", "--maxprocesses", "4", "--dist", "worksteal"]
    given = [f"--gallery={folder}", f"--gallery-only={only}", f"--gallery-language={language}"]
    shown = ["-q", "--tb=short", "--show-capture=no", "-p", "no:cacheprovider", *options]
    return pytest.main(["-p", "tests.gallery.plugin", *spread, *shown, *given, WALKED]) != 0


if __name__ == "__main__":
    sys.exit(main())
