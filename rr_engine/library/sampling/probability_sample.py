"""A sample drawn with known inclusion probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, freeze, keep
from rr_engine.errors import ArgumentError
from rr_engine.labelled import same_people
from rr_engine.sampling import checks, survey_sample
from rr_engine.sampling.weighted_sample import WeightedSample

EXACT = ("horvitz_thompson", "sen_yates_grundy")
APPROXIMATE = ("deville", "hajek", "with_replacement")
# Relative size below which pairs count as drawn independently of each other.
INDEPENDENT = 1e-9


@dataclass(frozen=True, slots=True, eq=False, init=False)
class ProbabilitySample(WeightedSample):
    """Respondents drawn without replacement with known inclusion probabilities.

    Parameters
    ----------
    inclusion : array_like of float, shape (n,)
        Each respondent's probability of being in the sample, above 0 and at most 1; with
        clusters, that of the respondent's cluster, all of which is asked.
    joint : array_like of float, shape (c, c), optional
        Probability that two are in the sample together; `inclusion` on the diagonal. Of the
        respondents in their order; with clusters, of the clusters in rising order of their labels.
    strata, clusters : array_like of int or str, shape (n,), optional
        As of :class:`SurveySample`. Strata are for the approximations: `joint` tells them.
    variance : {"horvitz_thompson", "sen_yates_grundy", "deville", "hajek", "with_replacement"}, \
optional
        How the variance of a total is estimated. The first two are exactly unbiased and need
        `joint`; Sen, Yates and Grundy's is for samples of a fixed size and is steadier there, and
        the default where `joint` is given. "deville" (the default otherwise) and "hajek" are
        approximations for samples of a fixed size and high entropy; "with_replacement" errs on
        the large side.

    Attributes
    ----------
    weights : ndarray of float, shape (n,)
        One over the inclusion probabilities.
    inclusion : ndarray of float, shape (n,)
    joint : ndarray of float or None
    strata, clusters : ndarray of int, shape (n,)
    stratum_labels : tuple of int or str
    variance : str

    Raises
    ------
    ArgumentError

    Notes
    -----
    docs/methods/sampling.md.

    Examples
    --------
    >>> sample = ProbabilitySample([0.5, 0.25, 0.5])
    >>> sample.weights.tolist(), sample.variance
    ([2.0, 4.0, 2.0], 'deville')
    """

    weights: FloatArray
    inclusion: FloatArray
    joint: FloatArray | None
    strata: IntArray
    clusters: IntArray
    stratum_labels: tuple[int | str, ...]
    variance: str

    @same_people("inclusion", "strata", "clusters")
    def __init__(
        self,
        inclusion: ArrayLike,
        joint: ArrayLike | None = None,
        *,
        strata: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        variance: str | None = None,
    ) -> None:
        chances = checks.check_inclusion(inclusion)
        n = len(chances)
        labels, codes = (
            ((0,), freeze(np.zeros(n, dtype=np.int64)))
            if strata is None
            else checks.check_labels_by_person(strata, n, "strata")
        )
        units = freeze(
            checks.number_clusters(clusters, codes if joint is None else np.zeros_like(codes))
        )
        own = _chances_of_clusters(chances, units, inclusion)
        table = None if joint is None else freeze(checks.check_joint(joint, own))
        keep(
            self,
            weights=freeze(1 / chances),
            inclusion=chances,
            joint=table,
            strata=codes,
            clusters=units,
            stratum_labels=labels,
            variance=_check_variance(variance, table),
        )

    @property
    def degrees_of_freedom(self) -> int:
        """Clusters less strata."""
        return int(self.clusters.max()) + 1 - len(self.stratum_labels)

    @property
    def own_coefficients(self) -> FloatArray:
        """Coefficient of each respondent's own square in the variance; see `WeightedSample`."""
        if self.variance in EXACT:
            return np.diag(self._exact_form())[self.clusters]
        return self._approximate_form().own[self.clusters]

    def with_replacement(self) -> ProbabilitySample:
        """Return the sample with that variance (Graubard & Korn 2002)."""
        return ProbabilitySample(
            self.inclusion,
            strata=np.array(self.stratum_labels)[self.strata],
            clusters=self.clusters,
            variance="with_replacement",
        )

    def covariance_of_total(self, contributions: ArrayLike) -> FloatArray:
        """Return the estimated covariance of the column sums of a table.

        Parameters
        ----------
        contributions : array_like of float, shape (n, p)
            One row for each respondent, already divided by the inclusion probability.

        Returns
        -------
        ndarray of float, shape (p, p)
            By the estimator named in `variance`. The one of Horvitz and Thompson can come out
            negative.

        Raises
        ------
        ArgumentError
            Also for a stratum of a single cluster that might not have been drawn
            ("single_cluster").

        Notes
        -----
        With t the clusters' sums, d the covariances of being drawn over the joint probabilities,
        c coefficients of 1 - inclusion probability and B the mean of t with weights c:

            Horvitz & Thompson     sum_kl d_kl t_k t_l
            Sen, Yates & Grundy    -1/2 sum_kl d_kl (t_k - t_l)**2
            Deville, Hajek         sum_k c_k (t_k - B)**2, by stratum

        docs/methods/sampling.md.

        References
        ----------
        .. [1] D. G. Horvitz and D. J. Thompson, "A Generalization of Sampling Without Replacement
           from a Finite Universe", Journal of the American Statistical Association 47 (1952),
           663-685.
        .. [2] F. Yates and P. M. Grundy, "Selection Without Replacement from Within Strata with
           Probability Proportional to Size", Journal of the Royal Statistical Society B 15
           (1953), 253-261; A. R. Sen, "On the Estimate of the Variance in Sampling with Varying
           Probabilities", Journal of the Indian Society of Agricultural Statistics 5 (1953).
        .. [3] J. Hajek, "Asymptotic Theory of Rejective Sampling with Varying Probabilities from
           a Finite Population", The Annals of Mathematical Statistics 35 (1964), 1491-1523.
        .. [4] J.-C. Deville, "Estimation de la variance pour les enquetes en deux phases",
           manuscript, INSEE, 1993; "Variance Estimation for Complex Statistics and Estimators",
           Survey Methodology 25 (1999), 193-203.

        Examples
        --------
        Two of four people, drawn at random:

        >>> joint = [[1 / 2, 1 / 6], [1 / 6, 1 / 2]]
        >>> sample = ProbabilitySample([1 / 2, 1 / 2], joint)
        >>> sample.covariance_of_total([[2.0], [6.0]]).round(12).tolist()
        [[8.0]]
        """
        table = checks.check_contributions(contributions, self.n)
        if self.variance not in EXACT:
            return survey_sample.spread_of_clusters(table, self.clusters, self._approximate_form())
        totals = survey_sample.sum_clusters(table, self.clusters)
        # Sorted, so that the order of respondents changes no digit.
        order = np.lexsort((np.diag(self._exact_form()), *totals.T))
        totals, form = totals[order], self._exact_form()[np.ix_(order, order)]
        covariance = totals.T @ form @ totals
        return (covariance + covariance.T) / 2

    def _exact_form(self) -> FloatArray:
        if self.joint is None:  # not reached: the constructor asks for it
            raise ArgumentError("joint", None, "be given", "joint_missing")
        chances = np.diag(self.joint)
        form = 1 - np.outer(chances, chances) / self.joint
        form[np.diag_indices(len(form))] = 1 - chances
        if self.variance == "sen_yates_grundy":
            form = form - np.diag(np.sort(form, axis=1).sum(axis=1))
        return form

    def _approximate_form(self) -> survey_sample.ClusterForm:
        strata = survey_sample.strata_of_clusters(self.strata, self.clusters)
        chances = _chances_of_clusters(self.inclusion, self.clusters, self.inclusion)
        replaced = self.variance == "with_replacement"
        free = np.ones(len(chances)) if replaced else 1 - chances
        counts = np.bincount(strata, free > 0)[strata]
        single = (counts == 1) & (free > 0)
        if single.any():
            raise survey_sample.single_cluster_error(self.stratum_labels, strata[single])
        if self.variance == "deville":
            sums = survey_sample.stratum_sums(strata, free)[strata]
            parts = free / np.where(sums > 0, sums, 1.0)
            factors = 1 / (1 - survey_sample.stratum_sums(strata, parts**2)[strata])
        else:
            factors = counts / np.maximum(counts - 1, 1)
        return survey_sample.ClusterForm(strata, free * factors, np.zeros(len(free), dtype=bool))


