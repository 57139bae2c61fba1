"""The order of questions and sections that chance picks in the browser."""

from itertools import product

import pytest

from tests.browser.rr_page import rr_page, run

pytestmark = pytest.mark.browser

ORDERED = """
const { inOrderByChance } = await import("/static/js/features/sections/order.js");
return given.draws.map((bytes) => {
  const source = sourceOf(bytes);
  const { questions, sections } = inOrderByChance(given.parameters, source);
  const [ids, titles] = [questions.map(({ id }) => id), sections.map(({ title }) => title)];
  return [ids.join(""), titles.join(""), source.used()];
});"""
STILL = {"text": "", "together": False, "random": False, "moves": False}


def section(title, questions, **values):
    return {**STILL, "title": title, "questions": list(questions), **values}


def parameters(*sections, draws=()):
    names = [name for each in sections for name in each["questions"]]
    shared = {name for draw in draws for name in draw}
    devices = [{"questions": list(draw)} for draw in draws]
    devices += [{"questions": [name]} for name in names if name not in shared]
    return {"questions": [{"id": x} for x in names], "devices": devices, "sections": sections}


def orders(page, of, *below):
    """Every order, as each sequence of draws below these numbers leads to it."""
    draws = list(product(*map(range, below)))
    found = run(page, ORDERED, {"parameters": of, "draws": draws})
    assert {used for _questions, _sections, used in found} == {len(below)}
    return [(questions, sections) for questions, sections, _used in found]


def test_each_order_of_questions_follows_from_one_draw_alone(chromium):
    """So all are alike likely: a number below n is uniform (test_device_draw.py)."""
    with rr_page(chromium) as page:
        of = parameters(section("A", "abc", random=True), section("B", "d"))
        found = [questions for questions, _ in orders(page, of, 3, 2)]
        assert sorted(found) == ["abcd", "acbd", "bacd", "bcad", "cabd", "cbad"]
        # Questions with one draw are one thing to be ordered.
        of = parameters(section("A", "abcd", random=True), draws=["bc"])
        found = [questions for questions, _ in orders(page, of, 3, 2)]
        assert sorted(found) == ["abcd", "adbc", "bcad", "bcda", "dabc", "dbca"]


def test_sections_that_move_take_each_others_places_and_their_statements_along(chromium):
    with rr_page(chromium) as page:
        of = parameters(
            section("A", "a", moves=True),
            section("-", ""),
            section("B", "b", moves=True),
            section("C", "c"),
            section("D", "de", moves=True),
            section("+", ""),
        )
        found = [sections for _, sections in orders(page, of, 3, 2)]
        assert sorted(found) == sorted(["A-BCD+", "ADC-B+", "-BACD+", "-BDCA+", "DAC-B+", "D-BCA+"])


def test_without_chance_nothing_is_drawn_and_all_stays(chromium):
    with rr_page(chromium) as page:
        of = parameters(section("A", "ab"), section("B", "c", moves=True))
        assert orders(page, of) == [("abc", "AB")]
