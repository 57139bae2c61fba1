"""Write relaxed_draws.json: python -m tests.vectors.make_relaxation_vectors

The expected values come from a second, deliberately naive reading of docs/methods/relaxation.md
(fractions, an inverse by cofactors, a list of the ends of all intervals), not from rr_engine; the
engine and the browser are both held against the file.
"""

import json
from fractions import Fraction
from math import ceil, exp, lcm

from tests.vectors.make_device_vectors import (
    FOLDER,
    fixed_bytes,
    keep_or_lie,
    naive_report,
)

Table = list[list[Fraction]]
WHOLE = 2**32


def k_ary(size: int, epsilon: float) -> list[list[int]]:
    return keep_or_lie(size, ceil(WHOLE / (exp(epsilon) + size - 1)), WHOLE)


# Columns of the earlier and of the later device, and their denominators.
PAIRS = {
    "yes/no, 0.5 to 1": (k_ary(2, 0.5), WHOLE, k_ary(2, 1), WHOLE),
    "5 categories, 1 to 2": (k_ary(5, 1), WHOLE, k_ary(5, 2), WHOLE),
    "12 categories, 0.1 to 0.5": (k_ary(12, 0.1), WHOLE, k_ary(12, 0.5), WHOLE),
    "small numbers": ([[5, 3], [3, 5]], 8, [[3, 1], [1, 3]], 4),
    "not symmetric": ([[9, 7], [6, 10]], 16, [[200, 56], [40, 216]], 256),
    "fewer reports before": (
        [[10, 6], [7, 9], [8, 8]], 16, [[40, 12, 12], [10, 44, 10], [16, 8, 40]], 64,
    ),
    "then direct": (k_ary(3, 1), WHOLE, keep_or_lie(3, 0, 1), 1),
}  # fmt: skip


def determinant(table: Table) -> Fraction:
    """By cofactors of the first row; up to six rows."""
    if not table:
        return Fraction(1)
    return sum(
        (-1) ** column * entry * determinant(minor(table, 0, column))
        for column, entry in enumerate(table[0])
        if entry
    ) + Fraction(0)


def minor(table: Table, row: int, column: int) -> Table:
    return [
        [entry for j, entry in enumerate(line) if j != column]
        for i, line in enumerate(table)
        if i != row
    ]


def inverse(table: Table) -> Table:
    size, whole = len(table), determinant(table)
    return [
        [(-1) ** (i + j) * determinant(minor(table, j, i)) / whole for j in range(size)]
        for i in range(size)
    ]


def degradation(now: list[list[int]], d1: int, later: list[list[int]], d2: int) -> Table:
    """Return C with C P_next = P_now, rows by earlier report."""
    reports = len(now[0])
    before = [[Fraction(column[u], d1) for column in now] for u in range(reports)]
    if len(later) > 6:
        return uniform_degradation(now, d1, later, d2)
    back = inverse([[Fraction(column[u], d2) for column in later] for u in range(len(later[0]))])
    return [
        [sum(row[v] * back[v][u] for v in range(len(back))) for u in range(len(back))]
        for row in before
    ]


def uniform_degradation(now: list[list[int]], d1: int, later: list[list[int]], d2: int) -> Table:
    gaps = [Fraction(table[0][0] - table[0][1], d) for table, d in ((now, d1), (later, d2))]
    ratio, size = gaps[0] / gaps[1], len(now)
    return [[(u == v) * ratio + (1 - ratio) / size for v in range(size)] for u in range(size)]


def draws(name: str) -> tuple[dict, list[dict], list[dict]]:
    now, d1, later, d2 = PAIRS[name]
    chances = degradation(now, d1, later, d2)
    denominator = lcm(*(entry.denominator for row in chances for entry in row))
    rows = [[int(entry * denominator) for entry in row] for row in chances]
    assert all(entry >= 0 for row in rows for entry in row)
    pair = {
        "name": name,
        "now": {"denominator": d1, "columns": now},
        "next": {"denominator": d2, "columns": later},
        "degradation": {
            "denominator": str(denominator),
            "rows": [list(map(str, row)) for row in rows],
        },
    }
    return pair, relaxed(name, rows, later), degraded(name, rows, denominator)


def relaxed(name: str, rows: list[list[int]], later: list[list[int]]) -> list[dict]:
    cases = []
    for previous, row in enumerate(rows[:3]):
        products = [[a * b for a, b in zip(row, column, strict=True)] for column in later]
        # One range for all truths that can have sent the earlier report.
        common = lcm(*filter(None, map(sum, products)))
        for truth, unscaled in enumerate(products[:3]):
            if not any(unscaled):
                continue
            weights = [common // sum(unscaled) * weight for weight in unscaled]
            for stream in streams(weights, f"{name} {previous} {truth}"):
                report, used = naive_report(weights, sum(weights), stream)
                case = {"pair": name, "previous": previous, "truth": truth}
                cases.append(case | {"bytes": stream[:used].hex(), "report": report})
    return cases


def degraded(name: str, rows: list[list[int]], denominator: int) -> list[dict]:
    cases = []
    for later in range(min(len(rows[0]), 3)):
        weights = [row[later] for row in rows]
        for stream in streams(weights, f"{name} down {later}"):
            report, used = naive_report(weights, denominator, stream)
            cases.append(
                {"pair": name, "later": later, "bytes": stream[:used].hex(), "report": report}
            )
    return cases


def streams(weights: list[int], label: str) -> list[bytes]:
    """Bytes for the integers on both sides of the first boundaries, and arbitrary ones."""
    total = sum(weights)
    width = ceil((total - 1).bit_length() / 8)
    ends = [sum(weights[: report + 1]) for report in range(len(weights))]
    near = sorted({r for end in (0, *ends) for r in (end - 1, end) if 0 <= r < total})
    edges = [r.to_bytes(width, "big") for r in near[:6]]
    return edges + [fixed_bytes(f"{label} {i}", 40 * max(width, 1)) for i in range(2)]


if __name__ == "__main__":
    made = [draws(name) for name in PAIRS]
    document = {
        "format": 1,
        "pairs": [pair for pair, _, _ in made],
        "relaxed": [case for _, cases, _ in made for case in cases],
        "degraded": [case for _, _, cases in made for case in cases],
    }
    path = FOLDER / "relaxed_draws.json"
    path.write_text(json.dumps(document, indent=1) + "\n")
