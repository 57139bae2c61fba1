"""Invented respondents: reports of known truths, to see what a design recovers."""

import os

import numpy as np
import numpy.typing as npt

from rr_engine.arguments import check_design
from rr_engine.design import DesignMatrix
from rr_engine.device import RandomBytes, draw_reports
from rr_engine.errors import DesignError
from rr_engine.validation import (
    FloatArray,
    IntArray,
    check_distribution,
    check_population,
    check_rng,
    check_size,
    check_truths,
)


def randomize(
    design: DesignMatrix, truths: npt.ArrayLike, random_bytes: RandomBytes = os.urandom
) -> IntArray:
    """Draw a report for every true answer, exactly as the browser's device does.

    Parameters
    ----------
    design : DesignMatrix
        One without integers is quantized to 32 bits first.
    truths : array_like of int, shape (n,)
        Indices of categories; anything else is refused.
    random_bytes : callable, default os.urandom
        ``random_bytes(size)`` returns that many bytes.

    Returns
    -------
    ndarray of int, shape (n,)
        Indices of reports.

    Raises
    ------
    CategoryError
        When a truth is not one of the categories; there is no report for it.

    Examples
    --------
    >>> from rr_engine import direct
    >>> randomize(direct(3), [0, 2, 1]).tolist()
    [0, 2, 1]
    """
    known = check_truths(truths, len(check_design(design).categories))
    # Nobody is served here, so that nothing needs accepting.
    accepted = {"accept_infinite_epsilon": True}
    exact = design if design.integers is not None else design.quantized(**accepted)
    if exact.integers is None or exact.denominator is None:
        raise DesignError("design", design, "have an exact table")
    return draw_reports(exact.integers, exact.denominator, known, random_bytes)


def simulate_counts(
    design: DesignMatrix,
    proportions: npt.ArrayLike,
    n: int,
    rng: np.random.Generator | int | None = None,
    population: str = "sample",
) -> IntArray:
    """Count the reports of `n` invented respondents.

    Parameters
    ----------
    design : DesignMatrix
    proportions : array_like of float, shape (truths,)
        True proportions.
    n : int
    rng : Generator, int or None
        Source of chance, or its seed.
    population : {"sample", "fixed"}
        "sample" draws each respondent's truth; "fixed" gives the truths their proportions as
        nearly as whole people can, the largest remainders rounded up.

    Returns
    -------
    ndarray of int, shape (reports,)

    Examples
    --------
    >>> from rr_engine import direct
    >>> simulate_counts(direct(2), [0.25, 0.75], 8, rng=1, population="fixed").tolist()
    [2, 6]
    """
    shares = check_distribution(proportions, len(check_design(design).categories), "proportions")
    size, source = check_size(n, minimum=0), check_rng(rng)
    if check_population(population) == "fixed":
        people = whole_people(shares, size)
    else:
        people = source.multinomial(size, shares / shares.sum())
    columns = design.matrix / design.matrix.sum(axis=0)
    pairs = zip(people.tolist(), columns.T, strict=True)
    counts = np.zeros(len(columns), dtype=np.int64)
    return sum((source.multinomial(some, column) for some, column in pairs), start=counts)


def whole_people(shares: FloatArray, n: int) -> IntArray:
    """Return whole numbers that sum to `n` and follow `shares`, by largest remainders."""
    quotas = shares / shares.sum() * n
    people = np.floor(quotas).astype(np.int64)
    order = np.argsort(people - quotas, kind="stable")
    people[order[: n - people.sum()]] += 1
    return people
