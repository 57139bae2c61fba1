"""Relaxing a million reports, as a ratio to drawing a million reports of the same next device.

Both in turns in one process; the least time of several rounds counts.
"""

import numpy as np

import rr_engine
from benchmarks.costs import seconds
from benchmarks.effort import Effort, Rows

PEOPLE, ROUNDS = 1_000_000, 5
SEED = 20261123
PAIRS = {
    "two": tuple(rr_engine.k_rr(2, epsilon).quantized() for epsilon in (1, 2)),
    "ten": tuple(rr_engine.k_rr(10, epsilon).quantized() for epsilon in (1, 2)),
    "thousand": tuple(rr_engine.channels.UniformChannel.from_epsilon(1000, e) for e in (4, 6)),
    "scale": tuple(rr_engine.designs.laplace(6, epsilon).quantized() for epsilon in (1, 2)),
    "cards": tuple(rr_engine.designs.card_deck(6, epsilon).quantized() for epsilon in (0.5, 1)),
}
TARGETS = {f"{name}.ratio": ("<=", 4.0) for name in PAIRS}


def rows(_effort: Effort) -> Rows:
    return {name: _compare(*pair) for name, pair in PAIRS.items()}


def _compare(
    now: rr_engine.channels.Channel, later: rr_engine.channels.Channel
) -> dict[str, float]:
    rng = np.random.default_rng(SEED)
    truths = rng.integers(now.truth_size, size=PEOPLE)
    previous = rr_engine.randomize(now, truths)
    drawing, relaxing = [], []
    for _ in range(ROUNDS):
        drawing.append(seconds(lambda: rr_engine.randomize(later, truths)))
        relaxing.append(
            seconds(lambda: rr_engine.relaxation.relax(previous, truths, now, later, rng))
        )
    ours, theirs = min(relaxing), min(drawing)
    return {"seconds": ours, "drawing": theirs, "ratio": ours / theirs}
