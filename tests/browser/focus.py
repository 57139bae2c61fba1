"""Whether what has the focus can be seen: nothing lies over it (WCAG 2.2, SC 2.4.11)."""

from collections.abc import Sequence

from playwright.sync_api import Page

from tests.browser.support import in_sizes

SIZES = [(640, 360), (360, 640), (1280, 800)]
# Nothing of the page has the focus.
NOWHERE = "nowhere"
# Where the focus is, and what lies over the middle of the part of it that is in the window.
LOOK = """() => {
  const name = (node) => node && `<${node.localName} id="${node.id}" class="${node.className}"> `
    + node.textContent.trim().slice(0, 40);
  const focused = document.activeElement;
  if (focused === document.body || focused === document.documentElement) return ["nowhere", ""];
  const [box] = focused.getClientRects();
  if (!box) return [name(focused), "is not shown"];
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  if (left >= right || top >= bottom) return [name(focused), "is outside the window"];
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const own = focused.contains(over) || over?.closest("label")?.control === focused;
  return [name(focused), own ? "" : `lies under ${name(over)}`];
}"""
# Looks after each key, at the last moment before the next. Once one has left the page, those after
# it do nothing until somebody takes what was seen. `again` lets what had the focus take it once
# more, in the same order; null where something can now that could not have had it.
WATCH = """() => {
  const look = LOOK;
  const [looks, stops] = [[], []];
  let [pressed, left, known] = [false, false, null];
  const note = () => {
    if (!pressed) return;
    looks.push(look());
    stops.push(document.activeElement);
    pressed = false;
    left = looks.at(-1)[0] === "nowhere";
  };
  const onKey = (event) => {
    if (event.key === "Shift") return;
    note();
    pressed = !left;
    if (left) event.preventDefault();
  };
  const shown = (one) =>
    one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
  const able = () =>
    [...document.querySelectorAll("*")].filter((one) => one.tabIndex >= 0 && shown(one));
  const focus = (one) => (one.focus(), look());
  window.watched?.end();
  addEventListener("keydown", onKey, true);
  window.watched = {
    end: () => removeEventListener("keydown", onKey, true),
    take: () => (note(), (left = false), looks.splice(0)),
    finish: () => (known = new Set([...able(), ...stops])),
    again: () => able().every((one) => known.has(one))
      ? stops.filter((one) => one !== document.body && shown(one)).map(focus) : null,
  };
}""".replace("LOOK", LOOK)
# More than any page of these tests has, so that a trap for the keyboard ends the walk.
MOST_STEPS = 400
# Keys between two messages that tell what was seen.
AT_ONCE = 8


def assert_uncovered(page: Page, state: str = "") -> str:
    """Nothing covers the middle of what has the focus; returns which element that is."""
    return _untroubled(page.evaluate(LOOK), state)


def _untroubled(look: Sequence[str], state: str) -> str:
    focused, trouble = look
    assert not trouble, f"{state}: {focused} {trouble}"
    return focused


def press_keys(page: Page, keys: Sequence[str], state: str = "") -> None:
    """Press one key after the other; nothing covers what has the focus after any of them."""
    page.evaluate(WATCH)
    _press(page, keys, state)


def _press(page: Page, keys: Sequence[str], state: str) -> list[str]:
    """Which elements had the focus; fewer than keys where one of them has left the page."""
    for key in keys:
        page.keyboard.press(key)
    looks = page.evaluate("watched.take()")
    steps = enumerate(zip(keys, looks, strict=False), 1)
    return [_untroubled(look, f"{state}, {key} {step}") for step, (key, look) in steps]


def walk(page: Page, state: str = "", key: str = "Tab") -> int:
    """Press `key` from where the focus is until it leaves the page, looking at every step;
    returns how many elements had it.
    """
    for steps in range(0, MOST_STEPS, AT_ONCE):
        had = _press(page, [key] * AT_ONCE, f"{state}, after {steps}")
        if had[-1] == NOWHERE:
            return steps + len(had) - 1
    raise AssertionError(f"{state}: {key} does not get out of the page")


def to_top(page: Page) -> None:
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0); getSelection().removeAllRanges()")


def walk_in_sizes(page: Page, state: str) -> None:
    """With keys in the first window, and in the others from one element of that way to the next: a
    browser scrolls to them as it does for a key. Where there are other elements, with keys again.
    """
    for number, size in enumerate(in_sizes(page, SIZES)):
        if number == 0 or not _walked_again(page, f"{state}, {size}"):
            walk_both_ways(page, f"{state}, {size}")


def _walked_again(page: Page, state: str) -> bool:
    to_top(page)
    looks = page.evaluate("watched.again()")
    for step, look in enumerate(looks or [], 1):
        _untroubled(look, f"{state}, {step}")
    return looks is not None


def walk_both_ways(page: Page, state: str = "") -> None:
    """From the top to the end of the page and back."""
    to_top(page)
    page.evaluate(WATCH)
    for key in ("Tab", "Shift+Tab"):
        assert walk(page, state, key), f"{state}: nothing takes the focus"
    page.evaluate("watched.finish()")
