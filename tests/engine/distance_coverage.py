"""Simulated coverage of entropy, mutual information and Cramer's V at 95 %.

    nice -n 10 python -m tests.engine.distance_coverage [repetitions [part ...]]

Writes tables for docs/methods/association.md; the parts are "entropy", "association" and "others".
The interval of chi-square is that of V, squared and scaled, and that of G squared is that of mutual
information, scaled: they cover as often.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

import rr_engine as rr
from rr_engine.association.distances import entropies, informations
from rr_engine.association.measures import phi_squared
from rr_engine.kronecker import apply_axes
from tests.engine.markdown_tables import head, row

SEED = 20160315
SIZES, TABLE_SIZES = (500, 5000, 50_000), (500, 5000)
SHARES = list(product((2, 5, 20), (0.5, 1, 3), (0, 0.05, 0.5)))
TABLES = list(product((2, 3, 5), (1, 2, 3), (0.0, 0.2, 0.7)))
# Notes that say that an interval may not cover as often as it says, or more often.
DOUBTS = ("too_thin", "near_zero", "mostly_noise")
HEADS = ("covers", "noted", "length", "bias")

# Share covered, share of results with one of these notes, mean length of an interval as a share of
# the range, mean error of the value.
Found = tuple[float, float, float, float]
# The device of each stratum, and how many people have it.
Strata = Sequence[tuple[rr.DesignMatrix, int]]


def shares_of(size: int, first: float) -> np.ndarray:
    """Return one share and the rest in equal parts."""
    return np.array([first, *[(1 - first) / (size - 1)] * (size - 1)])


def falling(size: int, ratio: float) -> np.ndarray:
    """Return shares of which each is so many times the one before."""
    shares = ratio ** np.arange(size)
    return shares / shares.sum()


def table_of(size: int, strength: float) -> np.ndarray:
    """Return a table of even margins with this Cramer's V."""
    return (1 - strength) / size**2 + strength * np.eye(size) / size


def uneven_table(rows: Sequence[float], columns: Sequence[float], mixed: float) -> np.ndarray:
    """Return independence mixed with the table that goes together as much as its margins let it.

    The latter fills the cells from one corner (Frechet's upper bound).
    """
    ends = np.minimum.outer(np.cumsum(rows), np.cumsum(columns))
    together = np.diff(np.diff(ends, axis=0, prepend=0.0), axis=1, prepend=0.0)
    return (1 - mixed) * np.outer(rows, columns) + mixed * np.maximum(together, 0.0)


def summary(measures: list, truth: float) -> Found:
    ends = np.array([one.interval() for one in measures])
    held = (ends[:, 0] <= truth + 1e-9) & (truth - 1e-9 <= ends[:, 1])
    low, high = measures[0].bounds
    length = (ends[:, 1] - ends[:, 0]).mean() / (high - low)
    noted = np.mean([any(one.note(code) for code in DOUBTS) for one in measures])
    return held.mean(), noted, length, np.mean([one.value for one in measures]) - truth


def entropy_of_strata(strata: Strata, truth: np.ndarray, repetitions: int) -> Found:
    rng = np.random.default_rng(SEED)
    drawn = [rng.multinomial(n, design.matrix @ truth, size=repetitions) for design, n in strata]
    designs = [design for design, _ in strata]
    measures = [
        rr.association.entropy(rr.estimate_strata(designs, counts))
        for counts in zip(*drawn, strict=True)
    ]
    return summary(measures, float(entropies(truth)))


def table_of_strata(
    strata: Strata, truth: np.ndarray, repetitions: int, second: Strata | None = None
) -> tuple[Found, Found]:
    """Return what Cramer's V and mutual information come to.

    The same device for rows and columns, or that of `second` for the columns.
    """
    rng = np.random.default_rng(SEED)
    pairs = [[one, other] for (one, _), (other, _) in zip(strata, second or strata, strict=True)]
    drawn = []
    for designs, (_, n) in zip(pairs, strata, strict=True):
        shares = apply_axes([design.matrix for design in designs], truth)
        drawn.append(
            rng.multinomial(n, shares.ravel(), size=repetitions).reshape(-1, *shares.shape)
        )
    joints = [rr.joint.estimate_joint_strata(pairs, counts) for counts in zip(*drawn, strict=True)]
    strength = np.sqrt(phi_squared(truth) / (min(truth.shape) - 1))
    return (
        summary([rr.association.cramers_v(joint) for joint in joints], float(strength)),
        summary(
            [rr.association.mutual_information(joint) for joint in joints],
            float(informations(truth[None])[0]),
        ),
    )


