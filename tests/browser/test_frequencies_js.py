"""Frequencies in words: the same words for all kinds, and equal numbers for equal chances."""

from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.any_database]

WORDS = """async ([question, device]) => {
  const { numbers, who } = await import("/static/js/ui/many.js");
  const caption = numbers(question, device).querySelector("figcaption").textContent;
  return { caption, sentences: device.reports.map((_, code) => who(question, device, code).text) };
}"""


def device_of(kept: int, other: int, size: int = 3) -> dict[str, Any]:
    columns = [[kept if u == v else other for u in range(size)] for v in range(size)]
    return {"columns": columns, "denominator": sum(columns[0]), "reports": list("ABCDE"[:size])}


@pytest.mark.parametrize(
    ("device", "own", "other"),
    [(device_of(450, 275), 45, 28), (device_of(580, 210), 58, 21), (device_of(9, 4, 4), 43, 19)],
)
def test_equal_chances_look_equal_however_they_are_rounded(page, device, own, other):
    """Chances of 45, 27.5 and 27.5 in 100: 28 for either other answer."""
    labels = [f"Answer {letter}" for letter in device["reports"]]
    question = {"id": "q", "control": "list", "categories": labels, "prefer_not": False}
    told = page.evaluate(WORDS, [question, device])
    assert told["caption"].startswith(f"Of 100 people with the same answer, {own} send its letter.")
    assert told["sentences"] == [
        f"Of 100 people who mean “{label}”, {own} send {letter}. "
        f"Of 100 people with another answer, {other} send it too."
        for label, letter in zip(labels, device["reports"], strict=True)
    ]


OFTEN = """async (shares) => {
  const { often } = await import("/static/js/ui/frequencies.js");
  return shares.map(often);
}"""


def test_one_way_of_saying_how_often(page):
    said = {
        0.001: "Fewer than 1 in 100",
        0.05: "About 5 in 100",
        0.27: "About 3 in 10",
        0.731: "About 7 in 10",
        0.88: "About 9 in 10",
        0.953: "About 95 in 100",
        0.993: "About 99 in 100",
        0.9997: "More than 99 in 100",
    }
    assert page.evaluate(OFTEN, list(said)) == list(said.values())
