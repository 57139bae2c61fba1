"""The covariance of any statistic, from replicate weights."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, as_array
from rr_engine.errors import ArgumentError
from rr_engine.library.sampling.replicates import ReplicateWeights
from rr_engine.sampling.survey_estimate import errors_of, student_intervals

Statistic = Callable[[FloatArray], ArrayLike]


@dataclass(frozen=True, slots=True, eq=False)
class ReplicatedEstimate(FrozenArrays):
    """A statistic with its covariance over replicates.

    Attributes
    ----------
    values : ndarray of float, shape (p,)
        Of the whole sample.
    covariance : ndarray of float, shape (p, p)
    replicates : ndarray of float, shape (replicates, p)
    degrees_of_freedom : int
    method : str

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import jackknife_weights, replicate_covariance
    >>> values = [3.0, 1.0, 2.0, 4.0]
    >>> replicates = jackknife_weights(SurveySample(n=4))
    >>> found = replicate_covariance(lambda weights: weights @ values / weights.sum(), replicates)
    >>> found.standard_errors.round(3).tolist()
    [0.645]
    """

    values: FloatArray
    covariance: FloatArray
    replicates: FloatArray
    degrees_of_freedom: int
    method: str

    @property
    def standard_errors(self) -> FloatArray:
        """Square roots of the covariance's diagonal."""
        return errors_of(self.covariance)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return confidence intervals by Student's t between clusters, shape (p, 2).

        Parameters
        ----------
        level : float, default 0.95

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] K. M. Wolter, "Introduction to Variance Estimation", second edition, Springer, 2007,
           section 1.8.
        """
        errors, degrees = self.standard_errors, self.degrees_of_freedom
        return student_intervals(self.values, errors, degrees, level)


def replicate_covariance(
    statistic: Statistic, replicate_weights: ReplicateWeights
) -> ReplicatedEstimate:
    """Return a statistic of the weights with its covariance over replicates.

    Parameters
    ----------
    statistic : callable
        Takes weights (n,) and returns a number, or a list of numbers that is as long for all: any
        estimator, with the respondents' answers bound to it.
    replicate_weights : ReplicateWeights
        From :func:`jackknife_weights`, :func:`bootstrap_weights` or :func:`half_sample_weights`.

    Returns
    -------
    ReplicatedEstimate
        Squared distances of the replicates from the value of the whole sample, times their scales.

    Raises
    ------
    ArgumentError
        Also where the statistic of a replicate is not finite ("not_a_statistic"), such as the mean
        of a group of which nobody is left.

    Notes
    -----
    docs/methods/sampling.md. Replicates redraw clusters and not the devices' chance within them:
    in a finite population the part of it that the correction takes away is missing, which
    :func:`estimate_weighted` adds.

    References
    ----------
    .. [1] K. M. Wolter, "Introduction to Variance Estimation", second edition, Springer, 2007,
       chapters 3 to 5.

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import jackknife_weights, replicate_covariance
    >>> sample, values = SurveySample([1, 1, 2]), [3.0, 5.0, 4.0]
    >>> found = replicate_covariance(
    ...     lambda weights: weights @ values / weights.sum(), jackknife_weights(sample)
    ... )
    >>> found.values.tolist(), found.standard_errors.round(4).tolist()
    ([4.0], [0.3849])
    """
    rule = "be ReplicateWeights, such as jackknife_weights returns"
    check.instance(replicate_weights, "replicate_weights", ReplicateWeights, rule, "not_replicates")
    if not callable(statistic):
        rule = "be a function of the weights"
        raise ArgumentError("statistic", statistic, rule, "not_a_function")
    values = _value_of(statistic, replicate_weights.weights, None)
    rows = [_value_of(statistic, weights, len(values)) for weights in replicate_weights]
    distances = np.array(rows) - values
    covariance = (distances * replicate_weights.scales[:, None]).T @ distances
    return ReplicatedEstimate(
        values=values,
        covariance=(covariance + covariance.T) / 2,
        replicates=np.array(rows),
        degrees_of_freedom=replicate_weights.sample.degrees_of_freedom,
        method=replicate_weights.method,
    )


def _value_of(statistic: Statistic, weights: FloatArray, size: int | None) -> FloatArray:
    rule = "return a number, or a list of finite numbers of the same length, for all weights"
    try:
        array = as_array(statistic(weights))
    except TypeError as wrong:
        raise ArgumentError("statistic", statistic, rule, "not_a_statistic") from wrong
    if array is None or array.ndim > 1 or array.size == 0 or array.dtype.kind not in "iuf":
        raise ArgumentError("statistic", statistic, rule, "not_a_statistic")
    values = np.atleast_1d(array).astype(np.float64)
    if not np.isfinite(values).all() or (size is not None and len(values) != size):
        raise ArgumentError("statistic", statistic, rule, "not_a_statistic")
    return values
