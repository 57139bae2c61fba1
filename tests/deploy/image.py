"""What the image has, as the Dockerfile says it: there is no daemon that would build it."""

import re
import shutil
from pathlib import Path

from tests.deploy.support import DEPLOY, ROOT


def dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def seen() -> list[str]:
    """What the stage that builds copies from the repository."""
    build = dockerfile().split("\nFROM ")[1]
    lines = re.findall(r"^COPY (.+) \S+$", build, re.MULTILINE)
    return [name.rstrip("/") for line in lines for name in line.split()]


def kept() -> list[str]:
    """What of this is in the image."""
    removed = re.findall(r"&& rm -r (.+)$", dockerfile(), re.MULTILINE)[0].split()
    return [name for name in seen() if name.split("/")[0] not in removed]


def copy_of_the_image(folder: Path) -> None:
    """With what is compiled already: the image has its modules compiled, too."""
    for name in kept():
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, folder / name)
