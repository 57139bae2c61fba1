"""Simulated size of the test of independence at 5 %: python -m tests.engine.independence_size

Writes the tables of docs/methods/association.md. "naive" treats the corrected table as if it had
been counted: n times its chi-square against the same degrees of freedom.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.stats import chi2

import rr_engine as rr
from rr_engine.kronecker import apply_axes
from rr_engine.multiattribute.joint_table import JointStratum
from tests.engine.markdown_tables import head, row

SEED = 20160315
EVEN3, SKEW2, SKEW4 = [1 / 3] * 3, [0.1, 0.9], [0.55, 0.25, 0.15, 0.05]
BADGE = rr.DesignMatrix([[0.6, 0.1], [0.3, 0.3], [0.1, 0.6]])

# Name, strata of (designs, people), margins of the two attributes.
Case = tuple[str, list[tuple[Sequence[rr.DesignMatrix], int]], Sequence[float], Sequence[float]]
CASES: list[Case] = [
    ("2 x 2, eps 1", [([rr.k_rr(2, 1), rr.k_rr(2, 1)], 200)], [0.5, 0.5], [0.5, 0.5]),
    ("2 x 2, eps 1, rare", [([rr.k_rr(2, 1), rr.k_rr(2, 1)], 1000)], SKEW2, SKEW2),
    ("2 x 2, eps 3, rare", [([rr.k_rr(2, 3), rr.k_rr(2, 3)], 1000)], SKEW2, SKEW2),
    ("2 x 2, eps 0.5", [([rr.k_rr(2, 0.5), rr.k_rr(2, 0.5)], 10_000)], SKEW2, [0.3, 0.7]),
    ("3 x 4, eps 1", [([rr.k_rr(3, 1), rr.k_rr(4, 1)], 500)], EVEN3, SKEW4),
    ("3 x 4, eps 2", [([rr.k_rr(3, 2), rr.k_rr(4, 2)], 2000)], EVEN3, SKEW4),
    ("6 x 3, eps 2, n 248", [([rr.k_rr(6, 2), rr.k_rr(3, 2)], 248)], [1 / 6] * 6, EVEN3),
    ("3 direct x 4, eps 1", [([rr.designs.direct(3), rr.k_rr(4, 1)], 1000)], EVEN3, SKEW4),
    ("badge x 3, eps 1", [([BADGE, rr.k_rr(3, 1)], 600)], SKEW2, EVEN3),
    (
        "two strata: eps 2, crosswise",
        [
            ([rr.k_rr(["No", "Yes"], 2), rr.k_rr(3, 2)], 500),
            ([rr.crosswise(0.25), rr.k_rr(3, 2)], 150),
        ],
        SKEW2,
        EVEN3,
    ),
    (
        "two strata: eps 1 and eps 3",
        [([rr.k_rr(3, 1), rr.k_rr(3, 1)], 800), ([rr.k_rr(3, 3), rr.k_rr(3, 3)], 200)],
        EVEN3,
        [0.6, 0.3, 0.1],
    ),
]


def draws(case: Case, rng: np.random.Generator, repetitions: int) -> list[np.ndarray]:
    """Return, per stratum, the tables of reports of many surveys under independence."""
    _, strata, rows, columns = case
    truth = np.outer(rows, columns)
    found = []
    for designs, people in strata:
        shares = apply_axes([design.matrix for design in designs], truth)
        tables = rng.multinomial(people, shares.ravel() / shares.sum(), size=repetitions)
        found.append(tables.reshape(-1, *shares.shape))
    return found


def rejection_share(case: Case, repetitions: int, seed: int = SEED) -> float:
    """Return how often independence is rejected at 5 %, though it holds.

    One estimate is made and then given the reports of every survey: the test looks at nothing else.
    """
    every = draws(case, np.random.default_rng(seed), repetitions)
    designs = [some for some, _ in case[1]]
    joint, hits = rr.joint.estimate_joint_strata(designs, [tables[0] for tables in every]), 0
    for tables in zip(*every, strict=True):
        strata = tuple(JointStratum(*pair) for pair in zip(designs, tables, strict=True))
        hits += rr.independence_test(replace(joint, strata=strata)).p_value <= 0.05
    return hits / repetitions


def naively_rejected(case: Case, repetitions: int, seed: int = SEED) -> float:
    """Return the same for the chi-square of the corrected table, one stratum only."""
    (every,), (designs, _) = draws(case, np.random.default_rng(seed), repetitions), case[1][0]
    freedom = (len(case[2]) - 1) * (len(case[3]) - 1)
    limit = chi2.isf(0.05, freedom)
    values = [
        rr.association.chi_square(rr.estimate_joint(designs, table), "none").value
        for table in every
    ]
    return float(np.mean(np.array(values) >= limit))


def strengths(repetitions: int) -> None:
    """Write what Cramer's V makes of a known strength: 3 x 3, epsilon 1 and 2, 5,000 people."""
    head("true V", "plain, mean", "corrected, mean", "interval covers")
    designs, rng = [rr.k_rr(3, 1), rr.k_rr(3, 2)], np.random.default_rng(SEED)
    for strength in (0.0, 0.05, 0.1, 0.2, 0.4, 0.7):
        truth = (1 - strength) / 9 + strength * np.eye(3) / 3
        shares = apply_axes([design.matrix for design in designs], truth).ravel()
        tables = rng.multinomial(5000, shares, size=repetitions).reshape(-1, 3, 3)
        joints = [rr.estimate_joint(designs, table) for table in tables]
        plain = np.mean([rr.association.cramers_v(joint, "none").value for joint in joints])
        found = [rr.association.cramers_v(joint) for joint in joints]
        ends = np.array([one.interval() for one in found])
        covers = ((ends[:, 0] <= strength + 1e-12) & (strength <= ends[:, 1])).mean()
        corrected = np.mean([one.value for one in found])
        row(strength, f"{plain:.3f}", f"{corrected:.3f}", f"{covers:.3f}")


def main(repetitions: int = 20_000) -> None:
    head("table, device", "people", "size at 5 %", "naive")
    for case in CASES:
        people = " + ".join(str(count) for _, count in case[1])
        size = rejection_share(case, repetitions)
        naive = f"{naively_rejected(case, 2000):.3f}" if len(case[1]) == 1 else ""
        row(case[0], people, f"{size:.4f}", naive)
    strengths(2000)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
