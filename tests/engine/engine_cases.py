"""Devices that every contract is checked on, exact enumeration of surveys, and checks of each."""

import re
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np
import pytest

from rr_engine import DesignMatrix, EngineError, k_rr, warner
from rr_engine.designs import direct, generalized_binary

# Rows are reports, columns truths; a badge of three colours for two truths, invented.
BADGE = [[0.6, 0.1], [0.3, 0.3], [0.1, 0.6]]
# No structure at all: every entry differs.
UNEVEN = [[0.61, 0.11, 0.07, 0.05], [0.17, 0.53, 0.13, 0.2], [0.12, 0.19, 0.7, 0.3]]
UNEVEN = [*UNEVEN, [0.1, 0.17, 0.1, 0.45]]

DESIGNS = {
    "k_rr 2": k_rr(2, "1"),
    "k_rr 5": k_rr(["a", "b", "c", "d", "e"], 0.5),
    "k_rr 20": k_rr(20, 3),
    "warner": warner(0.75),
    "warner, answer-reversing": warner(0.2),
    "binary, uneven": generalized_binary(0.9, 0.6),
    "binary, one answer proves": generalized_binary(0.4, 1.0),
    "direct": direct(3),
    "more reports than truths": DesignMatrix(BADGE),
    "four, uneven": DesignMatrix(UNEVEN),
    "a report never made": DesignMatrix([[0.7, 0.2], [0.3, 0.8], [0.0, 0.0]]),
    "from integers": DesignMatrix.from_integers([[200, 30, 30], [28, 200, 26], [28, 26, 200]], 256),
}


def exact(design: DesignMatrix, bits: int = 32) -> DesignMatrix:
    """Return the integer version of any case, those that prove something included."""
    return design.quantized(bits, accept_infinite_epsilon=True)


def refusal(call, *given, **named) -> EngineError:
    """Return the error with which the engine refuses a call."""
    with pytest.raises(EngineError) as caught:
        call(*given, **named)
    return caught.value


def refusals(by, *cases, kind=EngineError, given=tuple):
    """Return a test that each call is refused, and what its error says of itself.

    `cases`: what is said and the call, perhaps with the kind of error; `by`: whether that is its
    code, its argument, or words of its text. `given`: makes what every call takes.
    """

    @pytest.mark.parametrize("case", cases, ids=[str(case[0]) for case in cases])
    def test(case):
        said, call, *own = case
        error = refusal(call, *given())
        assert isinstance(error, *own or [kind])
        if by == "words":
            assert re.search(said, str(error))
        else:
            assert getattr(error, by) == said

    return test


def outcomes(shares: np.ndarray, n: int) -> list[tuple[np.ndarray, float]]:
    """Return every table of counts of n draws, with its multinomial probability."""
    grid = product(range(n + 1), repeat=len(shares))
    counts = [np.array(cell) for cell in grid if sum(cell) == n]
    return [(count, multinomial(count, shares)) for count in counts]


def multinomial(counts: np.ndarray, shares: np.ndarray) -> float:
    ways = factorial(int(counts.sum())) // prod(factorial(int(count)) for count in counts)
    return ways * float(np.prod(shares**counts))


def proportions_of(found):
    return found.proportions


def check_mean(cases, truth, atol=1e-10, value=proportions_of) -> tuple[np.ndarray, np.ndarray]:
    """Check that estimates are unbiased over all outcomes, and return their errors and chances."""
    chances = np.array([chance for _, chance in cases])
    assert chances.sum() == pytest.approx(1)
    errors = np.array([np.ravel(value(found)) for found, _ in cases]) - np.ravel(truth)
    assert np.allclose(chances @ errors, 0, atol=atol)
    return errors, chances


def check_moments(
    cases, truth, stated=lambda found: found.covariance, atol=1e-10, value=proportions_of
) -> None:
    """Check that estimates are unbiased over all outcomes, and so are the covariances they state.

    `cases`: estimates with the probabilities of their outcomes; `value`: the numbers estimated, if
    not proportions; `stated` may give variances alone.
    """
    errors, chances = check_mean(cases, truth, atol, value)
    true = (chances * errors.T) @ errors
    mean = sum(chance * stated(found) for found, chance in cases)
    assert np.allclose(mean, true if np.ndim(mean) == 2 else np.diag(true), atol=atol)


def below_exponential(epsilon: str, terms: int = 90) -> Fraction:
    """Return a rational number below e**epsilon: a partial sum of its series."""
    x, term, total = Fraction(epsilon), Fraction(1), Fraction(1)
    for order in range(1, terms):
        term *= x / order
        total += term
    return total


class Tape:
    """A random source that hands out given bytes once."""

    def __init__(self, content: bytes) -> None:
        self.left = content

    def __call__(self, size: int) -> bytes:
        block, self.left = self.left[:size], self.left[size:]
        return block


@contextmanager
def memory_below(most: float) -> Iterator[None]:
    """Check that no more bytes are in use at once, of those that are asked for within."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most


def refused_values(function, valid, **values):
    """Return a test that each of the values is refused by the name of its argument."""
    cases = [(name, value) for name, bad in values.items() for value in bad]

    @pytest.mark.parametrize(("name", "value"), cases, ids=str)
    def test(name, value):
        assert refusal(function, **{**valid, name: value}).argument.split("[")[0] == name

    return test


def people_outcomes(matrix: np.ndarray, people: list[int], population: str):
    """Return the outcomes where so many people have each truth, or a sample of such shares."""
    if population == "fixed":
        return fixed_outcomes(matrix, people)
    return outcomes(matrix @ np.array(people) / sum(people), sum(people))


def fixed_outcomes(matrix: np.ndarray, people: list[int]) -> list[tuple[np.ndarray, float]]:
    """Return the same when people[v] respondents have truth v for certain."""
    total = {(0,) * len(matrix): 1.0}
    for some, column in zip(people, matrix.T, strict=True):
        added: dict[tuple[int, ...], float] = {}
        for (seen, chance), (more, step) in product(total.items(), outcomes(column, some)):
            key = tuple(np.add(seen, more).tolist())
            added[key] = added.get(key, 0.0) + chance * step
        total = added
    return [(np.array(counts), chance) for counts, chance in total.items()]
