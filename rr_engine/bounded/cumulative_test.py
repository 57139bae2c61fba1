"""The test that a given share of the numbers lies below a place among the bins."""

from collections.abc import Iterator

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.score import centres

# Entries of a table of contrasts, or of scores, at a time.
LARGEST_TABLE = 2**22
# How far from zero rounding alone can bring a sum of shares, or a variance, that is zero.
ROUNDING = 1e-12


class CumulativeTest:
    """The score test of ``Pr(number < x) = p`` for places x among the bins.

    A place is a number of bins from the lower end of the range: 2.25 is a quarter into the third
    bin. With the values of a bin spread evenly, c(x) the part of each bin that lies below x, and pi
    the shares, the hypothesis is ``sum_v (c_v - p) pi_v = 0``, over those who answered. The sum of
    the estimated shares is a mean of scores of reports, whose variance is taken at shares for which
    the hypothesis is true: the nearest possible ones, what lies below x and what lies above
    multiplied by a number each.

    Parameters
    ----------
    estimate : Estimate
        Its first `bins` proportions are those of the bins.
    bins : int
    chance : float
        p, between 0 and 1.
    """

    def __init__(self, estimate: Estimate, bins: int, chance: float) -> None:
        self.estimate, self.bins, self.chance = estimate, bins, chance
        # Unbiased, by whatever method the proportions were estimated.
        self.centres = centres(estimate)
        # So that neither side of a place is empty, half a person more is spread over all.
        shares, n = estimate.projected(), estimate.n
        self.shares = (n * shares + 0.5 / len(shares)) / (n + 0.5)

    @property
    def possible(self) -> tuple[float, float]:
        """Between which places the quantile lies, whatever the shares are.

        A part f of the first bin never holds more than a share f of the numbers.
        """
        return self.chance, self.bins - 1 + self.chance

    def crossings(self) -> FloatArray:
        """Return the places at which the estimated share equals p, moved to possible ones."""
        found = self.centres[: self.bins]
        distances = np.concatenate([[0.0], np.cumsum(found)]) - self.chance * found.sum()
        starts = np.flatnonzero(distances[:-1] * distances[1:] < 0)
        places = starts + distances[starts] / (distances[starts] - distances[starts + 1])
        return np.clip(places, *self.possible)

    def statistics(self, places: FloatArray) -> FloatArray:
        """Return the squared distance from the hypothesis over its variance, for each place."""
        return np.concatenate([self._statistics(part) for part in self._parts(places)])

    def _parts(self, places: FloatArray) -> Iterator[FloatArray]:
        size = max(1, LARGEST_TABLE // max(self.estimate.design.tally_size, self.bins))
        return (places[start : start + size] for start in range(0, len(places), size))

    def _statistics(self, places: FloatArray) -> FloatArray:
        below = np.clip(places[:, None] - np.arange(self.bins), 0.0, 1.0)
        contrasts = np.zeros((len(places), len(self.shares)))
        contrasts[:, : self.bins] = below - self.chance
        squares = (contrasts @ self.centres) ** 2
        variances = self._variances(contrasts, self._shares_at(below))
        impossible = np.where(squares > ROUNDING**2, np.inf, 0.0)
        return np.divide(squares, variances, out=impossible, where=variances > 0)

    def _shares_at(self, below: FloatArray) -> FloatArray:
        """Return shares for which the hypothesis is true, one row for each place.

        ``pi_v (a c_v + b (1 - c_v))`` with a and b such that the bins keep their sum, and p of it
        lies below. Where one of them would be negative it is zero.
        """
        shares = self.shares[: self.bins]
        total, low = shares.sum(), below @ shares
        squares = below**2 @ shares
        high, mixed = total - low, low - squares
        # a squares + b mixed = p total and a low + b high = total.
        determinant = squares * high - mixed * low
        raised = np.maximum(total * (self.chance * high - mixed) / determinant, 0.0)
        lowered = np.maximum(total * (squares - self.chance * low) / determinant, 0.0)
        weights = raised[:, None] * below + lowered[:, None] * (1 - below)
        result = np.tile(self.shares, (len(below), 1))
        result[:, : self.bins] *= weights
        result[:, : self.bins] *= total / result[:, : self.bins].sum(axis=1, keepdims=True)
        return result

    def _variances(self, contrasts: FloatArray, shares: FloatArray) -> FloatArray:
        """Return the variances of the contrasts at these shares, row by row."""
        found, n = self.estimate, self.estimate.n
        scores = found.design.scores(contrasts, found.weights)
        fitted = found.design.apply(shares)
        if not found.design.tabulated:
            return _variances_by_row(found, scores, shares, fitted) / n
        variances = (fitted * scores**2).sum(axis=1)
        for rows in found.blocks:
            part = found.counts[rows].sum() / n
            variances -= (fitted[:, rows] * scores[:, rows]).sum(axis=1) ** 2 / part
        if found.population == "fixed":
            means = (shares * contrasts).sum(axis=1)
            variances -= (shares * contrasts**2).sum(axis=1) - means**2
        return np.where(variances > ROUNDING, variances, 0.0) / n


def _variances_by_row(
    found: Estimate, scores: FloatArray, shares: FloatArray, fitted: FloatArray
) -> FloatArray:
    """Return the same of one report, of a channel whose reports are not counted one by one."""
    variances = np.array(
        [
            found.design.report_covariance(row[None], row[None], share, fit, found.population)[0, 0]
            for row, share, fit in zip(scores, shares, fitted, strict=True)
        ]
    )
    return np.where(variances > ROUNDING, variances, 0.0)
