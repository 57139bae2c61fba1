"""The page of a gallery: all pictures of a state side by side, and what an older gallery has else.

It opens from the disk, without a server or a network.
"""

import os
from collections.abc import Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from string import Template

from tests.gallery.camera import SCHEMES, WINDOW, Picture, listed

NAME = "index.html"
PAGE = Path(__file__).with_name("page.html")
SAME, CHANGED, NEW, MISSING = "same", "changed", "new", "missing"


def write_index(folder: Path, *, older: Path | None = None, part: bool = False) -> str:
    """Write the page of the pictures in the folder; returns how many there are, and what differs.

    `part`: only some were taken, so that none is missing.
    """
    pictures = list(listed(folder))
    differs = {picture.path: difference(folder, older, picture.path) for picture in pictures}
    gone = [] if part or older is None else missing(folder, older)
    sections = [
        _section(folder, older, f"{walk}: {state}", list(of_state), differs)
        for (walk, state), of_state in groupby(_sorted(pictures), lambda one: (one.walk, one.state))
    ]
    sections += [_gone(folder, older, path) for path in gone if older]
    found = _told(list(differs.values()) + [MISSING] * len(gone), compared=older is not None)
    page = Template(PAGE.read_text("utf-8")).substitute(
        found=escape(found),
        sections="\n".join(sections),
        compared="" if older else "hidden",
    )
    (folder / NAME).write_text(page, encoding="utf-8")
    return found


def difference(folder: Path, older: Path | None, path: str) -> str:
    """Whether a picture is as it was. The same pixels make the same file."""
    if older is None or not (older / path).is_file():
        return SAME if older is None else NEW
    return SAME if (older / path).read_bytes() == (folder / path).read_bytes() else CHANGED


def missing(folder: Path, older: Path) -> list[str]:
    """Return the paths of pictures that only the older gallery has."""
    paths = (str(path.relative_to(older)) for path in sorted(older.rglob("*.png")))
    return [path for path in paths if not (folder / path).is_file()]


def _sorted(pictures: Sequence[Picture]) -> list[Picture]:
    """In the order of the walks and of their states, which a narrow and a wide window share."""
    walks = list(dict.fromkeys(picture.walk for picture in pictures))
    states = list(dict.fromkeys((picture.walk, picture.state) for picture in pictures))
    return sorted(
        pictures,
        key=lambda one: (
            walks.index(one.walk),
            states.index((one.walk, one.state)),
            one.extent != WINDOW,
            one.width,
            SCHEMES.index(one.scheme),
        ),
    )


def _section(
    folder: Path, older: Path | None, title: str, pictures: list[Picture], differs: dict[str, str]
) -> str:
    shown = [_figure(folder, older, picture, differs[picture.path]) for picture in pictures]
    return f"<section><h2>{escape(title)}</h2><div>{''.join(shown)}</div></section>"


def _figure(folder: Path, older: Path | None, picture: Picture, difference: str) -> str:
    caption = f"{picture.width}, {picture.scheme}, {picture.extent}"
    if difference != SAME:
        caption += f" ({difference})"
    images = _image(picture.path)
    if difference == CHANGED and older is not None:
        images += _image(_link(folder, older, picture.path), "before")
    return (
        f'<figure data-width="{picture.width}" data-scheme="{picture.scheme}"'
        f' data-extent="{picture.extent}" data-difference="{difference}">'
        f"{_framed(picture.path, caption, images)}</figure>"
    )


def _gone(folder: Path, older: Path, path: str) -> str:
    link = _link(folder, older, path)
    figure = f'<figure data-difference="{MISSING}">{_framed(link, MISSING, _image(link))}</figure>'
    return f"<section><h2>{escape(path)}</h2><div>{figure}</div></section>"


def _framed(link: str, caption: str, images: str) -> str:
    head = f'<figcaption><a href="{link}">{caption}</a></figcaption>'
    return f'{head}<div class="frame">{images}</div>'


def _image(link: str, name: str = "now") -> str:
    return f'<img class="{name}" loading="lazy" alt="" src="{link}">'


def _link(folder: Path, older: Path, path: str) -> str:
    return escape(Path(os.path.relpath(older / path, folder)).as_posix())


def _told(differs: list[str], *, compared: bool) -> str:
    taken = f"{len(differs) - differs.count(MISSING)} pictures"
    if not compared:
        return taken
    counts = [f"{differs.count(each)} {each}" for each in (CHANGED, NEW, MISSING)]
    return f"{taken}: {', '.join(counts)}"
