"""Reading tables: their columns, and what can be true or reported of them."""

import itertools
import math
from collections.abc import Iterable
from typing import Any

from candor.respondent.rules import is_whole, is_whole_text, require
from candor.respondent.values import Json

STEPS = ("dense", "uniform", "linear")
SENT_AGAIN = ("bloom", "bits", "joint", "ranking")


def steps_in(table: Json) -> list[Json]:
    """The tables that are drawn from: of a chain all of its steps."""
    return table["steps"] if table["form"] == "chain" else [table]


def tables_of(device: Json) -> list[tuple[Json, str]]:
    """Every table of a device with the epsilon that it keeps."""
    table = device["table"]
    if table["form"] != "chain":
        return [(table, device["epsilon"])]
    require(device["delta"] is None, "a chain has no delta")
    require(table["epsilons"][-1] == device["epsilon"], "the last epsilon is the device's")
    return list(zip(table["steps"], table["epsilons"], strict=True))


def columns_of(table: Json) -> list[list[int]]:
    """Every entry of a table of codes."""
    if table["form"] == "linear":
        seconds = (table["low"] + table["rise"] * step for step in range(table["steps"] + 1))
        return [[table["denominator"] - second, second] for second in seconds]
    if table["form"] == "dense":
        return table["columns"]
    size = range(len(table["reports"]))
    return [[table["kept"] if u == v else table["other"] for u in size] for v in size]


def truths_in(table: Json) -> int:
    if table["form"] == "product":
        return math.prod(map(truths_in, table["parts"]))
    if table["form"] == "chain":
        return truths_in(table["steps"][-1])
    return table["bits"] if table["form"] == "bits" else len(columns_of(table))


def degraded_columns(degradation: Json, reports: int) -> list[list[int]]:
    """Every entry of a degradation, by report of now and by earlier report."""
    if degradation["form"] == "uniform":
        kept, other = int(degradation["kept"]), int(degradation["other"])
        return [[kept if u == w else other for u in range(reports)] for w in range(reports)]
    for column in degradation["columns"]:
        require(isinstance(column, list), "a column of a degradation is a list")
        require(all(map(is_whole_text, column)), "entries of a degradation are whole strings")
    return [list(map(int, column)) for column in degradation["columns"]]


def report_at(entries: Iterable[int], integer: int) -> int:
    return sum(bound <= integer for bound in itertools.accumulate(entries))


def is_report(value: Any, table: Json) -> bool:
    """Whether a value is a report of a table of codes, of a group or of filters."""
    if table["form"] == "joint":
        sizes = list(map(len, table["parts"]))
        is_list = isinstance(value, list) and len(value) == len(sizes)
        return is_list and all(is_whole(x) and x < y for x, y in zip(value, sizes, strict=True))
    if table["form"] != "bloom":
        return is_whole(value) and value < len(table["reports"])
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[1], str):
        return False
    of_bits = len(value[1]) == table["bits"] and set(value[1]) <= {"0", "1"}
    return of_bits and is_whole(value[0]) and value[0] < table["cohorts"]
