"""Simulated coverage of entropy, mutual information and Cramer's V at 95 %.

    nice -n 10 python -m tests.engine.distance_coverage [repetitions]

Writes tables for docs/methods/association.md. The interval of chi-square is that of V, squared and
scaled, and that of G squared is that of mutual information, scaled: they cover as often.
"""

import sys
from itertools import product

import numpy as np

from rr_engine import cramers_v, entropy, estimate, estimate_joint, k_rr, mutual_information
from rr_engine.association.distances import entropies, informations
from rr_engine.association.measures import phi_squared
from rr_engine.kronecker import apply_axes

SEED = 20160315
SIZES, TABLE_SIZES = (500, 5000, 50_000), (500, 5000)
SHARES = list(product((2, 5, 20), (0.5, 1, 3), (0, 0.05, 0.5)))
TABLES = list(product((2, 3, 5), (1, 2, 3), (0.0, 0.2, 0.7)))

# Share covered, share of results with a note that the material is too thin, mean length of an
# interval as a share of the range, mean error of the value.
Found = tuple[float, float, float, float]


def shares_of(size: int, first: float) -> np.ndarray:
    """Return one share and the rest in equal parts."""
    return np.array([first, *[(1 - first) / (size - 1)] * (size - 1)])


def table_of(size: int, strength: float) -> np.ndarray:
    """Return a table of even margins with this Cramer's V."""
    return (1 - strength) / size**2 + strength * np.eye(size) / size


def summary(measures: list, truth: float) -> Found:
    ends = np.array([one.interval() for one in measures])
    held = (ends[:, 0] <= truth + 1e-9) & (truth - 1e-9 <= ends[:, 1])
    low, high = measures[0].bounds
    length = (ends[:, 1] - ends[:, 0]).mean() / (high - low)
    noted = np.mean([one.note("too_thin") is not None for one in measures])
    return held.mean(), noted, length, np.mean([one.value for one in measures]) - truth


def entropy_found(size: int, epsilon: float, first: float, n: int, repetitions: int) -> Found:
    design, truth = k_rr(size, epsilon), shares_of(size, first)
    rng = np.random.default_rng(SEED)
    counts = rng.multinomial(n, design.matrix @ truth, size=repetitions)
    measures = [entropy(estimate(design, some)) for some in counts]
    return summary(measures, float(entropies(truth)))


def table_found(
    size: int, epsilon: float, strength: float, n: int, repetitions: int
) -> tuple[Found, Found]:
    """Return what Cramer's V and mutual information come to."""
    designs, truth = [k_rr(size, epsilon)] * 2, table_of(size, strength)
    rng = np.random.default_rng(SEED)
    shares = apply_axes([design.matrix for design in designs], truth).ravel()
    counts = rng.multinomial(n, shares, size=repetitions).reshape(-1, size, size)
    joints = [estimate_joint(designs, some) for some in counts]
    assert np.isclose(phi_squared(truth), (size - 1) * strength**2)
    return (
        summary([cramers_v(joint) for joint in joints], strength),
        summary(
            [mutual_information(joint) for joint in joints], float(informations(truth[None])[0])
        ),
    )


def row(*cells: object) -> None:
    sys.stdout.write("| " + " | ".join(map(str, cells)) + " |\n")
    sys.stdout.flush()


def shown(found: Found) -> list[str]:
    return [f"{value:.3f}" for value in found]


def entropy_table(repetitions: int) -> None:
    row("k", "epsilon", "share", "n", "covers", "too thin", "length", "bias")
    row(*["---"] * 8)
    for (size, epsilon, first), n in product(SHARES, SIZES):
        found = entropy_found(size, epsilon, first, n, repetitions)
        row(size, epsilon, first, f"{n:,}", *shown(found))


def association_table(repetitions: int) -> None:
    heads = ["covers", "too thin", "length", "bias"]
    row("k", "epsilon", "V", "n", *[f"{name} {head}" for name in ("V", "I") for head in heads])
    row(*["---"] * 12)
    for (size, epsilon, strength), n in product(TABLES, TABLE_SIZES):
        both = table_found(size, epsilon, strength, n, repetitions)
        row(size, epsilon, strength, f"{n:,}", *[cell for one in both for cell in shown(one)])


def main(repetitions: int = 1000) -> None:
    entropy_table(repetitions)
    sys.stdout.write("\n")
    association_table(repetitions)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
