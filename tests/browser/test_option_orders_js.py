"""The order of answers that chance picks in the browser."""

from collections import Counter
from itertools import product

import pytest

from tests.browser.rr_page import rr_page, run

pytestmark = pytest.mark.browser

# What is shown of a question at each sequence of draws, what somebody gives who takes each place in
# turn, what is sent of the order, and how many bytes were drawn.
SHOWN = """
const { ordered, arranged, beside } = await import("/static/js/features/option_orders/page.js");
return given.draws.map((bytes) => {
  const source = sourceOf(bytes);
  const [question] = ordered(given.parameters, source).questions;
  let shown = [];
  let chosen = 0;
  const make = ({ categories }) => {
    shown = categories;
    const ticks = () => categories.map((_, i) => Number(i === chosen));
    return { choice: () => (given.several ? ticks() : chosen) };
  };
  const { choice } = arranged(question, { control: make }).control(question);
  const answers = shown.map((_, place) => {
    chosen = place;
    return given.several ? choice().indexOf(1) : choice();
  });
  return [shown.join(""), answers, beside({ reports: {} }).orders ?? null, source.used()];
});"""


def parameters(by, last=0, *, kept=False, refusal=False, categories="abc"):
    question = {"id": "q", "categories": list(categories), "prefer_not": refusal}
    return {
        "questions": [{**question, "control": "list"}],
        "option_orders": [{"question": "q", "by": by, "last": last, "kept": kept}],
    }


def shown(page, of, *below, several=False):
    """What each sequence of draws below these numbers leads to."""
    draws = list(product(*map(range, below)))
    found = run(page, SHOWN, {"parameters": of, "draws": draws, "several": several})
    assert {used for *_, used in found} == {len(below)}
    names = of["questions"][0]["categories"]
    for order, answers, _kept, _used in found:
        # Wherever an answer stands, what is given is its own place in the document.
        assert answers == [names.index(name) for name in order]
    return [(order, kept) for order, _answers, kept, _used in found]


def test_each_order_follows_from_one_draw_alone_and_an_answer_is_its_own_wherever_it_stands(
    chromium,
):
    """So all are alike likely: a number below n is uniform (test_device_draw.py)."""
    with rr_page(chromium) as page:
        found = shown(page, parameters("shuffled"), 3, 2)
        assert Counter(order for order, _ in found) == Counter(
            ["abc", "acb", "bac", "bca", "cab", "cba"]
        )
        rotated = parameters("rotated", 1, refusal=True, categories="abcop")
        assert shown(page, rotated, 3) == [("abcop", None), ("bcaop", None), ("cabop", None)]
        assert shown(page, parameters("reversed"), 2, several=True) == [
            ("abc", None),
            ("cba", None),
        ]


def test_of_an_order_that_is_kept_its_number_is_sent_and_of_no_other_anything(chromium):
    with rr_page(chromium) as page:
        rotated = parameters("rotated", kept=True)
        found = shown(page, rotated, 3)
        assert found == [("abc", {"q": 0}), ("bca", {"q": 1}), ("cab", {"q": 2})]
        backwards = parameters("reversed", 1, kept=True)
        assert shown(page, backwards, 2) == [("abc", {"q": 0}), ("bac", {"q": 1})]
