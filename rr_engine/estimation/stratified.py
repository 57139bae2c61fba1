"""One set of proportions behind the reports of several devices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel_list, check_tallies
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_list
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.matrix import MatrixChannel, PlainMatrix
from rr_engine.channels.protocol import Channel
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.estimation.covariance import KnownCovariance
from rr_engine.estimation.device_stratum import DeviceStratum
from rr_engine.estimation.estimating import (
    METHODS,
    check_possible,
    estimate,
    estimate_pooled,
    fixed_part,
    nonnegative_covariance,
    pooled_covariance,
    solved,
    stack,
    without_reports,
)
from rr_engine.estimation.likelihood import Solution
from rr_engine.estimation.notes import Note, note, strata_notes
from rr_engine.estimation.result import Estimate
from rr_engine.precision import check_identifiable, condition_number
from rr_engine.projection import project_to_simplex

# Truths up to which strata of any channels are pooled by their matrices.
TABULATED_TRUTHS = 400


def estimate_strata(
    designs: Sequence[Channel],
    counts: Sequence[ArrayLike | Mapping],
    method: str = "inversion",
    population: str = "sample",
) -> Estimate:
    """Estimate the true proportions behind the reports of several devices together.

    The respondents of each device are taken to have the same proportions: who used which device
    must not depend on the true answer.

    Parameters
    ----------
    designs : sequence of Channel
        One per stratum, with the same truths; the reports may differ in kind and number. Devices
        of bits are pooled with devices of bits. A device by itself need not identify the
        proportions if all together do; of other channels than DesignMatrix with more than 400
        truths, and of bits, one has to.
    counts : sequence of array_like of int or mapping, one per stratum
        As for :func:`estimate`. Their sums, the sizes of the strata, count as given.
    method : {"inversion", "mle"}, default "inversion"
        "inversion" is linear in the reports and exactly unbiased, whatever the sizes; "mle" has
        the smallest error in large surveys.
    population : {"sample", "fixed"}, default "sample"
        As for :func:`estimate`; the fixed group is one whose members came to their devices by
        chance.

    Returns
    -------
    Estimate
        With `strata`. Strata without reports leave no trace, strata with equal devices are one,
        and one stratum gives what :func:`estimate` gives.

    Raises
    ------
    ArgumentError
        For no designs at all, as many counts as there are no designs, or devices of bits beside
        others.
    CategoryError
        When the categories, or the numbers of truths, differ.
    CountsError
        As for :func:`estimate`, naming the stratum.
    NotIdentifiableError
        When the devices that made reports do not determine the proportions together.

    Notes
    -----
    docs/methods/estimation.md, "Several devices". Weighted least squares over all shares, the
    weights being those expected under equal proportions; the likelihood of "mle" is the product
    over the strata.

    References
    ----------
    .. [1] A. C. Aitken, "On Least Squares and Linear Combination of Observations", Proceedings of
       the Royal Society of Edinburgh 55, 1935.
    .. [2] Z. Huang and W. Du, "OptRR: Optimizing Randomized Response Schemes for
       Privacy-Preserving Data Mining", ICDE, 2008, Eq. 3 (the likelihood, for one device).

    Examples
    --------
    >>> from rr_engine import estimate_strata, warner
    >>> result = estimate_strata([warner(0.75), warner(0.9)], [[560, 440], [280, 120]])
    >>> result.n, result.proportions.round(3).tolist(), result.standard_errors.round(4).tolist()
    (1400, [0.686, 0.314], [0.0215, 0.0215])
    """
    check.choice(method, "method", METHODS)
    check.population(population)
    strata = _merge_equal_devices(_check_strata(designs, counts))
    used = [stratum for stratum in strata if stratum.n] or strata
    if len(used) == 1:
        return estimate(used[0].design, used[0].reports, method, population)
    if _is_tabulated(used):
        return _pool([stratum.result for stratum in used], method, population)
    return estimate_pooled(
        [stratum.result for stratum in used],
        [stratum.reports for stratum in used],
        method,
        population,
    )


@dataclass(frozen=True, slots=True)
class _Used:
    """A device with its tally, and the reports as they were given where that says more."""

    design: Channel
    tally: IntArray
    given: Mapping | None

    @property
    def n(self) -> int:
        return self.design.people(self.tally)

    @property
    def reports(self) -> IntArray | Mapping:
        return self.tally if self.given is None else self.given

    @property
    def result(self) -> DeviceStratum:
        return DeviceStratum(self.design, self.tally)


def _is_tabulated(strata: Sequence[_Used]) -> bool:
    """Tell whether strata are pooled by their matrices: given ones, and small ones."""
    if all(isinstance(stratum.design, MatrixChannel) for stratum in strata):
        return True
    small = strata[0].design.truth_size <= TABULATED_TRUTHS
    return small and all(stratum.design.tabulated for stratum in strata)


def _check_strata(designs: Sequence[Channel], counts: Sequence[ArrayLike | Mapping]) -> list[_Used]:
    channels = check_channel_list(designs)
    tallies = check_tallies(channels, counts)
    _check_truths(channels)
    for position, (design, tally) in enumerate(zip(channels, tallies, strict=True)):
        check_possible(design, tally, f"counts[{position}]")
    given = [each if isinstance(each, Mapping) else None for each in as_list(counts) or ()]
    return [_Used(*parts) for parts in zip(channels, tallies, given, strict=True)]


def _check_truths(channels: Sequence[Channel]) -> None:
    """Refuse devices of different truths, by name, shape or kind."""
    names = [channel.categories for channel in channels if isinstance(channel, DesignMatrix)]
    if any(categories != names[0] for categories in names):
        rule = f"all have the categories of the first, {names[0]}"
        raise CategoryError("designs", names, rule, "categories_differ")
    shapes = {channel.truth_shape for channel in channels if len(channel.truth_shape) > 1}
    truths = {(channel.truth_size, channel.exclusive) for channel in channels}
    if len(shapes) > 1 or len(truths) > 1:
        sizes = [channel.truth_shape for channel in channels]
        raise CategoryError("designs", sizes, "all have the same truths", "categories_differ")
    if len({isinstance(channel, BitPeople) for channel in channels}) > 1:
        rule = "all be devices of bits, or none"
        raise ArgumentError("designs", channels, rule, "bits_beside_reports")


def _merge_equal_devices(strata: Sequence[_Used]) -> list[_Used]:
    """Add up the counts of equal devices: together they are sufficient, so nothing is lost."""
    merged: dict[Channel, _Used] = {}
    for used in strata:
        before = merged.get(used.design)
        merged[used.design] = used if before is None else _add(before, used)
    return list(merged.values())


def _add(first: _Used, second: _Used) -> _Used:
    given = None
    if first.given is not None and second.given is not None:
        both = [*first.given, *second.given]
        given = {
            report: first.given.get(report, 0) + second.given.get(report, 0) for report in both
        }
    return _Used(first.design, first.tally + second.tally, given)


def _pool(strata: list[DeviceStratum], method: str, population: str) -> Estimate:
    matrices = [stratum.design.matrix for stratum in strata]
    # Without any reports the strata count as equal; the errors are infinite anyway.
    sizes = np.maximum([stratum.n for stratum in strata], not any(s.n for s in strata))
    stacked = stack(matrices, sizes)
    check_identifiable(stacked)
    counts = np.concatenate([stratum.counts for stratum in strata])
    design = DesignMatrix(stacked, _categories(strata), _labels(strata))
    pairs = [(stratum.design, stratum.counts) for stratum in strata]
    notes = strata_notes(pairs, condition_number(stacked))
    blank = without_reports(design, counts, method, population, strata, notes)
    if not counts.any():
        return blank
    solution = METHODS[method](PlainMatrix(stacked), counts / counts.sum())
    covariance, remarks = _covariance(stacked, strata, solution, population)
    return solved(blank, solution, KnownCovariance(covariance), remarks)


def _labels(strata: Sequence[DeviceStratum]) -> tuple[str, ...]:
    return tuple(
        f"{number}: {label}"
        for number, stratum in enumerate(strata, start=1)
        for label in _reports(stratum.design)
    )


def _reports(design: Channel) -> Sequence[str]:
    if isinstance(design, DesignMatrix):
        return design.reports
    return [design.report_label(index) for index in range(design.tally_size)]


def _categories(strata: Sequence[DeviceStratum]) -> tuple[str, ...]:
    designs = [stratum.design for stratum in strata]
    named = [design.categories for design in designs if isinstance(design, DesignMatrix)]
    return named[0] if named else check.number_labels(designs[0].truth_size)


def _covariance(
    stacked: FloatArray, strata: Sequence[DeviceStratum], solution: Solution, population: str
) -> tuple[FloatArray, list[Note]]:
    sizes = [stratum.n for stratum in strata]
    ends = np.cumsum([len(stratum.counts) for stratum in strata])[:-1]
    share_parts = np.split(np.arange(len(stacked)), ends)
    size, n = stacked.shape[1], sum(sizes)

    def covariance_at(proportions: FloatArray) -> FloatArray:
        covariance = pooled_covariance(stacked, share_parts, sizes, proportions, solution.weights)
        if covariance is None:
            return np.full((size, size), np.inf)
        return fixed_part(covariance, proportions, n) if population == "fixed" else covariance

    result = covariance_at(solution.proportions)
    if np.isinf(result).any():
        return np.diag(np.full(size, np.inf)), [note("one_report")]
    return nonnegative_covariance(
        result,
        solution.proportions,
        lambda: covariance_at(project_to_simplex(solution.proportions)),
    )
