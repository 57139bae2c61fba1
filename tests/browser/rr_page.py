"""A blank page beside the served modules of static/js/rr, and devices to feed them."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, localcontext
from math import ceil
from typing import Any

from playwright.sync_api import Browser, Page

from surveys.views.respond import sections_of_features
from tests.browser.support import ROOT, serving
from tests.devices import dense

# Put before a case: everything the modules export, under one name each.
IMPORTS = """
const device = await import("/static/js/rr/device.js");
const random = await import("/static/js/rr/random.js");
const wire = await import("/static/js/rr/wire.js");
const strengths = await import("/static/js/rr/strength.js");
const names = ["cards", "delta", "product", "bits", "linear", "scale", "bloom", "text", "chain",
  "earlier", "rules", "joint", "ranking", "ties"];
const modules = await Promise.all(names.map((name) => import(`/static/js/rr/${name}.js`)));
const rulesOf = (name) => import(`/static/js/features/${name}/rules.js`);
// A text that is only shown has no rules.
const features = sections.filter((mark) => !mark.includes("$")).map((mark) => mark.split(/\\b/)[0]);
const rules = await Promise.all(features.map(async (name) => [name, await rulesOf(name)]));
const parts = new Map([...names.map((name, i) => [name, modules[i]]), ...rules]);
const load = async (name) => parts.get(name);
const refusal = async (attempt) => {
  try { await attempt(); } catch (error) {
    const { name: type, code, field, device, message } = error;
    return JSON.parse(JSON.stringify({ type, code, field, device, message }));
  }
  return null;
};
const sourceOf = (bytes) => {
  let used = 0;
  const source = (count) => Uint8Array.from(bytes.slice(used, used += count));
  source.used = () => used;
  return source;
};
"""


@contextmanager
def rr_page(chromium: Browser) -> Iterator[Page]:
    with serving(ROOT) as address:
        context = chromium.new_context()
        page = context.new_page()
        page.goto(f"{address}/blank")
        try:
            yield page
        finally:
            context.close()


def run(page: Page, body: str, argument: Any = None) -> Any:
    """Run the body of an async function of `given` in the page, the modules at hand."""
    return answer_of(page, f"const given = JSON.parse(text); {IMPORTS} {body}", argument)


def answer_of(page: Page, script: str, argument: Any) -> Any:
    """Run the body of an async function of `text`, which is the argument as JSON."""
    # As text: the modules get what JSON.parse makes, and large tables travel quickly.
    sections = f"const sections = {json.dumps(sections_of_documents())};"
    return page.evaluate(f"async (text) => {{ {sections} {script} }}", json.dumps(argument))


def sections_of_documents() -> list[str]:
    """Return what a page tells its script of sections: those with scripts, and texts without."""
    return [each for each in sections_of_features() if "$" in each or has_rules(each)]


def has_rules(section: str) -> bool:
    """Whether the rules of a section are served scripts: those of features of tests are not."""
    return (ROOT / "static/js/features" / re.split(r"\W", section)[0] / "rules.js").is_file()


def least_lie(size: int, epsilon: str, denominator: int) -> int:
    """The smallest integer b with (D - (k-1) b) / b <= e**epsilon, by 80-digit decimals."""
    with localcontext(prec=80):
        return ceil(denominator / (Decimal(epsilon).exp() + size - 1))


def keep_or_lie(size: int, lie: int, denominator: int) -> list[list[int]]:
    kept = denominator - (size - 1) * lie
    return [[kept if u == v else lie for u in range(size)] for v in range(size)]


def make_device(
    columns: list[list[int]], *, epsilon: str | None, name: str = "q1", **other: Any
) -> dict[str, Any]:
    """A device as the parameters document holds it; the denominator is what column 0 sums to."""
    return {
        "id": name,
        "questions": [name],
        "option": None,
        "stratum": "page",
        "family": "direct" if epsilon is None else "k_rr",
        "look": "codes",
        "table": dense(columns),
        "epsilon": epsilon,
        "delta": None,
        "instructions": [],
        "search": None,
        "earlier": [],
    } | other


def k_rr_device(size: int, epsilon: str, *, name: str = "q1", bits: int = 32) -> dict[str, Any]:
    """The k-ary device closest to its declared epsilon."""
    whole = 2**bits
    table = keep_or_lie(size, least_lie(size, epsilon, whole), whole)
    return make_device(table, epsilon=epsilon, name=name)


def direct_device(size: int, *, name: str = "q1") -> dict[str, Any]:
    return make_device(keep_or_lie(size, 0, 1), epsilon=None, name=name)
