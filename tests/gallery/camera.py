"""Pictures of a state of a page in both sets of colours, and where they are kept."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.support import IDLE_TWICE, in_schemes

# A phone and a desk, in CSS pixels.
SIZES = ((360, 740), (1280, 800))
SCHEMES = ("light", "dark")
# What is seen without scrolling, and the page from its top to its end.
WINDOW, WHOLE = "window", "whole page"
HIGHER = "document.documentElement.scrollHeight > window.innerHeight"


@dataclass(frozen=True)
class Picture:
    """A file of the gallery: of which state of which walk, how wide in CSS pixels, in which
    colours, and how much of the page.
    """

    walk: str
    state: str
    width: int
    scheme: str
    extent: str

    @property
    def path(self) -> str:
        """Relative to the gallery; the same for the same state in every run."""
        extent = self.extent.split()[0]
        return f"{slug(self.walk)}/{slug(self.state)}.{self.width}-{self.scheme}.{extent}.png"


class Camera:
    """Takes the pictures of one walk in one size into `folder`."""

    def __init__(self, folder: Path, walk: str, width: int) -> None:
        self.folder, self.walk, self.width = folder, walk, width
        self.taken: list[Picture] = []
        self._times: Counter[str] = Counter()
        # How many states a walk has only its end tells.
        self.has_all = False

    def take(self, page: Page, state: str, *, window: bool, wanted: bool = True) -> None:
        """In each set of colours: the window, where asked for, and the whole page. The page is left
        as it was. A state that is not `wanted` only takes its name.
        """
        self._times[state] += 1
        # What a walk calls by one name again and again is numbered.
        if self._times[state] > 1:
            state = f"{state} {self._times[state]}"
        if not wanted:
            return
        page.wait_for_load_state()
        # Nothing looks as if it were pointed at: a phone has no pointer.
        page.mouse.move(0, 0)
        for scheme in in_schemes(page, SCHEMES):
            for frame in page.frames:
                frame.evaluate(IDLE_TWICE)
            extents = [WINDOW] * window + [WHOLE] * (not window or page.evaluate(HIGHER))
            for extent in extents:
                picture = Picture(self.walk, state, self.width, scheme, extent)
                page.screenshot(
                    path=self.folder / picture.path,
                    full_page=extent == WHOLE,
                    animations="disabled",
                )
                self.taken.append(picture)
        page.emulate_media(color_scheme="light")

    def keep_list(self) -> None:
        """Write what was taken, for the one who makes the index."""
        path = self.folder / f"{slug(self.walk)}.{self.width}.json"
        path.write_text(json.dumps([asdict(each) for each in self.taken]), encoding="utf-8")


def listed(folder: Path) -> Iterator[Picture]:
    """All pictures of a gallery whose lists are still there, of each state of a walk side by side;
    the lists are removed.
    """
    for path in sorted(folder.glob("*.json")):
        yield from (Picture(**each) for each in json.loads(path.read_text("utf-8")))
        path.unlink()


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
