"""Tables of chances, by form, and chains of them (section 3 of the protocol)."""

import itertools
import math
from fractions import Fraction

from candor.respondent.orders import distances_of, orders_with
from candor.respondent.reading import STEPS, columns_of, degraded_columns, truths_in
from candor.respondent.rules import (
    Rule,
    anything,
    check_form,
    is_counted,
    is_decimal,
    is_denominator,
    is_filled_list,
    is_labels,
    is_object,
    is_power_of_two,
    is_whole,
    is_whole_text,
    listing,
    none_or,
    require,
    whole,
)
from candor.respondent.values import (
    LEAST_MEMBERS,
    LEAST_RANKED,
    MOST_BITS,
    MOST_CELLS,
    MOST_COMBINATIONS,
    MOST_FILTER_BITS,
    MOST_MEMBERS,
    MOST_RANKED,
    MOST_STEPS,
    Json,
)

# By form of degradation.
DEGRADATIONS: dict[str, dict[str, Rule]] = {
    "same": {},
    "uniform": dict.fromkeys(("denominator", "kept", "other"), is_whole_text),
    "dense": {"denominator": is_whole_text, "columns": is_filled_list},
}

CODES = {"reports": is_labels, "denominator": is_denominator}
ENTRIES = {"denominator": is_denominator, "one": is_whole, "zero": is_whole}

# By form of table.
TABLES: dict[str, dict[str, Rule]] = {
    "dense": {**CODES, "columns": is_filled_list},
    "uniform": {**CODES, "kept": is_whole, "other": is_whole},
    "product": {"parts": listing(anything, 2)},
    "linear": {
        "reports": lambda value: is_labels(value) and len(value) == 2,
        "denominator": is_denominator,
        "low": is_whole,
        "rise": is_counted,
        "steps": whole(1, MOST_STEPS),
    },
    "bits": {"bits": whole(2, MOST_BITS), **ENTRIES},
    "bloom": {
        **{"cohorts": is_counted, "bits": whole(2, MOST_FILTER_BITS), "hashes": is_counted},
        **ENTRIES,
    },
    "joint": {
        "parts": listing(is_labels, 2),
        "denominator": is_denominator,
        "weights": listing(is_whole, 1),
    },
    "ties": {"bits": whole(LEAST_MEMBERS - 1, MOST_MEMBERS - 1), **ENTRIES},
    "ranking": {
        "items": whole(LEAST_RANKED, MOST_RANKED),
        "denominator": is_denominator,
        "weights": listing(is_whole, LEAST_RANKED + 1),
        "refusal": none_or(listing(is_whole, 3, 3)),
    },
    "chain": {
        "steps": listing(is_object, 1),
        "epsilons": listing(is_decimal, 1),
        "degradations": listing(is_object, 1),
    },
}


def check_chain(chain: Json, on_page: bool) -> None:
    steps, epsilons, links = chain["steps"], chain["epsilons"], chain["degradations"]
    require(len(steps) > 1, "a chain has two steps")
    require(len(epsilons) == len(steps), "an epsilon for each step")
    require(len(links) == len(steps) - 1, "a degradation between each two steps")
    for step in steps:
        require(step.get("form") in STEPS, "a step has codes")
        check_table(step, on_page)
    rising = map(Fraction.__lt__, map(Fraction, epsilons), map(Fraction, epsilons[1:]))
    require(all(rising), "the epsilons of a chain rise")
    for (step, later), link in zip(itertools.pairwise(steps), links, strict=True):
        check_link(step, later, link)


def check_link(before: Json, now: Json, degradation: Json) -> None:
    """Check that one table is another, degraded."""
    check_form(degradation, DEGRADATIONS, "a degradation has one of three forms")
    if degradation["form"] == "same":
        require(before == now, "a table that has not changed is the same")
    else:
        check_degraded(before, now, degradation)


def check_table(table: Json, on_page: bool) -> None:
    check_form(table, TABLES, "a table has one of the ten forms")
    if table["form"] == "chain":
        check_chain(table, on_page)
        return
    if table["form"] == "product":
        for part in table["parts"]:
            require(isinstance(part, dict), "a part is a table")
            require(part.get("form") in ("dense", "uniform"), "a part of a product has codes")
            check_table(part, on_page)
        return
    require(not on_page or is_power_of_two(table["denominator"]), "denominator is a power of two")
    if table["form"] == "joint":
        check_weights(table)
        return
    if table["form"] == "ranking":
        check_orders(table)
        return
    if table["form"] in ("bits", "bloom", "ties"):
        require(max(table["one"], table["zero"]) <= table["denominator"], "chances are at most one")
        if table["form"] == "bloom":
            check_filter(table)
        if table["form"] == "ties":
            require(table["one"] > table["zero"], "a tie is sent as 1 more often than none")
        return
    for column in columns_of(table):
        require(isinstance(column, list), "a column is a list")
        require(len(column) == len(table["reports"]), "one entry for each report")
        require(all(map(is_whole, column)), "entries are whole numbers")
        require(sum(column) == table["denominator"], "a column sums to the denominator")


def check_orders(table: Json) -> None:
    """The weights of all orders, and of a refusal (section 18)."""
    counts = [len(orders_with(table["items"], d)) for d in distances_of(table["items"])]
    require(len(table["weights"]) == len(counts), "a weight for each distance")
    reported, kept, each = table["refusal"] or (0, table["denominator"], 0)
    of_orders = sum(map(int.__mul__, table["weights"], counts))
    require(reported + of_orders == table["denominator"], "all that an order becomes")
    require(kept + each * sum(counts) == table["denominator"], "all that a refusal becomes")


def check_filter(table: Json) -> None:
    require(table["one"] > table["zero"], "a set bit is sent as 1 more often than a clear one")
    require(2 * table["hashes"] <= table["bits"], "a text sets half of the bits at most")
    require(table["cohorts"] * table["bits"] <= MOST_CELLS, "the bits of all cohorts are limited")


def check_degraded(before: Json, now: Json, degradation: Json) -> None:
    """Check that the chances of the table before are those of the table of now, degraded."""
    whole = int(degradation["denominator"])
    require(whole > 0, "the denominator of a degradation is above 0")
    degraded = degraded_columns(degradation, len(now["reports"]))
    require(len(degraded) == len(now["reports"]), "a column of the degradation for each report")
    for column in degraded:
        require(len(column) == len(before["reports"]), "one entry for each earlier report")
        require(sum(column) == whole, "a column of the degradation sums to its denominator")
    require(truths_in(before) == truths_in(now), "the same answers in each wave")
    for column, later in zip(columns_of(before), columns_of(now), strict=True):
        for u, entry in enumerate(column):
            chances = [Fraction(degraded[w][u], whole) for w in range(len(later))]
            chance = sum(map(Fraction.__mul__, chances, map(Fraction, later)))
            same = Fraction(entry, before["denominator"]) == chance / now["denominator"]
            require(same, "the earlier table is that of now, degraded")


def check_weights(table: Json) -> None:
    others = [len(names) - 1 for names in table["parts"]]
    require(math.prod(map(len, table["parts"])) <= MOST_COMBINATIONS, "not too many combinations")
    require(len(table["weights"]) == len(others) + 1, "a weight for each number of changes")
    numbers = [1] + [0] * len(others)
    for other in others:
        numbers = [a + other * b for a, b in zip(numbers, [0, *numbers], strict=False)]
    total = sum(map(int.__mul__, numbers, table["weights"]))
    require(total == table["denominator"], "the chances sum to the denominator")
