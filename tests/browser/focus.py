"""Whether what has the focus can be seen: nothing lies over it (WCAG 2.2, SC 2.4.11)."""

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
# More than any page of these tests has, so that a trap for the keyboard ends the walk.
MOST_STEPS = 400


def assert_uncovered(page: Page, state: str = "") -> str:
    """Nothing covers the middle of what has the focus; returns which element that is."""
    focused, trouble = page.evaluate(LOOK)
    assert not trouble, f"{state}: {focused} {trouble}"
    return focused


def walk(page: Page, state: str = "", key: str = "Tab") -> int:
    """Press `key` from where the focus is until it leaves the page, looking at every step;
    returns how many elements had it.
    """
    for steps in range(MOST_STEPS):
        page.keyboard.press(key)
        if assert_uncovered(page, f"{state}, {key} {steps + 1}") == NOWHERE:
            return steps
    raise AssertionError(f"{state}: {key} does not get out of the page")


def to_top(page: Page) -> None:
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0); getSelection().removeAllRanges()")


def walk_in_sizes(page: Page, state: str) -> None:
    for size in in_sizes(page, SIZES):
        walk_both_ways(page, f"{state}, {size}")


def walk_both_ways(page: Page, state: str = "") -> None:
    """From the top to the end of the page and back."""
    to_top(page)
    for key in ("Tab", "Shift+Tab"):
        assert walk(page, state, key), f"{state}: nothing takes the focus"
