"""The sentence about a code has the numbers of the table above it, however chances are rounded."""

import re
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.any_database]

WORDS = """async ([question, device]) => {
  const { who, outcomes } = await import("/static/js/ui/many.js");
  const rows = [...outcomes(question, device).querySelectorAll("tbody tr")];
  const cells = rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
  return { cells, sentences: device.reports.map((_, code) => who(question, device, code).text) };
}"""


def device_of(kept: int, other: int, size: int = 3) -> dict[str, Any]:
    columns = [[kept if u == v else other for u in range(size)] for v in range(size)]
    return {"columns": columns, "denominator": sum(columns[0]), "reports": list("ABCDE"[:size])}


@pytest.mark.parametrize("device", [device_of(450, 275), device_of(580, 210), device_of(9, 4, 4)])
def test_a_code_is_sent_by_as_many_with_another_answer_as_the_table_says(page, device):
    """Chances of 45, 27.5 and 27.5 in 100 are 45, 28 and 27 people."""
    labels = [f"Answer {letter}" for letter in device["reports"]]
    question = {"id": "q", "control": "list", "categories": labels, "prefer_not": False}
    told = page.evaluate(WORDS, [question, device])
    for code, sentence in enumerate(told["sentences"]):
        column = [int(row[code]) for row in told["cells"]]
        own, others = column[code], column[:code] + column[code + 1 :]
        least, most = min(others), max(others)
        other = f"{least}" if least == most else f"{least} to {most}"
        assert f"is sent by {own} of 100 whose" in sentence
        assert re.search(f"by {other} of 100 with any other answer", sentence)
