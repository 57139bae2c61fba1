"""How respondents were drawn: their weights, strata and clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine.errors import ArgumentError
from rr_engine.sampling.checks import check_labels_by_person, check_population, check_weights
from rr_engine.validation import (
    FloatArray,
    IntArray,
    as_array,
    check_choice,
    check_reals,
    check_size,
    freeze,
)

SINGLE_CLUSTERS = ("centre", "refuse")


@dataclass(frozen=True, slots=True, eq=False, init=False)
class SurveySample:
    """Respondents with sampling weights, drawn in strata and clusters.

    Parameters
    ----------
    weights : array_like of float, shape (n,), optional
        Zero or positive, not all zero; all 1 when left out. A respondent of weight 0 counts as
        drawn.
    strata : array_like of int or str, shape (n,), optional
        Each respondent's stratum; all in one when left out.
    clusters : array_like of int or str, shape (n,), optional
        Each respondent's cluster (primary sampling unit); everybody is one when left out. The
        same label in two strata means two clusters.
    population : float, sequence or mapping, optional
        How many clusters the population has in each stratum (people, where there are no
        clusters), for the finite-population correction: a number for one stratum, a list in
        rising order of the strata's labels, or a mapping from the labels. Without it clusters
        count as drawn with replacement.
    n : int, optional
        Number of respondents, where no list tells it.
    single_clusters : {"refuse", "centre"}, default "refuse"
        What to do about the variance within a stratum of a single drawn cluster: refuse to give
        one, or take the cluster's distance from the mean of all clusters.

    Attributes
    ----------
    weights : ndarray of float, shape (n,)
    strata, clusters : ndarray of int, shape (n,)
        Numbers from 0. Clusters are numbered over all strata.
    stratum_labels : tuple of int or str
        What the numbers of strata stand for, in rising order.
    population : ndarray of float or None
        One entry for each stratum.
    cluster_counts : ndarray of int
        Drawn clusters of each stratum.
    single_clusters : str

    Raises
    ------
    ArgumentError

    Notes
    -----
    docs/methods/sampling.md.

    Examples
    --------
    >>> sample = SurveySample([2, 2, 1, 1], strata=["a", "a", "b", "b"], population=[4, 2])
    >>> sample.n, sample.degrees_of_freedom, round(sample.design_effect, 4)
    (4, 2, 1.1111)
    """

    weights: FloatArray
    strata: IntArray
    clusters: IntArray
    stratum_labels: tuple[int | str, ...]
    population: FloatArray | None
    cluster_counts: IntArray
    single_clusters: str

    def __init__(
        self,
        weights: npt.ArrayLike | None = None,
        *,
        strata: npt.ArrayLike | None = None,
        clusters: npt.ArrayLike | None = None,
        population: float | npt.ArrayLike | Mapping[int | str, float] | None = None,
        n: int | None = None,
        single_clusters: str = "refuse",
    ) -> None:
        size = _size_of(n, {"weights": weights, "strata": strata, "clusters": clusters})
        numbers = check_weights(np.ones(size) if weights is None else weights, size)
        labels, codes = (
            ((0,), freeze(np.zeros(size, dtype=np.int64)))
            if strata is None
            else check_labels_by_person(strata, size, "strata")
        )
        units = freeze(_number_clusters(clusters, codes))
        counts = np.bincount(_strata_of_clusters(codes, units), minlength=len(labels))
        sizes = None if population is None else check_population(population, labels, counts)
        check_choice(single_clusters, "single_clusters", SINGLE_CLUSTERS)
        kept = {
            "weights": numbers,
            "strata": codes,
            "clusters": units,
            "stratum_labels": labels,
            "population": sizes,
            "cluster_counts": freeze(counts.astype(np.int64)),
            "single_clusters": single_clusters,
        }
        for name, value in kept.items():
            object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        """Number of respondents."""
        return len(self.weights)

    @property
    def degrees_of_freedom(self) -> int:
        """Clusters less strata, as t intervals of survey estimates have them."""
        return int(self.cluster_counts.sum()) - len(self.stratum_labels)

    @property
    def design_effect(self) -> float:
        """How many times unequal weights alone inflate a variance (Kish 1965, section 11.7)."""
        return self.n / self.effective_n

    @property
    def effective_n(self) -> float:
        """Number of equally weighted respondents who would tell as much, by Kish 1965."""
        weights = np.sort(self.weights) / self.weights.max()
        return float(weights.sum() ** 2 / (weights @ weights))

    @property
    def sampling_fractions(self) -> FloatArray:
        """Share of its population's clusters that each stratum's sample has; 0 when unknown."""
        if self.population is None:
            return np.zeros(len(self.cluster_counts))
        return self.cluster_counts / self.population

    def with_weights(self, weights: npt.ArrayLike) -> SurveySample:
        """Return the same respondents with other weights, such as calibrated ones.

        Ours: docs/methods/sampling.md.
        """
        return SurveySample(
            check_weights(weights, self.n),
            strata=np.array(self.stratum_labels)[self.strata],
            clusters=self.clusters,
            population=self.population,
            single_clusters=self.single_clusters,
        )

    def covariance_of_total(self, contributions: npt.ArrayLike) -> FloatArray:
        """Return the estimated covariance of the column sums of a table.

        Parameters
        ----------
        contributions : array_like of float, shape (n, p)
            One row for each respondent, already weighted.

        Returns
        -------
        ndarray of float, shape (p, p)
            Of sums over random samples of clusters; everything within a cluster is taken as it
            came out, so that later stages of drawing, and randomized answers, are in it.

        Raises
        ------
        ArgumentError
            Also for a stratum of a single cluster ("single_cluster"), unless all of its
            population is drawn.

        Notes
        -----
        With t the sums of the n_h clusters of stratum h out of N_h,
        ``sum_h (1 - n_h/N_h) n_h/(n_h - 1) sum_c (t_c - mean)(t_c - mean)'``. The order of the
        respondents does not change a digit. docs/methods/sampling.md.

        References
        ----------
        .. [1] D. A. Binder, "On the Variances of Asymptotically Normal Estimators from Complex
           Surveys", International Statistical Review 51 (1983), 279-292.
        .. [2] C.-E. Sarndal, B. Swensson and J. Wretman, "Model Assisted Survey Sampling",
           Springer, 1992, sections 4.5 and 5.5.

        Examples
        --------
        >>> sample = SurveySample(strata=[0, 0, 1, 1])
        >>> sample.covariance_of_total([[1.0], [3.0], [2.0], [2.0]]).tolist()
        [[4.0]]
        """
        table = self._check_contributions(contributions)
        totals, strata = self._cluster_totals(table)
        counts = self.cluster_counts[strata]
        means = self._stratum_means(totals, strata)[strata]
        correction = 1 - self.sampling_fractions[strata]
        single = (counts == 1) & (correction > 0)
        if single.any():
            means[single] = self._centre_of_singles(totals, strata[single])
        factors = correction * np.where(counts > 1, counts / np.maximum(counts - 1, 1), 1.0)
        spread = totals - means
        covariance = (spread * factors[:, None]).T @ spread
        return (covariance + covariance.T) / 2

    def _check_contributions(self, contributions: npt.ArrayLike) -> FloatArray:
        rule = f"be a table of finite numbers with a row for each of the {self.n} respondents"
        array = as_array(contributions)
        if array is None or array.ndim != 2 or array.shape[1] == 0:
            raise ArgumentError("contributions", contributions, rule, "not_numbers")
        return check_reals(contributions, (self.n, array.shape[1]), "contributions", rule)

    def _cluster_totals(self, table: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return sums of clusters, and their strata, in an order that rows' order cannot change."""
        if len(table) == self.cluster_counts.sum():
            order = np.lexsort((*table.T, self.strata))
            return table[order], self.strata[order]
        order = np.lexsort((*table.T, self.clusters))
        starts = np.flatnonzero(np.diff(self.clusters[order], prepend=-1))
        totals = np.add.reduceat(table[order], starts, axis=0)
        strata = self.strata[order][starts]
        again = np.lexsort((*totals.T, strata))
        return totals[again], strata[again]

    def _stratum_means(self, totals: FloatArray, strata: IntArray) -> FloatArray:
        starts = np.flatnonzero(np.diff(strata, prepend=-1))
        return np.add.reduceat(totals, starts, axis=0) / self.cluster_counts[:, None]

    def _centre_of_singles(self, totals: FloatArray, strata: IntArray) -> FloatArray:
        if self.single_clusters == "refuse":
            names = ", ".join(repr(self.stratum_labels[code]) for code in strata[:5])
            rule = (
                "have two or more clusters in each stratum, which stratum "
                f"{names} has not: merge it with one like it, or choose "
                'single_clusters="centre"'
            )
            raise ArgumentError("strata", self.stratum_labels, rule, "single_cluster")
        return totals.mean(axis=0)


def _size_of(n: int | None, lists: Mapping[str, object]) -> int:
    """Return the number of respondents, of the first list that is given or as told."""
    given = {name: value for name, value in lists.items() if value is not None}
    if n is not None or not given:
        return check_size(n)
    name, value = next(iter(given.items()))
    array = as_array(value)
    if array is None or array.ndim != 1 or array.size == 0:
        rule = "be a list with one entry for each respondent"
        if name == "weights":
            raise ArgumentError(name, value, rule, "not_weights")
        raise ArgumentError(name, value, rule, "not_respondent_labels")
    return len(array)


def _number_clusters(clusters: npt.ArrayLike | None, strata: IntArray) -> IntArray:
    """Return each respondent's cluster, numbered over all strata."""
    n = len(strata)
    if clusters is None:
        return np.arange(n)
    labels, codes = check_labels_by_person(clusters, n, "clusters")
    return np.unique(strata * len(labels) + codes, return_inverse=True)[1].astype(np.int64)


def _strata_of_clusters(strata: IntArray, clusters: IntArray) -> IntArray:
    """Return the stratum of each cluster."""
    found = np.empty(int(clusters.max()) + 1, dtype=np.int64)
    found[clusters] = strata
    return found
