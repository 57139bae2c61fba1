"""The draws that the browser makes as well, from the same bytes."""

import json
from pathlib import Path

import pytest

from rr_engine import CategoryError, DesignMatrix, draw_degraded, draw_relaxed, exact_degradation
from rr_engine.relaxation.degradation import DenseDegradation, UniformDegradation

PATH = Path(__file__).resolve().parents[1] / "vectors" / "relaxations.json"
VECTORS = json.loads(PATH.read_text())


def design(table):
    columns = table.get("columns")
    if columns is None:
        size = range(len(table["reports"]))
        columns = [[table["kept" if u == v else "other"] for u in size] for v in size]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return DesignMatrix.from_integers(rows, table["denominator"])


def degradation(served, size):
    if served["form"] == "uniform":
        entries = (int(served[name]) for name in ("kept", "other", "denominator"))
        return UniformDegradation(size, *entries)
    rows = zip(*served["columns"], strict=True)
    return DenseDegradation([list(map(int, row)) for row in rows], int(served["denominator"]))


def chain(served):
    """The earlier design, the later one, and how the first follows from the second."""
    (earlier,) = served["earlier"]
    now, later = design(earlier["table"]), design(served["table"])
    return now, later, degradation(earlier["degradation"], len(served["table"]["reports"]))


# Where the table has not changed nothing is drawn at all.
CHAINS = {
    case["case"]: chain(case["device"])
    for case in VECTORS["devices"]
    if case["device"]["earlier"][0]["degradation"]["form"] != "same"
}
# With as many reports as truths only one degradation leads from the later table to the earlier one.
ONLY = [name for name, (_, later, _) in CHAINS.items() if later.matrix.shape[0] == later.truth_size]
# A truth that never sends the earlier report is refused here, and asks for another range there.
REFUSED = [name for name, (now, _, _) in CHAINS.items() if not now.matrix.all()]


class Bytes:
    """A source of exactly these bytes."""

    def __init__(self, digits):
        self.left = bytes.fromhex(digits)

    def __call__(self, size):
        block, self.left = self.left[:size], self.left[size:]
        return block


@pytest.mark.parametrize("name", ONLY)
def test_degradations_are_those_of_the_vectors(name):
    now, later, expected = CHAINS[name]
    found = exact_degradation(now, later)
    assert found.denominator == expected.denominator
    reports = range(expected.previous_size)
    assert [found.row(report) for report in reports] == [expected.row(each) for each in reports]


def test_the_same_bytes_give_the_same_report():
    draws = [case for case in VECTORS["draws"] if case["case"] in CHAINS.keys() - set(REFUSED)]
    assert len(draws) > 450
    for case in draws:
        now, later, link = CHAINS[case["case"]]
        source = Bytes(case["bytes"])
        report = draw_relaxed(link, now, later, case["previous"], case["truth"], source)
        assert (report, source.left) == (case["report"], b""), case


def test_a_report_that_a_truth_never_sends_is_refused():
    assert REFUSED == ["never sent by one"]
    now, later, link = CHAINS[REFUSED[0]]
    with pytest.raises(CategoryError):
        draw_relaxed(link, now, later, 1, 0)


def test_the_same_bytes_give_the_same_earlier_report():
    assert len(VECTORS["degraded"]) > 150
    for case in VECTORS["degraded"]:
        source = Bytes(case["bytes"])
        report = draw_degraded(CHAINS[case["case"]][2], case["later"], source)
        assert (report, source.left) == (case["report"], b""), case
