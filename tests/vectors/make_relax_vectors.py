"""Write relaxations.json: python -m tests.vectors.make_relax_vectors

How a report is drawn given an earlier one (Pan 2024, Theorem 3.1), in fractions and straight from
the formula; static/js/rr/earlier.js reaches the same with whole weights and bounds.
"""

import json
from fractions import Fraction
from math import ceil, lcm
from pathlib import Path
from typing import Any

from tests.vectors.make_device_vectors import fixed_bytes, naive_uniform
from tests.vectors.make_wire_vectors import dense, device, uniform

FOLDER = Path(__file__).parent
Json = dict[str, Any]


def cases() -> list[tuple[str, Json]]:
    """Devices of a second wave."""
    halves = {"form": "uniform", "denominator": "3", "kept": "2", "other": "1"}
    thirds = {"form": "uniform", "denominator": "16", "kept": "14", "other": "1"}
    pairs = [["3", "1", "0", "0"], ["1", "3", "0", "0"], ["0", "0", "3", "1"], ["0", "0", "1", "3"]]
    swapped = {"form": "dense", "denominator": "4", "columns": pairs}
    coarse = {"form": "dense", "denominator": "4", "columns": [["3", "1"], ["1", "3"], ["1", "3"]]}
    now = [[10, 2, 2, 2], [2, 10, 2, 2], [2, 2, 6, 6]]
    rare = {"form": "dense", "denominator": "2", "columns": [["2", "0"], ["1", "1"]]}
    return [
        ("two answers", relaxed(uniform(2, 7, 1), uniform(2, 5, 3), halves)),
        ("three answers", relaxed(uniform(3, 6, 1), uniform(3, 86, 21), thirds)),
        ("four reports of three", relaxed(dense(now), degraded(now, pairs, 4), swapped)),
        ("fewer before", relaxed(dense(NOW), degraded(NOW, coarse["columns"], 4), coarse)),
        (
            "never sent by one",
            relaxed(dense(SURE), degraded(SURE, rare["columns"], 2), rare) | {"delta": "0.25"},
        ),
        ("the same", relaxed(dense(NOW), dense(NOW), {"form": "same"})),
    ]


NOW = [[8, 4, 4], [4, 8, 4], [4, 4, 8]]
SURE = [[4, 0], [3, 1]]


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


def columns_of(table: Json) -> list[list[int]]:
    if table["form"] == "dense":
        return table["columns"]
    size = range(len(table["reports"]))
    return [[table["kept"] if u == v else table["other"] for u in size] for v in size]


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


def draws(name: str, served: Json, previous: int) -> list[Json]:
    """Some draws of each truth, at the bounds of its column and anywhere."""
    found = []
    for truth, row in enumerate(kernel(served, previous)):
        ends = [sum(row[: report + 1], Fraction(0)) for report in range(len(row))]
        for stream in streams(f"relax {name} {previous} {truth}", ends, below(served, previous)):
            drawn, used = naive_uniform(below(served, previous), stream)
            share = Fraction(drawn, below(served, previous))
            report = next(u for u, end in enumerate(ends) if end > share)
            found.append(
                {
                    "case": name,
                    "previous": previous,
                    "truth": truth,
                    "bytes": stream[:used].hex(),
                    "report": report,
                }
            )
    return found


def streams(label: str, ends: list[Fraction], whole: int) -> list[bytes]:
    width = ceil((whole - 1).bit_length() / 8)
    near = {int(end * whole) + step for end in ends for step in (-1, 0)}
    edges = [drawn.to_bytes(width, "big") for drawn in sorted(near) if 0 <= drawn < whole]
    return [*edges, *(fixed_bytes(f"{label} {number}", 64) for number in range(3))]


def relax_vectors() -> Json:
    asked = [
        (name, served, previous)
        for name, served in cases()
        for previous in range(len(served["earlier"][0]["table"]["reports"]))
    ]
    return {
        "format": 1,
        "devices": [{"case": name, "device": served} for name, served in cases()],
        "kernels": [
            {
                "case": name,
                "previous": previous,
                "below": below(served, previous),
                "shares": [[str(x) for x in row] for row in kernel(served, previous)],
            }
            for name, served, previous in asked
        ],
        "draws": [
            case for name, served, previous in asked for case in draws(name, served, previous)
        ],
    }


if __name__ == "__main__":
    text = json.dumps(relax_vectors(), indent=1) + "\n"
    (FOLDER / "relaxations.json").write_text(text)
