"""Write relaxations.json: python -m tests.vectors.make_relaxation_vectors

Reports that are drawn given an earlier one, and earlier ones given a later one (Pan 2024, Theorem
3.1). The expected values come from a second, deliberately naive reading of
docs/methods/relaxation.md, in fractions straight from the formula and with an inverse by cofactors,
not from rr_engine; the engine and the browser, which use whole weights and bounds, are both held
against the file.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, exp, lcm
from typing import Any

from tests.vectors.case_lines import write
from tests.vectors.make_device_vectors import fixed_bytes, keep_or_lie, naive_uniform
from tests.vectors.make_wire_vectors import columns_of, dense, device, uniform

Json = dict[str, Any]
Table = list[list[Fraction]]
WHOLE = 2**32
# Draws of large devices: the first reports and truths, and the first bounds of a column.
MOST, MOST_BOUNDS = 3, 6
# Kernels in full, for all draws: up to this range.
LARGEST_RANGE = 2**12


def k_ary(size: int, epsilon: float) -> list[list[int]]:
    return keep_or_lie(size, ceil(WHOLE / (exp(epsilon) + size - 1)), WHOLE)


# Columns of the earlier and of the later device, of which one is the degradation of the other.
PAIRS = {
    "yes/no, 0.5 to 1": (k_ary(2, 0.5), k_ary(2, 1)),
    "5 categories, 1 to 2": (k_ary(5, 1), k_ary(5, 2)),
    "12 categories, 0.1 to 0.5": (k_ary(12, 0.1), k_ary(12, 0.5)),
    "small numbers": ([[5, 3], [3, 5]], [[3, 1], [1, 3]]),
    "not symmetric": ([[9, 7], [6, 10]], [[200, 56], [40, 216]]),
    "then direct": (k_ary(3, 1), keep_or_lie(3, 0, 1)),
}
NOW = [[8, 4, 4], [4, 8, 4], [4, 4, 8]]
SURE = [[4, 0], [3, 1]]


def cases() -> dict[str, Json]:
    """Devices of a second wave, by name."""
    halves = {"form": "uniform", "denominator": "3", "kept": "2", "other": "1"}
    thirds = {"form": "uniform", "denominator": "16", "kept": "14", "other": "1"}
    pairs = [["3", "1", "0", "0"], ["1", "3", "0", "0"], ["0", "0", "3", "1"], ["0", "0", "1", "3"]]
    swapped = {"form": "dense", "denominator": "4", "columns": pairs}
    coarse = {"form": "dense", "denominator": "4", "columns": [["3", "1"], ["1", "3"], ["1", "3"]]}
    now = [[10, 2, 2, 2], [2, 10, 2, 2], [2, 2, 6, 6]]
    rare = {"form": "dense", "denominator": "2", "columns": [["2", "0"], ["1", "1"]]}
    never = relaxed(dense(SURE), degraded(SURE, rare["columns"], 2), rare)
    return {
        **{name: relaxed(*map(dense, pair[::-1]), inverted(*pair)) for name, pair in PAIRS.items()},
        "two answers": relaxed(uniform(2, 7, 1), uniform(2, 5, 3), halves),
        "three answers": relaxed(uniform(3, 6, 1), uniform(3, 86, 21), thirds),
        "four reports of three": relaxed(dense(now), degraded(now, pairs, 4), swapped),
        "fewer before": relaxed(dense(NOW), degraded(NOW, coarse["columns"], 4), coarse),
        "never sent by one": never | {"delta": "0.25"},
        "the same": relaxed(dense(NOW), dense(NOW), {"form": "same"}),
    }


def inverted(now: list[list[int]], later: list[list[int]]) -> Json:
    """The degradation of the later device to the earlier one, as it is served."""
    chances = degradation(now, sum(now[0]), later, sum(later[0]))
    denominator = lcm(*(entry.denominator for row in chances for entry in row))
    columns = [
        [str(int(entry * denominator)) for entry in column] for column in zip(*chances, strict=True)
    ]
    return {"form": "dense", "denominator": str(denominator), "columns": columns}


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


def relaxed(now: Json, before: Json, degradation: Json) -> Json:
    earlier = [{"wave": 1, "table": before, "degradation": degradation}]
    return device("q", now, "3", earlier=earlier, delta=None)


def degraded(columns: list[list[int]], chances: list[list[str]], whole: int) -> Json:
    """C P over a common denominator."""
    reports = range(len(chances[0]))
    return dense(
        [
            [sum(int(chances[w][u]) * entry for w, entry in enumerate(column)) for u in reports]
            for column in columns
        ]
    ) | {"denominator": whole * sum(columns[0])}


def degradation_of(degradation: Json, size: int) -> list[list[Fraction]]:
    """C[earlier][later]."""
    if degradation["form"] == "same":
        return [[Fraction(u == w) for w in range(size)] for u in range(size)]
    whole = int(degradation["denominator"])
    if degradation["form"] == "dense":
        columns = degradation["columns"]
        return [[Fraction(int(c[u]), whole) for c in columns] for u in range(len(columns[0]))]
    kept, other = int(degradation["kept"]), int(degradation["other"])
    return [[Fraction(kept if u == w else other, whole) for w in range(size)] for u in range(size)]


def shares(table: Json) -> list[list[Fraction]]:
    """P[truth][report]."""
    return [[Fraction(x, table["denominator"]) for x in column] for column in columns_of(table)]


def kernel(served: Json, previous: int) -> list[list[Fraction]]:
    """Pr(next | previous, truth) = C[previous, next] P[next, truth] / P_earlier[previous, truth].

    By truth, then by next report; where the truth never sends the earlier report, P itself.
    """
    (earlier,) = served["earlier"]
    now, before = shares(served["table"]), shares(earlier["table"])
    chances = degradation_of(earlier["degradation"], len(now[0]))[previous]
    return [
        [
            chance * entry / before[truth][previous]
            for chance, entry in zip(chances, column, strict=True)
        ]
        if before[truth][previous]
        else column
        for truth, column in enumerate(now)
    ]


def below(served: Json, previous: int) -> int:
    """The range of the draw: the smallest that all sums of whole weights divide."""
    (earlier,) = served["earlier"]
    columns, form = columns_of(served["table"]), earlier["degradation"]
    if form["form"] == "same":
        return 1
    scale = int(form["denominator"])
    chances = [chance * scale for chance in degradation_of(form, len(columns[0]))[previous]]
    sums = [sum(x * entry for x, entry in zip(chances, column, strict=True)) for column in columns]
    return lcm(*(int(sums[v] or sum(column)) for v, column in enumerate(columns)))


def draws(name: str, served: Json, previous: int) -> Iterator[Json]:
    """Some draws of the first truths, at the bounds of their columns and anywhere."""
    whole = below(served, previous)
    for truth, row in enumerate(kernel(served, previous)[:MOST]):
        for text, report in drawn(row, whole, f"{name} {previous} {truth}"):
            case = {"case": name, "previous": previous, "truth": truth}
            yield case | {"bytes": text, "report": report}


def downwards(name: str, served: Json) -> Iterator[Json]:
    """Some draws of the earlier report from the first later ones; no truth is needed."""
    form = served["earlier"][0]["degradation"]
    if form["form"] == "same":
        return
    columns = list(zip(*degradation_of(form, len(columns_of(served["table"])[0])), strict=True))
    for later, column in enumerate(columns[:MOST]):
        for text, report in drawn(column, int(form["denominator"]), f"{name} down {later}"):
            yield {"case": name, "later": later, "bytes": text, "report": report}


def drawn(chances: Sequence[Fraction], whole: int, label: str) -> Iterator[tuple[str, int]]:
    """Bytes, and the report that they give: of the integers on both sides of the first bounds, and
    of some arbitrary ones."""
    ends = [sum(chances[: report + 1], Fraction(0)) for report in range(len(chances))]
    width = ceil((whole - 1).bit_length() / 8)
    near = sorted({int(end * whole) + step for end in (0, *ends) for step in (-1, 0)})
    near = [number for number in near if 0 <= number < whole][:MOST_BOUNDS]
    streams = [number.to_bytes(width, "big") for number in near]
    streams += [fixed_bytes(f"relax {label} {number}", 64 * max(width, 1)) for number in range(3)]
    for stream in streams:
        number, used = naive_uniform(whole, stream)
        report = next(u for u, end in enumerate(ends) if end > Fraction(number, whole))
        yield stream[:used].hex(), report


def relaxation_vectors() -> Json:
    devices = cases()
    asked = [
        (name, served, previous)
        for name, served in devices.items()
        for previous in range(len(served["earlier"][0]["table"]["reports"]))
    ]
    return {
        "format": 1,
        "devices": [{"case": name, "device": served} for name, served in devices.items()],
        "kernels": [
            {
                "case": name,
                "previous": previous,
                "below": below(served, previous),
                "shares": [[str(x) for x in row] for row in kernel(served, previous)],
            }
            for name, served, previous in asked
            if below(served, previous) <= LARGEST_RANGE
        ],
        "draws": [
            case
            for name, served, previous in asked
            if previous < MOST
            for case in draws(name, served, previous)
        ],
        "degraded": [case for name, served in devices.items() for case in downwards(name, served)],
    }


if __name__ == "__main__":
    write("relaxations.json", relaxation_vectors())
