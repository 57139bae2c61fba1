"""The rules for one table: its entries, and what its reports are to a person."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import factorial

from rr_engine.channels.joint_channel import neighbours
from rr_engine.designs.orders import distance_counts
from surveys.parameters.cards import is_deck
from surveys.parameters.document import BITS, CARDS, ORDERS, Device
from surveys.parameters.earlier import is_degraded
from surveys.parameters.tables import (
    MOST_CELLS,
    MOST_COMBINATIONS,
    Bits,
    Bloom,
    Chain,
    Dense,
    Joint,
    Linear,
    Product,
    Ranking,
    Table,
    Ties,
)
from surveys.parameters.types import Problem


def problems_of_table(table: Table, field: str, *, in_hand: bool) -> Iterator[Problem]:
    if isinstance(table, Product):
        for index, part in enumerate(table.parts):
            yield from problems_of_table(part, f"{field}.parts.{index}", in_hand=in_hand)
        return
    if isinstance(table, Chain):
        for index, step in enumerate(table.steps):
            yield from problems_of_table(step, f"{field}.steps.{index}", in_hand=in_hand)
        yield from _of_links(table, field)
        return
    denominator = table.denominator
    if not in_hand and denominator & (denominator - 1):
        yield "not_power_of_two", f"{field}.denominator", "a power of two where a browser draws"
    if isinstance(table, Bits):
        yield from _too_large({"one": table.one, "zero": table.zero}, denominator, field)
        return
    if isinstance(table, Ties):
        yield from _too_large({"one": table.one, "zero": table.zero}, denominator, field)
        if table.one <= table.zero:
            yield "bad_ties", f"{field}.one", "above zero: a tie is reported more often"
        return
    if isinstance(table, Bloom):
        yield from _of_filter(table, field)
        return
    if isinstance(table, Joint):
        yield from _of_combinations(table, field)
        return
    if isinstance(table, Ranking):
        yield from _of_orders(table, field)
        return
    if len(set(table.reports)) < len(table.reports):
        yield "bad_labels", f"{field}.reports", "the names of the reports must differ"
    if isinstance(table, Linear):
        yield from _too_large({"rise": table.high}, denominator, field)
        return
    if not isinstance(table, Dense):
        if table.kept + (len(table.reports) - 1) * table.other != denominator:
            yield "wrong_sum", f"{field}.kept", "kept and all others must sum to the denominator"
        return
    for index, column in enumerate(table.columns):
        if len(column) != len(table.reports):
            yield "wrong_length", f"{field}.columns.{index}", "one entry for each report"
        if sum(column) != denominator:
            yield "wrong_sum", f"{field}.columns.{index}", "the entries sum to the denominator"


def _of_links(chain: Chain, field: str) -> Iterator[Problem]:
    """Each step is the one after it, exactly as degraded, so that the last one reveals it all."""
    if len(chain.epsilons) != len(chain.steps):
        yield "wrong_length", f"{field}.epsilons", "one for each step"
        return
    if len(chain.degradations) != len(chain.steps) - 1:
        yield "wrong_length", f"{field}.degradations", "one between each two steps"
        return
    links = zip(pairwise(chain.steps), chain.degradations, strict=True)
    for index, ((step, later), degradation) in enumerate(links):
        if not is_degraded(step, later, degradation):
            rule = "a step must be the one after it, exactly as degraded"
            yield "not_relaxed", f"{field}.degradations.{index}", rule


def _of_filter(table: Bloom, field: str) -> Iterator[Problem]:
    yield from _too_large({"one": table.one, "zero": table.zero}, table.denominator, field)
    if table.one <= table.zero:
        yield "bad_filter", f"{field}.one", "above zero: a set bit is reported more often"
    if 2 * table.hashes > table.bits:
        yield "bad_filter", f"{field}.hashes", "at most half of the bits"
    if table.cohorts * table.bits > MOST_CELLS:
        yield "bad_filter", f"{field}.cohorts", f"at most {MOST_CELLS} bits in all cohorts"


def _of_combinations(table: Joint, field: str) -> Iterator[Problem]:
    for index, names in enumerate(table.parts):
        if len(set(names)) < len(names):
            yield "bad_labels", f"{field}.parts.{index}", "the names of the reports must differ"
    if table.truths > MOST_COMBINATIONS:
        yield "bad_group", f"{field}.parts", f"at most {MOST_COMBINATIONS} combinations of answers"
        return
    numbers = neighbours(table.shape)
    if len(table.weights) != len(numbers):
        yield "wrong_length", f"{field}.weights", "one for each number of changed answers"
    elif sum(map(int.__mul__, table.weights, numbers)) != table.denominator:
        rule = "with their numbers of reports they must sum to the denominator"
        yield "wrong_sum", f"{field}.weights", rule


def _of_orders(table: Ranking, field: str) -> Iterator[Problem]:
    numbers = distance_counts(table.items)
    if len(table.weights) != len(numbers):
        yield "wrong_length", f"{field}.weights", "one for each distance of two orders"
        return
    reported, kept, each = table.refusal or (0, table.denominator, 0)
    if reported + sum(map(int.__mul__, table.weights, numbers)) != table.denominator:
        rule = "with their numbers of orders, and a refusal, they must sum to the denominator"
        yield "wrong_sum", f"{field}.weights", rule
    if kept + factorial(table.items) * each != table.denominator:
        yield "wrong_sum", f"{field}.refusal", "with all orders it must sum to the denominator"


def _too_large(entries: dict[str, int], denominator: int, field: str) -> Iterator[Problem]:
    for name, entry in entries.items():
        if entry > denominator:
            yield "wrong_sum", f"{field}.{name}", "at most the denominator"


def problems_of_look(device: Device, steps: Sequence[Table], field: str) -> Iterator[Problem]:
    """`steps`: the tables of the device, of a chain all of them."""
    if device.look == BITS and not isinstance(device.table, Bits):
        yield "bad_bits", f"{field}.table", "a bit for each answer, where it is shown as that"
    if (device.look == ORDERS) != isinstance(device.table, Ranking):
        yield "bad_form", f"{field}.table", "an order where it is shown as that, and only there"
    if device.look == CARDS and not all(map(is_deck, steps)):
        yield "bad_cards", f"{field}.table", "cards must show equally many answers, none more often"
