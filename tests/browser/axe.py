"""Findings of axe-core on a page, and whether the page fits its window."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.support import BOTH_SCHEMES, in_schemes, in_sizes

# Rules that other colours can break: the rest of a page is the same in the dark.
COLOURS = ("color-contrast", "link-in-text-block")
# Rules that another width can break: sizes, and what a narrow page hides. The rest is the same
# document, but for its colours.
LAYOUT = ("target-size", "scrollable-region-focusable", "button-name", "link-name", "label")
# All of what axe can fetch beforehand that its rules ask for: no rule that is on reads the sheets,
# and to take them in once more takes a seventh of the time of a long page.
PRELOAD = {"assets": ["media"]}
# As it was released, but for two things that no result shows. What is private to an object stands
# in the object: in weak maps, of which a colour alone has six, it costs more than the looking. And
# each colour is read once: a long page has ten, and asks for them ten thousand times.
AXE = f"""((WeakMap, WeakSet) => {{
{AXE_SCRIPT}
}})(...(() => {{
  class Inside {{
    #place = Symbol();
    has(object) {{ return Object.hasOwn(object, this.#place); }}
    get(object) {{ return object[this.#place]; }}
    set(object, value) {{ object[this.#place] = value; return this; }}
    add(object) {{ return this.set(object, true); }}
    delete(object) {{ return delete object[this.#place]; }}
  }}
  return [Inside, Inside];
}})());
(() => {{
  const known = new Map();
  const colours = axe.commons.color.Color.prototype;
  const {{ parseString }} = colours;
  colours.parseString = function (text) {{
    if (known.has(text)) return Object.assign(this, known.get(text));
    parseString.call(this, text);
    known.set(text, {{ r: this.r, g: this.g, b: this.b, alpha: this.alpha }});
    return this;
  }};
}})();"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def assert_well(
    page: Page,
    state: str = "",
    *,
    schemes: Sequence[str] = (),
    without: Iterable[str] = (),
    rules: Sequence[str] = (),
    colours_of: str = "",
) -> None:
    """Axe finds nothing, and nothing sticks out to the right: as the page stands, or in each of the
    sets of colours.

    `rules`: all that is asked; every rule without them. `colours_of`: the parts of the page (a
    selector) whose colours are looked at, which takes longest; those of the rest another test sees.
    """
    if not schemes:
        _look(page, state, rules, without, colours_of)
        return
    for scheme in in_schemes(page, schemes):
        only = rules if scheme == schemes[0] else COLOURS
        _look(page, f"{state}, {scheme}", only, without, colours_of)


def assert_well_in_sizes(
    page: Page,
    state: str,
    sizes: Sequence[tuple[int, int]],
    *,
    schemes: Sequence[str] = BOTH_SCHEMES,
    colours_of: str = "",
) -> None:
    """In windows of each size: with every rule in the first, and in the others with those that
    another width can break.

    No colour depends on the width: each size has one of the sets of colours, the first the first.
    """
    for number, size in enumerate(in_sizes(page, sizes)):
        named = f"{state}, {size[0]} px"
        looks: dict[str, Any] = {"schemes": schemes if len(sizes) == 1 else schemes[:1]}
        if number:
            looks = {"schemes": schemes[-1:], "rules": (*LAYOUT, *COLOURS)}
        assert_well(page, named, **looks, colours_of=colours_of)


# No colour depends on the width, and no width on the colours: together they show all of both.
LOOKS = (("dark", 360), ("light", 1280))


def loaded_in_looks(page: Page, url: str, height: int = 800) -> Iterator[tuple[str, Sequence[str]]]:
    """A page with figures, which are drawn for the window that they find, loaded in each look;
    yields how it looks, and the rules that this can break: in the first it is every rule.
    """
    rules: Sequence[str] = ()
    for scheme, width in LOOKS:
        # Nothing is drawn once more for a moment.
        page.goto("about:blank")
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.goto(url)
        yield f"{scheme}, {width} px", rules
        rules = (*LAYOUT, *COLOURS)


def _look(
    page: Page, state: str, rules: Sequence[str], without: Iterable[str], colours_of: str
) -> None:
    # A click that leads elsewhere does not wait until the page is there.
    page.wait_for_load_state()
    asked = [(rules, without, "")]
    if colours_of:
        asked = [(COLOURS, without, colours_of)]
        rest = [rule for rule in rules if rule not in COLOURS]
        if rest or not rules:
            asked.append((rest, (*without, *COLOURS), ""))
    found = [each for only, off, of in asked for each in findings(page, _options(only, off), of)]
    assert found == [], f"{state}:\n" + "\n".join(found)
    wider = page.evaluate(WIDER)
    assert wider <= 0, f"{state} is {wider} px too wide"


def _options(rules: Sequence[str], without: Iterable[str]) -> dict[str, Any]:
    options: dict[str, Any] = {
        "resultTypes": ["violations"],
        "preload": PRELOAD,
        "rules": {rule: {"enabled": False} for rule in without},
    }
    return options | {"runOnly": list(rules)} if rules else options


def findings(page: Page, options: dict[str, Any], of: str = "") -> list[str]:
    """Axe goes into a document once, and hands out only what is wrong: reading all that is right
    takes as long as looking for it.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    part = json.dumps(of) if of else "document"
    run = f"axe.run({part}, {json.dumps(options)}).then((results) => results.violations)"
    return [
        f"{rule['id']}: {node['failureSummary']}\n  {node['html'][:200]}"
        for rule in page.evaluate(run)
        for node in rule["nodes"]
    ]
