"""Replicate weights: jackknife, bootstrap and balanced half-samples of clusters."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays, IntArray, RandomSource
from rr_engine.errors import ArgumentError
from rr_engine.sampling.calibrated_sample import CalibratedSample
from rr_engine.sampling.survey_sample import SurveySample, single_cluster_error, strata_of_clusters
from rr_engine.sampling.weighted_sample import WeightedSample

# Entries of a table of what each cluster's weight is multiplied by: 256 MB.
LARGEST_TABLE = 2**25


@dataclass(frozen=True, slots=True, eq=False)
class ReplicateWeights(FrozenArrays):
    """A sample's weights, and those of its replicates.

    Attributes
    ----------
    sample : SurveySample or CalibratedSample
    multipliers : ndarray of float, shape (replicates, clusters)
        What each cluster's weights before calibration are multiplied by.
    scales : ndarray of float, shape (replicates,)
        What each replicate's squared distance counts in the covariance.
    method : str
        "jackknife", "bootstrap" or "half-samples".

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import jackknife_weights
    >>> replicates = jackknife_weights(SurveySample([1, 1, 2, 2]))
    >>> replicates.method, replicates.multipliers.shape
    ('jackknife', (4, 4))
    """

    sample: WeightedSample
    multipliers: FloatArray
    scales: FloatArray
    method: str

    @property
    def count(self) -> int:
        """Number of replicates."""
        return len(self.multipliers)

    @property
    def weights(self) -> FloatArray:
        """The weights of the sample itself, shape (n,)."""
        return self.sample.weights

    def __iter__(self) -> Iterator[FloatArray]:
        """Return the weights of each replicate in turn, calibrated anew where the sample's are."""
        return (self._weights_of(row) for row in self.multipliers)

    def _weights_of(self, row: FloatArray) -> FloatArray:
        sample = self.sample
        if isinstance(sample, CalibratedSample):
            return sample.margins.rake(sample.base.weights * row[sample.clusters]).weights
        return sample.weights * row[sample.clusters]


def jackknife_weights(sample: SurveySample | CalibratedSample) -> ReplicateWeights:
    """Return replicates that leave out one cluster each (JKn).

    Parameters
    ----------
    sample : SurveySample or CalibratedSample
        Of two or more clusters in each stratum.

    Returns
    -------
    ReplicateWeights
        One for each cluster: its weights are 0 and those of its stratum's others n/(n - 1) times
        what they were.

    Raises
    ------
    ArgumentError
        Also for more than 5,792 clusters ("too_many_replicates"): take the bootstrap, or the
        covariance by linearisation.

    Notes
    -----
    docs/methods/sampling.md. A finite population shrinks the scales. Of a total the covariance is
    exactly the one by linearisation.

    References
    ----------
    .. [1] K. M. Wolter, "Introduction to Variance Estimation", second edition, Springer, 2007,
       section 4.5.
    .. [2] J. N. K. Rao and J. Shao, "Jackknife Variance Estimation with Survey Data under Hot Deck
       Imputation", Biometrika 79 (1992), 811-822.

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import jackknife_weights
    >>> replicates = jackknife_weights(SurveySample([2, 2, 2, 1, 1], strata=[0, 0, 0, 1, 1]))
    >>> [weights.tolist() for weights in replicates][0]
    [0.0, 3.0, 3.0, 1.0, 1.0]
    """
    strata, counts, fractions = _clusters_of(sample)
    size = len(strata)
    if size**2 > LARGEST_TABLE:
        rule = (
            f"have at most {int(LARGEST_TABLE**0.5)} clusters for a jackknife; take the bootstrap"
        )
        raise ArgumentError("sample", sample, rule, "too_many_replicates")
    raised = counts / (counts - 1)
    same = strata[:, None] == strata
    multipliers = np.where(same, raised, 1.0)
    multipliers[np.diag_indices(size)] = 0.0
    scales = (1 - fractions) * (counts - 1) / counts
    return ReplicateWeights(sample, multipliers, scales, "jackknife")


