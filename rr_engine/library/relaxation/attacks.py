"""Guesses of an answer from a chain of reports, and what none of them can do better than."""

from collections.abc import Sequence
from itertools import pairwise
from math import exp

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, IntArray
from rr_engine.channels.tallies import LARGEST_TALLY
from rr_engine.codes import check_code_table
from rr_engine.errors import ArgumentError
from rr_engine.library.relaxation.chain import Chain
from rr_engine.relaxation.kernel import relaxation_kernel


def guess_last(reports: ArrayLike) -> IntArray:
    """Guess that the last report is the truth.

    Parameters
    ----------
    reports : array_like of int, shape (n, devices)
        Of devices whose reports are categories, the lowest epsilon first.

    Returns
    -------
    ndarray of int, shape (n,)

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       section 6.1.

    Examples
    --------
    >>> guess_last([[0, 1, 2], [1, 1, 0]]).tolist()
    [2, 0]
    """
    return _check_chains(reports)[:, -1].copy()


def guess_most_likely(reports: ArrayLike, chain: Chain) -> IntArray:
    """Guess the truth under which the whole sequence of reports is most likely.

    Parameters
    ----------
    reports : array_like of int, shape (n, devices)
    chain : Chain
        Of devices whose tables can be formed.

    Returns
    -------
    ndarray of int, shape (n,)
        Of equally likely truths the first.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       section 6.1.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> guess_most_likely([[0, 1], [1, 1]], Chain([k_rr(2, 1), k_rr(2, 2)])).tolist()
    [1, 1]
    """
    tuples = _check_chains(reports)
    check.instance(chain, "chain", Chain, "be a Chain", "no_chain")
    if tuples.shape[1] != len(chain.designs):
        rule = f"have {len(chain.designs)} reports in each row"
        raise ArgumentError("reports", reports, rule, "not_numbers")
    with np.errstate(divide="ignore"):
        likelihood = np.log(chain.designs[0].matrix)[tuples[:, 0]]
        for step, (now, later) in enumerate(pairwise(chain.designs)):
            kernel = np.log(relaxation_kernel(now, later))
            likelihood = likelihood + kernel[tuples[:, step + 1], tuples[:, step]]
    return likelihood.argmax(axis=1)


def guess_most_frequent(
    reports: ArrayLike, categories: int, weights: Sequence[float] | None = None
) -> IntArray:
    """Guess the category that was reported most often, or with the largest sum of weights.

    Parameters
    ----------
    reports : array_like of int, shape (n, devices)
    categories : int
    weights : sequence of float, optional
        One for each device; the paper takes the epsilons. Left out: all the same.

    Returns
    -------
    ndarray of int, shape (n,)
        Of categories with the same sum the one that was reported last.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       section 6.1.

    Examples
    --------
    >>> guess_most_frequent([[0, 0, 1], [2, 1, 0]], 3).tolist()
    [0, 0]
    >>> guess_most_frequent([[0, 0, 1]], 3, weights=[0.1, 0.2, 1]).tolist()
    [1]
    """
    size = check.whole(categories, "categories", minimum=2, maximum=LARGEST_TALLY)
    tuples = _check_chains(reports, size)
    steps = tuples.shape[1]
    shares = np.ones(steps) if weights is None else _check_weights(weights, steps)
    sums, latest = np.zeros((len(tuples), size)), np.full((len(tuples), size), -1)
    people = np.arange(len(tuples))
    for step in range(steps):
        sums[people, tuples[:, step]] += shares[step]
        latest[people, tuples[:, step]] = step
    largest = np.isclose(sums, sums.max(axis=1, keepdims=True), rtol=1e-12, atol=0)
    return np.where(largest, latest, -2).argmax(axis=1)


def attack_floor(categories: int, epsilon: Epsilon) -> float:
    """Return the least error rate of any guess of a truth whose values are equally common.

    Parameters
    ----------
    categories : int
    epsilon : Decimal, str or float
        Of the last report of the chain.

    Returns
    -------
    float
        ``(t - 1) / (t - 1 + e**epsilon)``.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Theorem 6.1.

    Examples
    --------
    >>> round(attack_floor(5, 1), 4)
    0.5954
    """
    others = check.whole(categories, "categories", minimum=2, maximum=check.MAX_PEOPLE) - 1
    # Scaled by e**-epsilon so that a large budget cannot overflow.
    shrunk = others * exp(-float(check.epsilon(epsilon)))
    return shrunk / (1 + shrunk)


def _check_weights(value: object, steps: int) -> FloatArray:
    rule = f"be {steps} numbers of at least 0, one for each device"
    weights = check.reals(value, (steps,), "weights", rule)
    if weights.min() < 0:
        raise ArgumentError("weights", value, rule, "out_of_range")
    return weights


def _check_chains(value: object, size: int | None = None) -> IntArray:
    rule = "be a table of reports, a row for each person and a column for each device"
    array = check_code_table(value, "reports", rule, error=ArgumentError, code="not_numbers")
    if array.ndim != 2 or not array.shape[1]:
        raise ArgumentError("reports", value, rule, "not_numbers")
    outside = array.size and (array.min() < 0 or (size is not None and array.max() >= size))
    if outside:
        rule = "hold indices of categories" if size is None else f"hold indices below {size}"
        raise ArgumentError("reports", value, rule, "out_of_range")
    return array
