"""Write joint_draws.json: python -m tests.vectors.make_joint_vectors

Draws of one report to several questions. A second, deliberately naive reading of docs/protocol.md:
all outcomes of a table are listed one by one in their order, and the drawn number picks one.
"""

import itertools
from typing import Any

from tests.vectors.case_lines import write
from tests.vectors.make_device_vectors import fixed_bytes, naive_uniform
from tests.vectors.make_wire_vectors import joint

TABLES: dict[str, dict[str, Any]] = {
    "two questions": joint([2, 3], 8, 2, 1),
    "all others alike": joint([3, 4], 20, 4, 4),
    "three questions": joint([2, 3, 2], 241, 2, 1, 1),
    "the truth is the least likely": joint([2, 2], 2, 3, 8),
}


def outcomes(table: dict[str, Any], truth: tuple[int, ...]) -> list[list[int]]:
    """Every report as often as its weight says, in the order of the numbers that are drawn.

    First the sets of changed answers, as binary numbers with the first question in the highest
    place; in a set the reports in the order in which tuples are sorted.
    """
    sizes = [len(names) for names in table["parts"]]
    reports = list(itertools.product(*map(range, sizes)))

    def changes(report: tuple[int, ...]) -> str:
        return "".join(str(int(a != b)) for a, b in zip(report, truth, strict=True))

    ordered = sorted(reports, key=lambda report: (changes(report), report))
    return [
        list(report)
        for report in ordered
        for _ in range(table["weights"][changes(report).count("1")])
    ]


def draws() -> list[dict[str, Any]]:
    cases = []
    for name, table in TABLES.items():
        sizes = [len(names) for names in table["parts"]]
        for truth in itertools.product(*map(range, sizes)):
            listed = outcomes(table, truth)
            assert len(listed) == table["denominator"]
            for index in range(6):
                stream = fixed_bytes(f"joint {name} {truth} {index}", 32)
                number, used = naive_uniform(table["denominator"], stream)
                case = {"bytes": stream[:used].hex(), "report": listed[number]}
                cases.append({"table": name, "truth": list(truth), **case})
    return cases


if __name__ == "__main__":
    write("joint_draws.json", {"format": 1, "tables": TABLES, "draws": draws()})