def bootstrap_weights(
    sample: SurveySample | CalibratedSample, replicates: int = 500, rng: RandomSource = None
) -> ReplicateWeights:
    """Return replicates that draw clusters anew (rescaled bootstrap).

    Parameters
    ----------
    sample : SurveySample or CalibratedSample
        Of two or more clusters in each stratum.
    replicates : int, default 500
    rng : Generator, int or None
        A seed makes it the same every time.

    Returns
    -------
    ReplicateWeights
        In each, one cluster fewer than there are is drawn with replacement in every stratum; no
        weight is negative.

    Raises
    ------
    ArgumentError

    Notes
    -----
    docs/methods/sampling.md. A cluster drawn r times has its weights multiplied by
    ``1 + sqrt(1 - f) (r n/(n - 1) - 1)``, f the fraction of the population's clusters.

    References
    ----------
    .. [1] J. N. K. Rao and C. F. J. Wu, "Resampling Inference With Complex Survey Data", Journal of
       the American Statistical Association 83 (1988), 231-241.
    .. [2] J. N. K. Rao, C. F. J. Wu and K. Yue, "Some Recent Work on Resampling Methods for Complex
       Surveys", Survey Methodology 18 (1992), 209-217.

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import bootstrap_weights
    >>> replicates = bootstrap_weights(SurveySample(n=4), 200, rng=1)
    >>> replicates.count, float(replicates.multipliers.max())
    (200, 4.0)
    """
    count = check.whole(replicates, "replicates", minimum=2, maximum=LARGEST_TABLE)
    generator = check.rng(rng)
    strata, counts, fractions = _clusters_of(sample)
    if count * len(strata) > LARGEST_TABLE:
        rule = f"be at most {LARGEST_TABLE // len(strata)} for {len(strata)} clusters"
        raise ArgumentError("replicates", replicates, rule, "too_many_replicates")
    drawn = np.empty((count, len(strata)))
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        n = len(members)
        drawn[:, members] = generator.multinomial(n - 1, np.full(n, 1 / n), size=count)
    multipliers = 1 + np.sqrt(1 - fractions) * (drawn * counts / (counts - 1) - 1)
    return ReplicateWeights(sample, multipliers, np.full(count, 1 / count), "bootstrap")


def half_sample_weights(sample: SurveySample | CalibratedSample) -> ReplicateWeights:
    """Return balanced half-samples of designs with two clusters in each stratum.

    Parameters
    ----------
    sample : SurveySample or CalibratedSample
        Of exactly two clusters in each stratum, with no finite population.

    Returns
    -------
    ReplicateWeights
        As many as the least power of two above the number of strata; in each, one of a stratum's
        clusters counts twice and the other not at all.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] P. J. McCarthy, "Pseudo-Replication: Half Samples", Review of the International
       Statistical Institute 37 (1969), 239-264.

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import half_sample_weights
    >>> sample = SurveySample(strata=[0, 0, 1, 1, 2, 2])
    >>> [weights.tolist() for weights in half_sample_weights(sample)][1]
    [0.0, 2.0, 2.0, 0.0, 0.0, 2.0]
    """
    strata, counts, fractions = _clusters_of(sample)
    if (counts != 2).any() or fractions.any():
        rule = "have exactly two clusters in each stratum, and no finite population"
        raise ArgumentError("sample", sample, rule, "not_two_clusters")
    size = len(strata) // 2
    count = 1 << size.bit_length()
    if count * len(strata) > LARGEST_TABLE:
        rule = "have fewer strata for half-samples; take the jackknife"
        raise ArgumentError("sample", sample, rule, "too_many_replicates")
    # The first column is constant: without it every stratum is balanced by itself too.
    signs = scipy.linalg.hadamard(count)[:, 1 : size + 1].astype(np.float64)
    multipliers = np.empty((count, len(strata)))
    order = np.argsort(strata, kind="stable")
    multipliers[:, order[0::2]], multipliers[:, order[1::2]] = 1 + signs, 1 - signs
    return ReplicateWeights(sample, multipliers, np.full(count, 1 / count), "half-samples")


def _clusters_of(sample: object) -> tuple[IntArray, IntArray, FloatArray]:
    """Return for each cluster its stratum, the clusters drawn there and their fraction of all."""
    base = sample.base if isinstance(sample, CalibratedSample) else sample
    if not isinstance(base, SurveySample):
        rule = "be a SurveySample, calibrated or not"
        raise ArgumentError("sample", sample, rule, "not_a_sample_design")
    strata = strata_of_clusters(base.strata, base.clusters)
    counts = base.cluster_counts[strata]
    if (counts == 1).any():
        raise single_cluster_error(base.stratum_labels, strata[counts == 1])
    return strata, counts, base.sampling_fractions[strata]
