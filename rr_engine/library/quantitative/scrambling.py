"""Scrambling: the random number by which a respondent disguises a true one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, keep
from rr_engine.errors import ArgumentError

# Squares of larger numbers, divided by small ones, would leave the floats.
LARGEST = 1e30
DISTRIBUTIONS = ("gamma", "normal", "uniform", "unknown")


def exactly(number: float) -> Fraction:
    """Return the number as the shortest decimal that prints it: 0.1 is one tenth."""
    return Fraction(repr(float(number)))


def check_quantity(value: object, argument: str) -> float:
    """Return a number that may be squared."""
    rule = f"be a number from -{LARGEST:g} to {LARGEST:g}"
    number = check.real(value, argument, rule)
    if abs(number) > LARGEST:
        raise ArgumentError(argument, value, rule, "out_of_range")
    return number


def check_quantities(value: object, argument: str) -> FloatArray:
    """Return one or more numbers that may be squared."""
    rule = f"be a list of numbers from -{LARGEST:g} to {LARGEST:g}"
    numbers = check.reals(value, None, argument, rule)
    if np.abs(numbers).max() > LARGEST:
        raise ArgumentError(argument, value, rule, "out_of_range")
    return numbers


def check_shares(value: object, size: int, argument: str) -> tuple[Fraction, ...]:
    """Return one chance for each of `size` cards, which sum to exactly one; equal ones for None."""
    if value is None:
        return (Fraction(1, size),) * size
    shares = [exactly(share) for share in check.distribution(value, size, argument).tolist()]
    return tuple(share / sum(shares) for share in shares)


@dataclass(frozen=True)
class Scrambling:
    """A random number of known mean and standard deviation, by which true numbers are disguised.

    Parameters
    ----------
    mean : float
    sd : float
        At least 0.
    distribution : {"unknown", "normal", "uniform", "gamma"}, default "unknown"
        What to draw from. Estimates need the mean and the standard deviation alone; of an unknown
        distribution nothing is drawn. "gamma" needs a mean above 0; with a standard deviation
        equal to the mean it is exponential.

    Attributes
    ----------
    cards : tuple of float
        The numbers on the cards of :meth:`from_cards`, each once; empty for a distribution that is
        no finite list.
    shares : tuple of Fraction
        How often each of them is drawn.

    Raises
    ------
    ArgumentError

    Notes
    -----
    Decimal numbers count as they are written: a card 0.1 is one tenth.
    docs/methods/quantitative.md.

    References
    ----------
    .. [1] B. H. Eichhorn and L. S. Hayre, "Scrambled Randomized Response Methods for Obtaining
       Sensitive Quantitative Data", Journal of Statistical Planning and Inference 7 (1983),
       307-316.

    Examples
    --------
    >>> Scrambling(1.5, 0.25, "uniform").mean
    1.5
    >>> dice = Scrambling.from_cards([1, 2, 3, 4, 5, 6])
    >>> dice.mean, round(dice.sd, 4)
    (3.5, 1.7078)
    """

    mean: float
    sd: float
    distribution: str = "unknown"
    cards: tuple[float, ...] = field(init=False, default=())
    shares: tuple[Fraction, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        mean, sd = check_quantity(self.mean, "mean"), check_quantity(self.sd, "sd")
        if sd < 0:
            raise ArgumentError("sd", self.sd, "be at least 0", "out_of_range")
        kind = check.choice(self.distribution, "distribution", DISTRIBUTIONS)
        if kind == "gamma" and not mean > 0:
            raise ArgumentError("mean", self.mean, "be above 0 for a gamma", "not_positive")
        keep(self, mean=mean, sd=sd)

    @classmethod
    def from_cards(cls, values: ArrayLike, probabilities: ArrayLike | None = None) -> Scrambling:
        """Scramble by a number on a card, drawn from a pack.

        Parameters
        ----------
        values : array_like of float
            The numbers on the cards; a number that occurs twice is drawn twice as often.
        probabilities : array_like of float, optional
            How often each is drawn; equally often when left out.

        Returns
        -------
        Scrambling
            Its privacy can be computed exactly.

        Raises
        ------
        ArgumentError, DistributionError

        References
        ----------
        .. [1] A. Chaudhuri and T. C. Christofides, "Indirect Questioning in Sample Surveys",
           Springer 2013, chapter 5 (boxes of numbered cards).

        Examples
        --------
        >>> Scrambling.from_cards([0, 10], [0.75, 0.25]).mean
        2.5
        """
        numbers = check_quantities(values, "values")
        chances = check_shares(probabilities, len(numbers), "probabilities")
        pack: dict[Fraction, Fraction] = {}
        for number, chance in zip(numbers.tolist(), chances, strict=True):
            pack[exactly(number)] = pack.get(exactly(number), Fraction(0)) + chance
        pack = {card: pack[card] for card in sorted(pack) if pack[card]}
        mean = sum((card * chance for card, chance in pack.items()), Fraction(0))
        square = sum((card**2 * chance for card, chance in pack.items()), Fraction(0))
        made = cls(float(mean), sqrt(square - mean**2))
        cards, shares = tuple(float(card) for card in pack), tuple(pack.values())
        keep(made, distribution="cards", cards=cards, shares=shares)
        return made

    @property
    def moments(self) -> tuple[Fraction, Fraction]:
        """The mean, and the mean of the square; exact for cards."""
        if not self.cards:
            return exactly(self.mean), exactly(self.mean) ** 2 + exactly(self.sd) ** 2
        pack = self.pack()
        first = sum((card * chance for card, chance in pack), Fraction(0))
        return first, sum((card**2 * chance for card, chance in pack), Fraction(0))

    def pack(self) -> Sequence[tuple[Fraction, Fraction]]:
        """Return the exact cards and how often each is drawn; nothing without a finite list.

        Ours: docs/methods/quantitative.md.
        """
        return [
            (exactly(card), chance) for card, chance in zip(self.cards, self.shares, strict=True)
        ]

    def draw(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Draw numbers for a simulation.

        Ours: docs/methods/quantitative.md.

        Raises
        ------
        ArgumentError
            For an unknown distribution ("distribution_unknown").
        """
        if self.cards:
            chances = np.array([float(chance) for chance in self.shares])
            return rng.choice(np.array(self.cards), size, p=chances / chances.sum())
        if self.sd == 0:
            return np.full(size, self.mean)
        if self.distribution == "unknown":
            rule = "be known, or a list of cards: nothing can be drawn otherwise"
            raise ArgumentError("distribution", self.distribution, rule, "distribution_unknown")
        return _DRAWS[self.distribution](self.mean, self.sd, size, rng)


Draw = Callable[[float, float, int, np.random.Generator], FloatArray]


_DRAWS: dict[str, Draw] = {
    "normal": lambda mean, sd, size, rng: rng.normal(mean, sd, size),
    "uniform": lambda mean, sd, size, rng: rng.uniform(
        mean - sd * sqrt(3), mean + sd * sqrt(3), size
    ),
    "gamma": lambda mean, sd, size, rng: rng.gamma((mean / sd) ** 2, sd**2 / mean, size),
}


def constant(number: float | Fraction) -> Scrambling:
    """Return the scrambling that is always this number."""
    return Scrambling.from_cards([float(number)])


def check_scrambling(value: object, argument: str) -> Scrambling:
    """Return a Scrambling; a plain number is no scrambling."""
    return check.instance(value, argument, Scrambling, "be a Scrambling", "not_a_scrambling")
