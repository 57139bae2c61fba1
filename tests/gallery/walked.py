"""Every walk in every size, run by `python -m tests.gallery` alone."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext

from tests.gallery import documented, plugin
from tests.gallery.camera import SCHEMES, SIZES, Camera
from tests.gallery.chosen import Chosen
from tests.gallery.documented import Illustrator
from tests.gallery.german import speak_german
from tests.gallery.walks import WALKS, Site

# Numbers of rows begin anew as well: the order of what is kept under keyed hashes rests on them.
pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, reset_sequences=True),
]

LOCALES = {"en": "en-GB", "de": "de-DE"}
# The browser's chance, from a seed that differs from one context to the next, and from one page of
# a tab to the next: its name stays with a tab.
SEEDED = """(() => {
  window.name = String(Number(window.name) + 1);
  let state = %d * 1000 + Number(window.name);
  const byte = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) & 255;
  };
  Crypto.prototype.getRandomValues = function (array) {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).forEach((_, at, bytes) => {
      bytes[at] = byte();
    });
    return array;
  };
})();"""


@pytest.fixture(scope="session")
def language(pytestconfig: pytest.Config) -> str:
    chosen: str = pytestconfig.getoption("--gallery-language")
    if chosen == "de":
        speak_german()
    return chosen


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.config.getoption("--gallery-documented"):
        cases = documented.walks()
    else:
        walks = Chosen(metafunc.config.getoption("--gallery-only"), WALKS).walks
        cases = [(walk, size) for walk in walks for size in SIZES]
    names = [f"{walk}-{width}" for walk, (width, _height) in cases]
    metafunc.parametrize(("walk", "size"), cases, ids=names)


def test_walk(
    walk: str,
    size: tuple[int, int],
    language: str,
    live_server: Any,
    new_context: Callable[..., BrowserContext],
    pytestconfig: pytest.Config,
) -> None:
    width, height = size
    contexts = count(1)

    def make(**options: Any) -> BrowserContext:
        usual = {
            "viewport": {"width": width, "height": height},
            "color_scheme": SCHEMES[0],
            "locale": LOCALES[language],
            "timezone_id": "UTC",
        }
        context = new_context(**{**usual, **options})
        context.add_init_script(SEEDED % next(contexts))
        return context

    plugin.begin(walk)
    chosen = Chosen(pytestconfig.getoption("--gallery-only"), WALKS)
    folder = Path(pytestconfig.getoption("--gallery"))
    if pytestconfig.getoption("--gallery-documented"):
        camera: Camera | Illustrator = Illustrator(folder, walk, size)
    else:
        camera = Camera(folder, walk, width)
    states, window = WALKS[walk]
    try:
        for page, state in states(Site(live_server, make, language)):
            camera.take(page, state, window=window, wanted=chosen.has(walk, state))
            if camera.has_all:
                break
    finally:
        # Where a walk ends too soon, what it has seen is still worth looking at.
        camera.keep_list()
