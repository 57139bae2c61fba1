"""The parts of a run: a new part is one more line in one of the three tables.

`measure` returns rows of numbers; a part that needs a database has one row for each database.
`targets` are those of the project, by number, or by row and number ("uniform.local").
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks import (
    beside,
    export_memory,
    formats,
    imports,
    joint,
    large,
    networks,
    optimal,
    panel,
    peers,
    processes,
    recompute,
    relaxation,
    rosters,
    share,
    split,
    stalled,
    strings,
    submit,
    waves,
    worker,
)

DATABASES = ("sqlite", "postgresql")


@dataclass(frozen=True, slots=True)
class Part:
    """`full_only`: too long for `make bench`, or of no interest to most changes.

    `databases`: those that it is measured on, where it needs one.
    """

    name: str
    measure: Callable[..., Any]
    targets: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    full_only: bool = False
    databases: tuple[str, ...] = DATABASES


# measure(effort) -> rows
ALONE = (
    Part("imports", imports.rows, imports.TARGETS),
    Part("engine", peers.engine, peers.TARGETS),
    Part("models", peers.models, peers.MODEL_TARGETS),
    Part("optimal", optimal.rows, optimal.BY_ROW),
    Part("large", large.rows, large.TARGETS),
    Part("joint", joint.rows, joint.TARGETS),
    Part("strings", strings.rows, strings.TARGETS),
    Part("relaxation", relaxation.rows, relaxation.TARGETS),
    Part("networks", networks.rows, networks.TARGETS),
    Part("rosters", rosters.rows, rosters.TARGETS),
    Part("split", split.rows, split.TARGETS),
    Part("panel", panel.rows, panel.TARGETS),
    Part("formats", formats.rows, formats.TARGETS),
    Part("export", export_memory.rows, {"ratio": ("<=", 1.1)}, full_only=True),
)
# measure(stack, effort) -> numbers; the stack is what `make run` starts, one for all of them.
ON_A_STACK = (
    Part(
        "submit",
        lambda stack, effort: submit.measure(stack, rounds=effort.rounds, seconds=effort.seconds),
        {"ratio": (">=", 0.6), "ours_per_second": (">=", 100.0), "p95_ms": ("<", 100.0)},
    ),
    Part("processes", processes.measure, processes.TARGETS, databases=("postgresql",)),
    Part("waves", waves.measure, {"ratio": (">=", 0.8)}),
    Part("stalled", stalled.measure, {"longest": ("<", 1.0)}),
    Part("beside", beside.measure, beside.TARGETS, databases=("postgresql",)),
    Part("share", share.measure),
    Part("worker", worker.measure, {"growth": ("<=", 1.1)}),
)
# measure(database_url, effort) -> numbers; an empty address stands for a new SQLite file.
ON_A_DATABASE = (
    Part("recompute", recompute.measure_both, {"ratio": ("<=", 1.4)}),
    Part(
        "millions",
        recompute.measure_large,
        {"ratio": ("<=", 1.4)},
        full_only=True,
        databases=("postgresql",),
    ),
)
