"""How respondents were drawn: their weights, strata and clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, IntArray, freeze, keep
from rr_engine.errors import ArgumentError
from rr_engine.labelled import same_people
from rr_engine.sampling import checks
from rr_engine.sampling.weighted_sample import WeightedSample


@dataclass(frozen=True, slots=True, eq=False)
class ClusterForm:
    """How much the square of each cluster's distance from its stratum counts.

    Attributes
    ----------
    strata : ndarray of int, shape (clusters,)
    coefficients : ndarray of float, shape (clusters,)
        The centre of a stratum is its mean with these as weights.
    single : ndarray of bool, shape (clusters,)
        Clusters without another in their stratum, to be compared with the mean of all.
    """

    strata: IntArray
    coefficients: FloatArray
    single: BoolArray

    @property
    def own(self) -> FloatArray:
        """Coefficient of the square of each cluster's own total: ``c - c**2 / sum c``."""
        sums = stratum_sums(self.strata, self.coefficients)[self.strata]
        shared = self.coefficients**2 / np.where(sums > 0, sums, 1.0)
        return np.where(self.single, self.coefficients, self.coefficients - shared)


def stratum_sums(strata: IntArray, values: FloatArray) -> FloatArray:
    """Return the sum in each stratum, added in an order that the order of rows cannot change."""
    order = np.lexsort((values, strata))
    return np.bincount(strata[order], values[order]).astype(np.float64)


def strata_of_clusters(strata: IntArray, clusters: IntArray) -> IntArray:
    """Return the stratum of each cluster."""
    result = np.empty(int(clusters.max()) + 1, dtype=np.int64)
    result[clusters] = strata
    return result


def sum_clusters(table: FloatArray, clusters: IntArray) -> FloatArray:
    """Return the sums of clusters, in an order of adding that the order of rows cannot change."""
    order = np.lexsort((*table.T, clusters))
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    return np.add.reduceat(table[order], starts, axis=0)


def spread_of_clusters(table: FloatArray, clusters: IntArray, form: ClusterForm) -> FloatArray:
    """Return ``sum c (t - centre)(t - centre)'`` over clusters with totals t.

    Sorted before anything is added, so that the order of rows changes no digit.
    """
    alone = len(table) == len(form.strata)
    totals = table[np.argsort(clusters)] if alone else sum_clusters(table, clusters)
    order = np.lexsort((*totals.T, form.coefficients, form.strata))
    totals, strata, single = totals[order], form.strata[order], form.single[order]
    coefficients = form.coefficients[order]
    centres = _stratum_centres(totals, strata, coefficients)[strata]
    centres[single] = totals.mean(axis=0)
    distances = totals - centres
    covariance = (distances * coefficients[:, None]).T @ distances
    return (covariance + covariance.T) / 2


def _stratum_centres(totals: FloatArray, strata: IntArray, coefficients: FloatArray) -> FloatArray:
    """Return weighted means; strata of which nothing counts get any."""
    starts = np.flatnonzero(np.diff(strata, prepend=-1))
    sums = np.add.reduceat(totals * coefficients[:, None], starts, axis=0)
    weights = np.add.reduceat(coefficients, starts)
    return sums / np.where(weights > 0, weights, 1.0)[:, None]


def single_cluster_error(labels: Sequence[int | str], strata: IntArray) -> ArgumentError:
    """Return the error for strata of a single cluster."""
    names = ", ".join(repr(labels[code]) for code in strata[:5])
    rule = (
        f"have two or more clusters in each stratum, which stratum {names} has not: merge it "
        'with one like it, or choose single_clusters="centre"'
    )
    return ArgumentError("strata", tuple(labels), rule, "single_cluster")


SINGLE_CLUSTERS = ("centre", "refuse")


@dataclass(frozen=True, slots=True, eq=False, init=False)
class SurveySample(WeightedSample):
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

    @same_people("weights", "strata", "clusters")
    def __init__(
        self,
        weights: ArrayLike | None = None,
        *,
        strata: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        population: float | ArrayLike | Mapping[int | str, float] | None = None,
        n: int | None = None,
        single_clusters: str = "refuse",
    ) -> None:
        size = checks.size_of(n, {"weights": weights, "strata": strata, "clusters": clusters})
        numbers = checks.check_weights(np.ones(size) if weights is None else weights, size)
        labels, codes = (
            ((0,), freeze(np.zeros(size, dtype=np.int64)))
            if strata is None
            else checks.check_labels_by_person(strata, size, "strata")
        )
        units = freeze(checks.number_clusters(clusters, codes))
        counts = np.bincount(strata_of_clusters(codes, units), minlength=len(labels))
        sizes = None if population is None else checks.check_population(population, labels, counts)
        check.choice(single_clusters, "single_clusters", SINGLE_CLUSTERS)
        keep(
            self,
            weights=numbers,
            strata=codes,
            clusters=units,
            stratum_labels=labels,
            population=sizes,
            cluster_counts=freeze(counts.astype(np.int64)),
            single_clusters=single_clusters,
        )

    @property
    def degrees_of_freedom(self) -> int:
        """Clusters less strata, as t intervals of survey estimates have them.

        Where all clusters of the population are drawn, only the devices' chance is left: people
        less one.
        """
        if (self.sampling_fractions == 1).all():
            return self.n - 1
        return int(self.cluster_counts.sum()) - len(self.stratum_labels)

    @property
    def sampling_fractions(self) -> FloatArray:
        """Share of its population's clusters that each stratum's sample has; 0 when unknown."""
        if self.population is None:
            return np.zeros(len(self.cluster_counts))
        return self.cluster_counts / self.population

    def with_weights(self, weights: ArrayLike) -> SurveySample:
        """Return the same respondents with other weights, such as calibrated ones.

        Ours: docs/methods/sampling.md.
        """
        return SurveySample(
            checks.check_weights(weights, self.n),
            strata=np.array(self.stratum_labels)[self.strata],
            clusters=self.clusters,
            population=self.population,
            single_clusters=self.single_clusters,
        )

    def with_replacement(self) -> SurveySample:
        """Return the same sample without its population (Graubard & Korn 2002)."""
        return SurveySample(
            self.weights,
            strata=np.array(self.stratum_labels)[self.strata],
            clusters=self.clusters,
            single_clusters=self.single_clusters,
        )

    def covariance_of_total(self, contributions: ArrayLike) -> FloatArray:
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
        table = checks.check_contributions(contributions, self.n)
        return spread_of_clusters(table, self.clusters, self._cluster_form())

    @property
    def own_coefficients(self) -> FloatArray:
        """Coefficient of each respondent's own square in the variance: one less the fraction."""
        return 1 - self.sampling_fractions[self.strata]

    def _cluster_form(self) -> ClusterForm:
        strata = strata_of_clusters(self.strata, self.clusters)
        counts, correction = self.cluster_counts[strata], 1 - self.sampling_fractions[strata]
        single = (counts == 1) & (correction > 0)
        if single.any() and self.single_clusters == "refuse":
            raise single_cluster_error(self.stratum_labels, strata[single])
        factors = np.where(counts > 1, counts / np.maximum(counts - 1, 1), 1.0)
        return ClusterForm(strata, correction * factors, single)
