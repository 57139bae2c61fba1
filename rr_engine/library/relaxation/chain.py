"""Chains: one answer reported several times, each report a degraded copy of the next.

Earlier reports of many people are made from their later ones, for simulations.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import prod

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel_list
from rr_engine.arrays import ArrayLike, Epsilon, IntArray, RandomSource, keep
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.design import DesignMatrix
from rr_engine.device import RandomBytes, draw_reports
from rr_engine.errors import AccountingError, ArgumentError, CategoryError, DesignError, EngineError
from rr_engine.privacy.accounting import Randomized, Relaxation
from rr_engine.privacy.loss import log_ratio
from rr_engine.relaxation.degradation import (
    BitDegradation,
    Degradation,
    ProductDegradation,
    TableDegradation,
    UniformDegradation,
)
from rr_engine.relaxation.exact import exact_degradation
from rr_engine.relaxation.exact_draw import draw_degraded, exact_kernel_weights
from rr_engine.relaxation.exact_tables import exact_column
from rr_engine.relaxation.kernel import KERNEL_BITS, rounded_columns

# Tuples of reports whose chances are listed.
LARGEST_LAW = 2**16


def degrade(reports: IntArray, degradation: Degradation, rng: np.random.Generator) -> IntArray:
    """Draw an earlier report for each later one, from chances rounded to multiples of 2**-48.

    Parameters
    ----------
    reports : ndarray of int, shape (n,)
        Of devices of bits, (n, bits).
    degradation : Degradation
    rng : Generator

    References
    ----------
    Ours: a draw from the columns of the degradation.
    """
    if isinstance(degradation, BitDegradation):
        return _draw(reports.ravel(), degradation.bit, rng).reshape(reports.shape)
    if isinstance(degradation, ProductDegradation):
        return _degrade_parts(reports, degradation, rng)
    if isinstance(degradation, UniformDegradation) and degradation.kept >= degradation.other:
        stays = (degradation.kept - degradation.other) / degradation.denominator
        anyone = rng.integers(degradation.size, size=len(reports))
        return np.where(rng.random(len(reports)) < stays, reports, anyone)
    return _draw(reports, degradation, rng)


def _degrade_parts(
    reports: IntArray, degradation: ProductDegradation, rng: np.random.Generator
) -> IntArray:
    factors = degradation.factors
    parts = np.unravel_index(reports, [factor.next_size for factor in degradation.tables])
    drawn = [degrade(part, factor, rng) for part, factor in zip(parts, factors, strict=True)]
    sizes = [factor.previous_size for factor in degradation.tables]
    return np.ravel_multi_index(tuple(drawn), sizes)


def _draw(reports: IntArray, degradation: TableDegradation, rng: np.random.Generator) -> IntArray:
    columns = rounded_columns(degradation.matrix, KERNEL_BITS)
    return draw_reports(columns, 2**KERNEL_BITS, reports, rng.bytes)


@dataclass(frozen=True, slots=True, init=False)
class Chain:
    """Devices of rising epsilon, each a degraded copy of the next.

    Parameters
    ----------
    designs : sequence of Channel
        One or more, the lowest epsilon first; a DesignMatrix without integers is quantized to 32
        bits.

    Attributes
    ----------
    designs : tuple of Channel
        With exact tables.
    degradations : tuple of Degradation
        One between each two that follow each other.

    Raises
    ------
    DesignError
        When one is no degraded copy of the next; the argument names which.
    ArgumentError, CategoryError

    Notes
    -----
    docs/methods/relaxation.md. All reports of a chain together have the likelihood ratios of the
    last one.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> chain = Chain([k_rr(3, "0.5"), k_rr(3, "1"), k_rr(3, "2")])
    >>> round(chain.epsilon, 6), chain.designs[-1].epsilon_at_most("2")
    (2.0, True)
    """

    designs: tuple[Channel, ...]
    degradations: tuple[Degradation, ...]

    def __init__(self, designs: Sequence[Channel]) -> None:
        channels = tuple(_exact(design) for design in check_channel_list(designs))
        keep(self, designs=channels, degradations=tuple(_links(channels)))

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """Largest ratio of the chances of all reports together, exactly: that of the last one."""
        return self.designs[-1].likelihood_ratio_bound

    @property
    def epsilon(self) -> float:
        """Privacy loss of all reports together, that of the last one; may be infinite."""
        return log_ratio(self.likelihood_ratio_bound)

    def event(self, epsilons: Iterable[Epsilon]) -> Relaxation:
        """Return the chain as an event of the accountant, at the epsilons declared for its steps.

        Raises
        ------
        AccountingError
            When a device does not keep to its declared epsilon.

        References
        ----------
        .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
           Theorems 3.1 to 3.3.

        Examples
        --------
        >>> from rr_engine import k_rr
        >>> from rr_engine.privacy import total_epsilon
        >>> total_epsilon(Chain([k_rr(3, 1), k_rr(3, 2)]).event(["1", "2"]))
        Decimal('2')
        """
        size = len(self.designs)
        rule = f"be {size} numbers, one for each device"
        budgets = check.entries(epsilons, "epsilons", size, rule, "not_a_chain", AccountingError)
        steps = [Randomized(check.epsilon(epsilon, "epsilons")) for epsilon in budgets]
        for step, design in zip(steps, self.designs, strict=True):
            if not design.epsilon_at_most(step.epsilon):
                rule = "be at least the privacy loss of its device"
                raise AccountingError("epsilons", step.epsilon, rule, "declaration_not_kept")
        try:
            return Relaxation(steps)
        except AccountingError as error:
            raise _renamed(error, "epsilons") from error

    def sample(self, truths: ArrayLike, rng: RandomSource = None) -> IntArray:
        """Draw the whole chain of many people, for simulations.

        Parameters
        ----------
        truths : array_like of int, shape (n,)
            Of a device of bits for sets, shape (n, bits).
        rng : Generator, int or None

        Returns
        -------
        ndarray of int, shape (n, devices)
            Of devices of bits, (n, devices, bits).

        Notes
        -----
        The last report is drawn exactly, and each earlier one from the next one's degradation,
        rounded to multiples of 2**-48.

        References
        ----------
        .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
           section 5.3 (a chain that is drawn once and sold step by step).
        """
        source = check.rng(rng)
        reports = [self.designs[-1].draw(truths, source.bytes)]
        for degradation in reversed(self.degradations):
            reports.append(degrade(reports[-1], degradation, source))
        return np.stack(reports[::-1], axis=1)

    def draw(self, truth: int, random_bytes: RandomBytes = os.urandom) -> tuple:
        """Draw the whole chain of one person exactly, the last report first.

        Parameters
        ----------
        truth : int
            Of a device of bits for sets, a sequence of bits.
        random_bytes : callable, default os.urandom

        Returns
        -------
        tuple
            A report for each device, the lowest epsilon first: an index, or of a device of bits
            zeros and ones.

        References
        ----------
        .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
           section 5.3.
        """
        try:
            drawn = self.designs[-1].draw([truth], random_bytes)[0].tolist()
        except CategoryError as error:
            raise _renamed(error, "truth") from error
        reports = [tuple(drawn) if isinstance(drawn, list) else drawn]
        for degradation in reversed(self.degradations):
            reports.append(draw_degraded(degradation, reports[-1], random_bytes))
        return tuple(reversed(reports))

    def law(self, truth: int) -> dict[tuple[int, ...], Fraction]:
        """Return the exact chance of every tuple of reports, by relaxing step by step.

        Tuples that cannot occur are left out.

        Raises
        ------
        ArgumentError
            For more than 2**16 tuples, products and bits.

        References
        ----------
        .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
           Lemma 3.1.

        Examples
        --------
        >>> from rr_engine import DesignMatrix
        >>> tables = [[5, 3], [3, 5]], [[6, 2], [2, 6]]
        >>> chain = Chain([DesignMatrix.from_integers(table, 8) for table in tables])
        >>> chain.law(0)[0, 0]
        Fraction(9, 16)
        """
        self._check_listed()
        first, total = exact_column(self.designs[0], truth)
        law: dict[tuple[int, ...], Fraction] = {
            (report,): Fraction(weight, total) for report, weight in enumerate(first) if weight
        }
        for degradation, (now, later) in zip(
            self.degradations, pairwise(self.designs), strict=True
        ):
            law = {
                (*reports, report): chance * Fraction(weight, weight_sum)
                for reports, chance in law.items()
                for weights, weight_sum in [
                    exact_kernel_weights(degradation, now, later, reports[-1], truth)
                ]
                for report, weight in enumerate(weights)
                if weight
            }
        return law

    def _check_listed(self) -> None:
        if any(isinstance(design, BitPeople | ProductChannel) for design in self.designs):
            rule = "be of reports that are counted one by one and have no parts"
            raise ArgumentError("designs", self.designs, rule, "table_not_available")
        if prod(design.tally_size for design in self.designs) > LARGEST_LAW:
            rule = f"have at most {LARGEST_LAW} tuples of reports"
            raise ArgumentError("designs", self.designs, rule, "too_many_cells")


def _exact(design: Channel) -> Channel:
    if isinstance(design, DesignMatrix) and design.integers is None:
        return design.quantized(accept_infinite_epsilon=True)
    return design


def _links(channels: Sequence[Channel]) -> Iterable[Degradation]:
    for position, pair in enumerate(pairwise(channels)):
        try:
            yield exact_degradation(*pair)
        except (DesignError, CategoryError, ArgumentError) as error:
            raise _renamed(error, f"designs[{position}]") from error


def _renamed(error: EngineError, argument: str) -> EngineError:
    """Return the same error under the name that the caller knows."""
    return type(error)(argument, error.value, error.rule, error.code, error.limit)
