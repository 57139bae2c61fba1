"""The draws that the browser makes as well, from the same bytes."""

import json
from pathlib import Path

import pytest

from rr_engine import DesignMatrix, draw_degraded, draw_relaxed, exact_degradation
from rr_engine.relaxation.degradation import DenseDegradation

PATH = Path(__file__).resolve().parents[1] / "vectors" / "relaxed_draws.json"
VECTORS = json.loads(PATH.read_text())


def design(table):
    columns = zip(*table["columns"], strict=True)
    return DesignMatrix.from_integers([list(row) for row in columns], table["denominator"])


PAIRS = {
    pair["name"]: (
        design(pair["now"]),
        design(pair["next"]),
        DenseDegradation(
            [list(map(int, row)) for row in pair["degradation"]["rows"]],
            int(pair["degradation"]["denominator"]),
        ),
    )
    for pair in VECTORS["pairs"]
}


class Bytes:
    """A source of exactly these bytes."""

    def __init__(self, digits):
        self.left = bytes.fromhex(digits)

    def __call__(self, size):
        block, self.left = self.left[:size], self.left[size:]
        return block


@pytest.mark.parametrize("name", PAIRS)
def test_degradations_are_those_of_a_naive_inverse(name):
    now, later, expected = PAIRS[name]
    degradation = exact_degradation(now, later)
    assert degradation.denominator == expected.denominator
    rows = [tuple(degradation.row(report)) for report in range(degradation.previous_size)]
    assert tuple(rows) == expected.rows


def test_the_same_bytes_give_the_same_report():
    assert len(VECTORS["relaxed"]) > 250
    for case in VECTORS["relaxed"]:
        now, later, _ = PAIRS[case["pair"]]
        link, source = exact_degradation(now, later), Bytes(case["bytes"])
        report = draw_relaxed(link, now, later, case["previous"], case["truth"], source)
        assert (report, source.left) == (case["report"], b""), case


def test_the_same_bytes_give_the_same_earlier_report():
    assert len(VECTORS["degraded"]) > 100
    for case in VECTORS["degraded"]:
        source = Bytes(case["bytes"])
        report = draw_degraded(PAIRS[case["pair"]][2], case["later"], source)
        assert (report, source.left) == (case["report"], b""), case