def _chances_of_clusters(chances: FloatArray, clusters: IntArray, given: object) -> FloatArray:
    """Return the inclusion probability of each cluster, which all of its respondents have."""
    own = np.empty(int(clusters.max()) + 1)
    own[clusters] = chances
    if (own[clusters] != chances).any():
        rule = (
            "be the same for all respondents of a cluster; where only a part of it is asked, "
            "use SurveySample with weights and clusters"
        )
        raise ArgumentError("inclusion", given, rule, "inclusion_differs")
    return own


def _check_variance(variance: str | None, joint: FloatArray | None) -> str:
    if variance is None:
        name = "deville" if joint is None else "sen_yates_grundy"
    else:
        name = check.choice(variance, "variance", (*EXACT, *APPROXIMATE))
    if name in EXACT and joint is None:
        rule = f"be given for the variance {name!r}; without it choose 'deville' or 'hajek'"
        raise ArgumentError("joint", None, rule, "joint_missing")
    if name == "sen_yates_grundy" and joint is not None and len(joint) > 2:
        chances = np.diag(joint)
        apart = np.outer(chances, chances) / joint - 1
        apart[np.diag_indices(len(apart))] = 0
        if np.abs(apart).max() < INDEPENDENT and (chances < 1).any():
            rule = (
                "be 'horvitz_thompson' where everybody is drawn independently of the others: "
                "the number of respondents is not fixed then"
            )
            raise ArgumentError("variance", name, rule, "draws_independent")
    return name