def entropy_found(size: int, epsilon: float, first: float, n: int, repetitions: int) -> Found:
    return entropy_of_strata([(rr.k_rr(size, epsilon), n)], shares_of(size, first), repetitions)


def table_found(
    size: int, epsilon: float, strength: float, n: int, repetitions: int
) -> tuple[Found, Found]:
    return table_of_strata([(rr.k_rr(size, epsilon), n)], table_of(size, strength), repetitions)


def devices() -> Iterator[tuple[str, int, list[tuple[rr.DesignMatrix, float]]]]:
    """Yield names, categories, and devices that are not k-ary or not alike, with parts of n."""
    for size in (3, 5):
        yield "epsilon 1 and 3", size, [(rr.k_rr(size, 1), 0.5), (rr.k_rr(size, 3), 0.5)]
    yield "deck of cards, epsilon 1", 7, [(rr.designs.card_deck(7, 1), 1.0)]
    yield "subsets, epsilon 1", 8, [(rr.designs.subset_selection(8, 1), 1.0)]


UNEVEN = {
    "90, 10 by 70, 30": ([0.9, 0.1], [0.7, 0.3]),
    "70, 20, 10 by 50, 30, 20": ([0.7, 0.2, 0.1], [0.5, 0.3, 0.2]),
    "40, 30, 15, 10, 5 by 80, 20": ([0.4, 0.3, 0.15, 0.1, 0.05], [0.8, 0.2]),
}


def report(found: Found) -> list[str]:
    return [f"{value:.3f}" for value in found]


def entropy_table(repetitions: int) -> None:
    head("k", "epsilon", "share", "n", *HEADS)
    for (size, epsilon, first), n in product(SHARES, SIZES):
        found = entropy_found(size, epsilon, first, n, repetitions)
        row(size, epsilon, first, f"{n:,}", *report(found))


def association_table(repetitions: int) -> None:
    head("k", "epsilon", "V", "n", *[f"{name} {one}" for name in ("V", "I") for one in HEADS])
    for (size, epsilon, strength), n in product(TABLES, TABLE_SIZES):
        both = table_found(size, epsilon, strength, n, repetitions)
        row(size, epsilon, strength, f"{n:,}", *[cell for one in both for cell in report(one)])


def others_table(repetitions: int) -> None:
    """Other devices and shares, several strata, and tables of uneven margins."""
    head("setting", "truth", "n", "measure", *HEADS)
    for (name, size, parts), first, n in product(list(devices()), (0, 0.05, 0.5), TABLE_SIZES):
        strata = [(design, int(part * n)) for design, part in parts]
        found = entropy_of_strata(strata, shares_of(size, first), repetitions)
        row(f"{size} categories, {name}", f"share {first}", f"{n:,}", "H", *report(found))
    for size, ratio, epsilon, n in product((5, 10), (0.6, 0.8), (1, 2), TABLE_SIZES):
        found = entropy_of_strata([(rr.k_rr(size, epsilon), n)], falling(size, ratio), repetitions)
        name = f"{size} categories, epsilon {epsilon}"
        row(name, f"each {ratio} of the last", f"{n:,}", "H", *report(found))
    strata = [(rr.k_rr(3, 1), 0.5), (rr.k_rr(3, 3), 0.5)]
    for strength, n in product((0.0, 0.2, 0.7, 1.0), TABLE_SIZES):
        parts = [(design, int(part * n)) for design, part in strata]
        both = table_of_strata(parts, table_of(3, strength), repetitions)
        for name, found in zip("VI", both, strict=True):
            row("3 x 3, epsilon 1 and 3", f"V {strength}", f"{n:,}", name, *report(found))
    for (name, margins), mixed, n in product(UNEVEN.items(), (0.0, 0.2, 0.7), TABLE_SIZES):
        first, second = ([(rr.k_rr(len(shares), 2), n)] for shares in margins)
        both = table_of_strata(first, uneven_table(*margins, mixed), repetitions, second)
        for measure, found in zip("VI", both, strict=True):
            row(f"{name}, epsilon 2", f"mixed {mixed}", f"{n:,}", measure, *report(found))


PARTS = {"entropy": entropy_table, "association": association_table, "others": others_table}


def main(repetitions: str = "2000", *parts: str) -> None:
    for part in parts or PARTS:
        PARTS[part](int(repetitions))
        sys.stdout.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
