"""How often intervals of list experiments cover, and how often their tests reject; by hand.

`PYTHONPATH=. python tests/engine/list_coverage.py` prints the table of docs/methods/item-count.md.
"""

import sys

import numpy as np

from rr_engine import k_rr, list_experiment
from rr_engine.item_count import design_effect_test
from rr_engine.library.item_count.tables import check_lists
from rr_engine.library.item_count.types import likelihood_interval

ROUNDS, SEED = 1000, 11
COUNTS = {
    "even": np.array([0.05, 0.25, 0.4, 0.25, 0.05]),
    "low": np.array([0.4, 0.4, 0.15, 0.05, 0.0]),
}


def surveys(rng, counts, prevalence, size, matrix):
    """Draw both groups of many surveys."""
    short = matrix[:, :-1] @ counts
    long = (1 - prevalence) * short + prevalence * matrix[:, 1:] @ counts
    pairs = rng.multinomial(size, short, ROUNDS), rng.multinomial(size, long, ROUNDS)
    return zip(*pairs, strict=True)


def coverage(name, prevalence, size, epsilon):
    """Return coverage and width of the normal, the likelihood's, and the possible interval."""
    design = None if epsilon is None else k_rr(6, epsilon)
    matrix = np.eye(6) if design is None else design.matrix
    held, widths = np.zeros(3), np.zeros(3)
    rng = np.random.default_rng(SEED)
    for control, treatment in surveys(rng, COUNTS[name], prevalence, size, matrix):
        short = control if design is not None else control[:-1]
        found = list_experiment(short, treatment, design=design)
        likely = likelihood_interval(check_lists(short, treatment, design), 0.95)
        for index, (low, high) in enumerate((found.interval, likely, found.possible_interval)):
            held[index] += low <= prevalence <= high
            widths[index] += high - low
    return held / ROUNDS, widths / ROUNDS


def rejections(name, prevalence, size, *, selection):
    """Return how often the test of design effects rejects at 5 % where there is none."""
    rng = np.random.default_rng(SEED)
    drawn = surveys(rng, COUNTS[name], prevalence, size, np.eye(6))
    return np.mean(
        [
            design_effect_test(control[:-1], treatment, selection=selection).p_value < 0.05
            for control, treatment in drawn
        ]
    )


def main():
    for name, prevalence, size, epsilon in (
        ("even", 0.0, 300, None),
        ("even", 0.3, 100, None),
        ("low", 0.1, 300, None),
        ("even", 0.3, 500, 3),
    ):
        held, widths = coverage(name, prevalence, size, epsilon)
        line = f"{name} {prevalence} {size} {epsilon} {held.round(3)} {widths.round(3)}\n"
        sys.stdout.write(line)
        sys.stdout.flush()
    for name in COUNTS:
        for prevalence in (0.0, 0.1):
            found = [rejections(name, prevalence, 300, selection=s) for s in (True, False)]
            sys.stdout.write(f"{name} {prevalence} {np.round(found, 4)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
