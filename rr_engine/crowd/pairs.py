"""Pairs of attributes of different clusters, measured by people who reported on both.

Each of the two was reported by a device of its own, so that a pair's device is their product. The
people are those of the clusters, as far as they reported on both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.crowd.fitting import project_table
from rr_engine.crowd.reports import ClusterEstimate, ClusterReports, check_truths, estimate_cluster
from rr_engine.errors import ArgumentError

# The names of two attributes.
Pair = frozenset[str]
# Weight of independence in a table that is raked, so that no row that has people is empty.
TRACE = 1e-6
RAKING_ROUNDS, RAKED = 100, 1e-12


@dataclass(frozen=True, eq=False)
class MeasuredPair:
    """The reports on two attributes with these numbers of categories; estimated when asked for."""

    reports: ClusterReports
    sizes: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.reports.attributes

    @property
    def n(self) -> int:
        """How many people reported on both."""
        return self.reports.n

    @cached_property
    def estimate(self) -> ClusterEstimate:
        return estimate_cluster(self.reports, self.sizes)

    @property
    def strata(self) -> list[tuple[Mapping[str, Channel], int]]:
        """For each stratum the device of either attribute, and how many people used them."""
        strata = zip(self.reports.channels, self.reports.counts, strict=True)
        return [
            (dict(zip(self.names, factors_of(channel), strict=True)), int(counts.sum()))
            for channel, counts in strata
        ]

    @cached_property
    def noise(self) -> float:
        """Expected squared error of what relates the two, summed over all cells.

        Of the table less what its two margins account for: the variance of the cells without the
        variances of the margins, each of which is spread over the cells behind it.
        """
        operator = self.estimate.estimate.covariance_operator
        cells = np.eye(int(np.prod(self.sizes))).reshape(-1, *self.sizes)
        total = float(operator.variances.sum())
        for axis in (0, 1):
            sums = cells.sum(axis=2 - axis).T
            spread = float(np.trace(operator.between(sums, sums)))
            total -= spread / self.sizes[1 - axis]
        return max(total, 0.0)


def measured_pair(reports: ClusterReports, sizes: tuple[int, ...]) -> MeasuredPair:
    """Return the reports on a pair whose attributes have so many categories.

    Raises ArgumentError for reports on anything but two attributes by two devices.
    """
    two = all(len(factors_of(channel)) == 2 for channel in reports.channels)
    if len(reports.attributes) != 2 or not two:
        rule = "be reports on two attributes by a ProductChannel of two devices"
        raise ArgumentError("pairs", reports.attributes, rule, "not_pairs")
    check_truths(reports, sizes)
    return MeasuredPair(reports, sizes)


def factors_of(channel: Channel) -> tuple[Channel, ...]:
    """Return the devices of a product; none of another channel."""
    return channel.factors if isinstance(channel, ProductChannel) else ()


def with_margins(table: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Return tables of two attributes with these margins; all arrays (draws, *sizes).

    What a table misses of a margin is spread evenly over the cells behind it, so that unbiased
    tables stay unbiased and what relates the two attributes stays as it was measured.
    """
    rows, columns = table.shape[1:]
    missed = first - table.sum(axis=2)
    table = table + missed[:, :, None] / columns
    return table + (second - table.sum(axis=1))[:, None, :] / rows


def possible_pair(table: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the table nearest to one of a pair, raked to margins without negative shares.

    It has the ratios of cross products of the nearest table without negative cells (Deming &
    Stephan 1940). All arrays (draws, *sizes).
    """
    alone = first[:, :, None] * second[:, None, :]
    table = (1 - TRACE) * project_table(table) + TRACE * alone
    for _ in range(RAKING_ROUNDS):
        table = table * _ratio(first, table.sum(axis=2))[:, :, None]
        columns = table.sum(axis=1)
        table = table * _ratio(second, columns)[:, None, :]
        if np.abs(columns - second).max() <= RAKED:
            break
    return table


def _ratio(wanted: FloatArray, found: FloatArray) -> FloatArray:
    return np.divide(wanted, found, out=np.zeros_like(found), where=found > 0)


def pair_tables(
    names: Sequence[str],
    sizes: tuple[int, ...],
    strata: Sequence[tuple[tuple[Channel, Channel], IntArray]],
) -> FloatArray:
    """Return the unbiased tables of simulated surveys of a pair, shape (draws, *sizes).

    `strata`: the devices, and the tallies of all draws, shape (draws, reports, reports).
    """
    channels = [ProductChannel(devices) for devices, _ in strata]
    tallies = [counts.reshape(len(counts), -1) for _, counts in strata]
    reports = ClusterReports(tuple(names), tuple(channels), tuple(each[0] for each in tallies))
    found = estimate_cluster(reports, sizes).estimate
    reported = np.concatenate(tallies, axis=1) / found.n
    return found.design.solve(reported, found.weights).reshape(-1, *sizes)
