"""Pictures of two states, the page that shows them, and what a second gallery has else."""

import struct
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.respondent_states import states_of_other_pages
from tests.browser.support import in_sizes
from tests.gallery.__main__ import emptied
from tests.gallery.camera import SIZES, Camera, slug
from tests.gallery.chosen import Chosen
from tests.gallery.index import NAME, write_index
from tests.gallery.walks import WALKS

pytestmark = pytest.mark.browser

WALK = "other pages"
TWO = ("check", "unknown")


@pytest.fixture
def two_states(live_server, new_context):
    """Take the pictures of two states in each size, into a folder."""

    def take(folder: Path) -> Path:
        emptied(folder)
        page = new_context(color_scheme="light").new_page()
        for width, _height in in_sizes(page, SIZES):
            camera = Camera(folder, WALK, width)
            walked = zip(TWO, states_of_other_pages(page, live_server), strict=False)
            for expected, state in walked:
                assert state == expected
                camera.take(page, state, window=True)
            # A name that comes again gets a number.
            camera.take(page, TWO[-1], window=False)
            camera.keep_list()
        return folder

    return take


def size_of(picture: Path) -> tuple[int, int]:
    """Width and height in pixels, from the head of a PNG."""
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    return width, height


def test_two_states_are_taken_shown_from_the_disk_and_compared(two_states, new_context, tmp_path):
    before, after = (two_states(tmp_path / name) for name in ("before", "after"))
    names = sorted(str(path.relative_to(after)) for path in after.rglob("*.png"))
    for width, height in SIZES:
        window = after / f"other-pages/check.{width}-dark.window.png"
        assert size_of(window) == (width, height)
        whole = after / f"other-pages/check.{width}-dark.whole.png"
        assert size_of(whole) > (width, height)
    light, dark = (after / f"other-pages/unknown.360-{x}.window.png" for x in ("light", "dark"))
    assert light.read_bytes() != dark.read_bytes()
    assert (after / "other-pages/unknown-2.1280-light.whole.png").is_file()

    # One that is another, one that is missing, and one that is new.
    (before / "other-pages/unknown.360-light.window.png").write_bytes(dark.read_bytes())
    (before / "other-pages/check.1280-dark.window.png").unlink()
    (before / "other-pages/sent.360-dark.window.png").write_bytes(dark.read_bytes())
    found = write_index(after, older=before)
    assert found == f"{len(names)} pictures: 1 changed, 1 new, 1 missing"

    page = new_context(offline=True).new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((after / NAME).as_uri())
    shown = page.locator("figure:visible")
    expect(shown).to_have_count(len(names) + 1)
    links = [link.get_attribute("href") for link in page.locator("figcaption a").all()]
    assert sorted(links)[1:] == names
    assert all((after / link).is_file() for link in links)
    page.get_by_label("only what differs").check()
    expect(shown).to_have_count(3)
    page.get_by_label("difference", exact=True).check()
    expect(page.locator("img.before:visible")).to_have_count(1)
    page.get_by_label("only what differs").uncheck()
    page.get_by_label("Name").fill("other unknown")
    page.get_by_label("1280").uncheck()
    page.get_by_label("light").uncheck()
    page.get_by_label("whole page").uncheck()
    expect(shown).to_have_count(1)
    assert {url.partition(":")[0] for url in asked} == {"file"}


def test_every_picture_has_a_place_of_its_own():
    assert len({slug(walk) for walk in WALKS}) == len(WALKS)


@pytest.mark.parametrize(
    ("pattern", "walks", "wanted"),
    [
        ("", ["first pages", "results", "results, demo"], ("results", "closed")),
        ("Results", ["results", "results, demo"], ("results", "closed")),
        ("demo/open", ["results, demo"], ("results, demo", "a drawer open")),
        ("open", ["first pages", "results", "results, demo"], ("first pages", "open")),
    ],
)
def test_a_pattern_asks_for_walks_or_for_states(pattern, walks, wanted):
    chosen = Chosen(pattern, ["first pages", "results", "results, demo"])
    assert chosen.walks == walks
    assert chosen.has(*wanted)
    assert chosen.has("results", "welcome") is (pattern in ("", "Results"))


def test_only_a_gallery_is_emptied(tmp_path):
    assert emptied(tmp_path / "new")
    (tmp_path / "new" / "old.png").touch()
    assert emptied(tmp_path / "new")
    assert [path.name for path in (tmp_path / "new").iterdir()] == [NAME]
    (tmp_path / "mine.txt").touch()
    assert not emptied(tmp_path)
    assert (tmp_path / "mine.txt").exists()
