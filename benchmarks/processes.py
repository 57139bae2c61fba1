"""Accepted submissions a second with 1, 2 and 4 web processes, against a bare view with as many.

All six servers run beside each other on one stack and are asked in turns: whoever is not asked
takes nothing.
"""

from contextlib import ExitStack
from statistics import median
from typing import Any

from benchmarks.effort import Effort
from benchmarks.submit import BARE, OURS, bare_order, load, our_order, serving
from tests.system.stack import Stack

PROCESSES = (1, 2, 4)
# Of the seconds that others get for a turn, as there are three times as many.
SHARE = 0.5
# The least share of the bare view's, as with the two processes of `submit`.
TARGETS = {f"ratio_{number}": (">=", 0.6) for number in PROCESSES}


def measure(stack: Stack, effort: Effort) -> dict[str, Any]:
    """`ours`, `bare` and their `ratio` by the number of processes; `growth` against one process."""
    document, seconds = stack.ledger("launch", "processes"), effort.seconds * SHARE
    with ExitStack() as servers:
        both = {
            number: (
                our_order(
                    servers.enter_context(serving(stack, OURS, processes=number)),
                    document,
                    seconds,
                ),
                bare_order(servers.enter_context(serving(stack, BARE, processes=number)), seconds),
            )
            for number in PROCESSES
        }
        for orders in both.values():
            for order in orders:
                load({**order, "seconds": 1})  # warms up
        rounds = [
            {number: [load(order) for order in orders] for number, orders in both.items()}
            for _ in range(effort.rounds)
        ]
    numbers: dict[str, Any] = {}
    for number in PROCESSES:
        pairs = [[run["per_second"] for run in turn[number]] for turn in rounds]
        numbers[f"ours_{number}"] = median(ours for ours, _ in pairs)
        numbers[f"bare_{number}"] = median(bare for _, bare in pairs)
        numbers[f"ratio_{number}"] = median(ours / bare for ours, bare in pairs)
    for name in ("ours", "bare"):
        for number in PROCESSES[1:]:
            numbers[f"{name}_growth_{number}"] = numbers[f"{name}_{number}"] / numbers[f"{name}_1"]
    statuses = [run["statuses"] for turn in rounds for runs in turn.values() for run in runs]
    return {**numbers, "statuses": statuses}
