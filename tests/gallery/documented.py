"""Pictures of the product for docs/guide: which state of which walk, and how much of the page.

`make pictures` takes them anew into docs/guide/pictures/, from the walks of the gallery; the guides
say what is seen.
"""

from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page

from tests.browser.support import IDLE_TWICE, ROOT

FOLDER = ROOT / "docs/guide/pictures"
# No reader waits for more.
MOST_BYTES = 80_000
# A page beside its text, and a phone, in CSS pixels.
DESK, WIDE, PHONE = (960, 720), (1180, 800), (360, 900)
MARGIN = 12


@dataclass(frozen=True)
class Documented:
    """One picture: its file, the state of a walk, the window, and the parts that it shows."""

    name: str
    walk: str
    state: str
    size: tuple[int, int]
    # From the top of the first to the end of the last; the whole window without any.
    parts: tuple[str, ...] = ()
    highest: int = 900


PICTURES = (
    Documented("start", "author, list", "start a survey", DESK, ("#content",), 720),
    Documented("question", "author, draft", "a question open", WIDE, ("#content",), 1130),
    Documented("launch-check", "author, draft", "launch", DESK, ("#content",), 760),
    Documented("share", "author, launched", "share", DESK, ("#content",), 440),
    Documented("review", "author, launched", "review", DESK, ("main",), 720),
    Documented("results", "results, demo", "results", DESK, ("main",), 960),
    Documented("estimate", "results, demo", "results, a drawer open", DESK, (".question",), 900),
    Documented("analysis", "results, demo", "analysis 1", DESK, ("main",)),
    Documented("network", "results, demo of a network", "results", DESK, ("main",), 900),
    Documented("phone-physical", "physical randomizers", "form", PHONE, ("main fieldset",)),
    Documented("phone-welcome", "kind, yes or no", "welcome", PHONE, ("main",)),
    Documented("phone-chosen", "kind, yes or no", "chosen", PHONE, ("main",)),
    Documented("phone-drawn", "kind, yes or no", "drawn", PHONE, ("main",)),
)


def walks() -> list[tuple[str, tuple[int, int]]]:
    """Each walk that has one, in each of its sizes."""
    return sorted({(each.walk, each.size) for each in PICTURES})


@dataclass
class Illustrator:
    """Takes the pictures of one walk in one size; used like the camera of the gallery."""

    folder: Path
    walk: str
    size: tuple[int, int]
    left: list[Documented] = field(init=False)

    def __post_init__(self) -> None:
        self.left = [each for each in PICTURES if (each.walk, each.size) == (self.walk, self.size)]

    @property
    def has_all(self) -> bool:
        return not self.left

    def take(self, page: Page, state: str, **_: Any) -> None:
        for wanted in [each for each in self.left if each.state == state]:
            self.left.remove(wanted)
            page.wait_for_load_state()
            page.mouse.move(0, 0)
            page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
            page.evaluate(IDLE_TWICE)
            shot = page.screenshot(full_page=True, animations="disabled", clip=_clip(page, wanted))
            (self.folder / f"{wanted.name}.webp").write_bytes(small(shot))

    def keep_list(self) -> None:
        """There is no index of them: the guides show them. A state that was not met is missing."""
        assert not self.left, f"no such state: {self.left}"


def _clip(page: Page, wanted: Documented) -> Any:
    width, height = page.evaluate(
        "[document.documentElement.clientWidth, document.documentElement.scrollHeight]"
    )
    boxes = [page.locator(part).first.bounding_box() for part in wanted.parts]
    places = [box for box in boxes if box]
    assert len(places) == len(wanted.parts), f"{wanted.name}: a part is not on the page"
    top = max(0, places[0]["y"] - MARGIN) if places else 0
    end = max((box["y"] + box["height"] + MARGIN for box in places), default=height)
    return {
        "x": 0,
        "y": top,
        "width": width,
        "height": min(end - top, wanted.highest, height - top),
    }


def small(png: bytes) -> bytes:
    """As WebP without loss, or with as little as it takes."""
    picture = Image.open(BytesIO(png)).convert("RGB")
    for options in ({"lossless": True}, {"quality": 85}, {"quality": 60}):
        out = BytesIO()
        picture.save(out, "WEBP", method=6, **options)
        if out.tell() <= MOST_BYTES:
            return out.getvalue()
    raise ValueError(f"more than {MOST_BYTES} bytes: show less of the page")
