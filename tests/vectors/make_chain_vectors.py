"""Write chains.json: python -m tests.vectors.make_chain_vectors

How a chain of reports is drawn from its last one downwards, in fractions and straight from the
tables; static/js/rr/chain.js reaches the same with whole numbers.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from tests.vectors import make_wire_vectors as wire
from tests.vectors.case_lines import write
from tests.vectors.make_device_vectors import fixed_bytes, naive_report
from tests.vectors.make_relaxation_vectors import degradation_of

Json = dict[str, Any]
WHOLE = 2**32


def sharper(size: int, others: list[int]) -> Json:
    """A chain of uniform tables over 2**32, each of whose links has integers above 2**53."""
    steps = [wire.uniform(size, WHOLE - (size - 1) * other, other) for other in others]
    spans = [step["kept"] - step["other"] for step in steps]
    links = [
        wire.mixed(size * later, later + (size - 1) * span, later - span)
        for span, later in pairwise(spans)
    ]
    epsilons = ["0.6", "1.4", "2.2", "3.1", "4.3"]
    return wire.chain(epsilons, *steps, degradations=links)


def cases() -> list[tuple[str, Json]]:
    same = wire.SMOKES | {
        "steps": [wire.uniform(2, 6, 2), wire.uniform(2, 6, 2), wire.uniform(2, 7, 1)],
        "epsilons": ["1.1", "1.2", "2"],
        "degradations": [{"form": "same"}, wire.SMOKES["degradations"][1]],
    }
    others = [920_000_000, 620_000_000, 360_000_000, 180_000_000, 60_000_000]
    return [
        ("two answers", wire.device("q", wire.SMOKES, "2")),
        ("fewer reports below", wire.device("q", wire.PARTY, "0.7")),
        ("a number", wire.device("q", wire.HOURS, "2.32")),
        ("the same twice", wire.device("q", same, "2")),
        ("five tiers", wire.device("q", sharper(4, others), "4.3")),
    ]


def columns_between(link: Json, size: int) -> list[list[int]]:
    """The whole numbers of a degradation by later report; of the same table a one and zeros."""
    rows, whole = degradation_of(link, size), int(link.get("denominator", "1"))
    return [[int(row[later] * whole) for row in rows] for later in range(size)]


def downwards(table: Json) -> Iterator[tuple[Json, int]]:
    """The links from the last step on, each with the number of reports of its upper step."""
    sizes = [len(step["reports"]) for step in table["steps"][1:]]
    return zip(reversed(table["degradations"]), reversed(sizes), strict=True)


def reports_from(table: Json, truth: int, stream: bytes) -> tuple[list[int], int]:
    """The reports of all steps, the lowest first, and how many bytes they took."""
    last = table["steps"][-1]
    report, used = naive_report(wire.columns_of(last)[truth], last["denominator"], stream)
    reports = [report]
    for link, size in downwards(table):
        columns = columns_between(link, size)
        whole = int(link.get("denominator", "1"))
        report, more = naive_report(columns[report], whole, stream[used:])
        reports, used = [report, *reports], used + more
    return reports, used


def draws(name: str, table: Json) -> list[Json]:
    found = []
    truths = range(len(wire.columns_of(table["steps"][-1])))
    for truth, number in product([truths[0], truths[len(truths) // 2], truths[-1]], range(6)):
        stream = fixed_bytes(f"chain {name} {truth} {number}", 512)
        reports, used = reports_from(table, truth, stream)
        drawn = {"truth": truth, "bytes": stream[:used].hex(), "reports": reports}
        found.append({"case": name} | drawn)
    return found


def law(table: Json) -> list[dict[str, str]]:
    """The chance of each list of reports, by truth."""
    found = []
    for column in wire.columns_of(table["steps"][-1]):
        chances = {
            (report,): Fraction(entry, sum(column)) for report, entry in enumerate(column) if entry
        }
        for link, size in downwards(table):
            rows = degradation_of(link, size)
            chances = {
                (lower, *reports): chance * row[reports[0]]
                for reports, chance in chances.items()
                for lower, row in enumerate(rows)
                if row[reports[0]]
            }
        found.append({" ".join(map(str, reports)): str(x) for reports, x in chances.items()})
    return found


def chain_vectors() -> Json:
    return {
        "format": 1,
        "devices": [{"case": name, "device": served} for name, served in cases()],
        "laws": [
            {"case": name, "law": law(served["table"])}
            for name, served in cases()
            if name != "a number"
        ],
        "draws": [draw for name, served in cases() for draw in draws(name, served["table"])],
    }


if __name__ == "__main__":
    write("chains.json", chain_vectors())
