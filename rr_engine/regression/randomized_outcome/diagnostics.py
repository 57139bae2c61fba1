"""Whether a model fits: residuals of reports, and a test against groups of fitted probabilities."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays, IntArray
from rr_engine.display.figures import Drawn, Points
from rr_engine.distributions import chi2_sf
from rr_engine.errors import ArgumentError
from rr_engine.regression.randomized_outcome.predictions import check_fit
from rr_engine.regression.randomized_outcome.regression_fit import FittedLikelihood, RegressionFit
from rr_engine.regression.randomized_outcome.regression_fitting import unbiased_scores

# Share of the largest eigenvalue below which a direction of the test carries nothing.
RANK = 1e-9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Residuals(FrozenArrays, Drawn):
    """Residuals of respondents, in the order of the rows; 0 for those who do not count.

    Attributes
    ----------
    pearson : ndarray of float, shape (n,); (n, truths - 1) for more than two truths
        The score of a report in its linear predictor over its standard deviation. For a yes/no
        device that is (report - expected)/sqrt(expected (1 - expected)), positive for what speaks
        for "yes".
    deviance : ndarray of float, shape (n,)
        ``sqrt(-2 log Pr(report))`` with the sign of the first Pearson residual.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> from rr_engine.models import model_residuals
    >>> x, reports = np.repeat([0.0, 1.0], 4), [0, 0, 0, 1, 0, 0, 1, 1]
    >>> found = model_residuals(RRLogit(warner(0.9)).fit(x, reports))
    >>> found.pearson.round(2).tolist()[:4], found.deviance.round(2).tolist()[:4]
    ([-0.58, -0.58, -0.58, 1.73], [-0.76, -0.76, -0.76, 1.67])
    """

    pearson: FloatArray
    deviance: FloatArray

    def _figure(self) -> Points:
        return Points(
            places=list(range(len(self.deviance))),
            values=self.deviance.tolist(),
            across="Respondent, in the order of the rows",
            up="Deviance residual",
            title="Residuals of the reports",
            level=0.0,
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CalibrationTest(FrozenArrays, Drawn):
    """Score test that groups of like fitted probabilities have no effects of their own.

    Attributes
    ----------
    statistic : float
    degrees : int
    p_value : float
    groups : int
        Groups of respondents by their fitted probability.
    sizes : ndarray of int, shape (groups,)
    fitted, observed : ndarray of float, shape (groups,)
        Mean fitted probability of the truth "yes" (of the last category), and the share that the
        reports of the group show, unbiased: what a calibration plot shows.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> from rr_engine.models import calibration_test
    >>> x = np.repeat([0.0, 1.0, 2.0], 1000)
    >>> reports = np.concatenate([np.repeat([0, 1], [1000 - y, y]) for y in (300, 600, 400)])
    >>> found = calibration_test(RRLogit(warner(0.8)).fit(x, reports))
    >>> found.sizes.tolist(), found.fitted.round(2).tolist(), found.observed.round(2).tolist()
    ([1000, 1000, 1000], [0.31, 0.39, 0.47], [0.17, 0.67, 0.33])
    """

    statistic: float
    degrees: int
    p_value: float
    groups: int
    sizes: IntArray
    fitted: FloatArray
    observed: FloatArray

    def _figure(self) -> Points:
        return Points(
            places=self.fitted.tolist(),
            values=self.observed.tolist(),
            across="Mean fitted probability of the group",
            up="Share that the reports of the group show",
            title=f"Calibration in {self.groups} groups",
            same=True,
        )


def model_residuals(fit: RegressionFit) -> Residuals:
    """Return the residuals of the reports under a fitted model.

    Parameters
    ----------
    fit : RegressionFit
        By maximum likelihood.

    Returns
    -------
    Residuals

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] D. A. Pierce and D. W. Schafer, "Residuals in Generalized Linear Models", Journal of the
       American Statistical Association 81, 1986.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> x, reports = np.repeat([0.0, 1.0], 4), [0, 0, 0, 1, 0, 0, 1, 1]
    >>> model_residuals(RRLogit(warner(0.9)).fit(x, reports)).pearson.round(2).tolist()
    [-0.58, -0.58, -0.58, 1.73, -1.0, -1.0, 1.0, 1.0]
    """
    fitted = _check_fitted(fit)
    likelihood, theta = fitted.likelihood, fitted.theta
    terms = likelihood.terms(theta)
    variances = np.diagonal(likelihood.expected_blocks(theta), axis1=1, axis2=2)
    spread = np.sqrt(np.maximum(variances, 0.0))
    pearson = np.divide(terms.score, spread, out=np.zeros_like(terms.score), where=spread > 0)
    size = np.sqrt(np.maximum(-2 * terms.log_likelihood, 0.0))
    deviance = np.where(pearson[:, 0] < 0, -size, size)
    groups = likelihood.groups.group_of
    counted = groups >= 0
    rows = np.where(counted[:, None], pearson[groups], 0.0)
    return Residuals(
        pearson=rows[:, 0] if fit.truths == 2 else rows,
        deviance=np.where(counted, deviance[groups], 0.0),
    )


def calibration_test(fit: RegressionFit, groups: int = 10) -> CalibrationTest:
    """Test whether groups of respondents with like fitted probabilities fit the model.

    Tsiatis's score test: indicators of the groups are added to the model, and their effects are
    tested without fitting them. It stands for Hosmer and Lemeshow's, whose statistic is of direct
    answers only, and holds for any device and any mixture of devices.

    Parameters
    ----------
    fit : RegressionFit
        By maximum likelihood.
    groups : int, default 10
        At most; equal probabilities are never put in different groups.

    Returns
    -------
    CalibrationTest
        With weights the variance of the scores is taken from their spread.

    Raises
    ------
    ArgumentError
        For a model with as many coefficients as groups of like probabilities ("saturated"), which
        fits whatever came.
    NotIdentifiableError
        For a device that does not tell the categories apart by itself.

    References
    ----------
    .. [1] A. A. Tsiatis, "A Note on a Goodness-of-Fit Test for the Logistic Regression Model",
       Biometrika 67, 1980.
    .. [2] D. W. Hosmer and S. Lemeshow, "Goodness of Fit Tests for the Multiple Logistic Regression
       Model", Communications in Statistics A9, 1980.

    Examples
    --------
    A straight line through three groups of which the middle one is the highest:

    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> x = np.repeat([0.0, 1.0, 2.0], 1000)
    >>> reports = np.concatenate([np.repeat([0, 1], [1000 - y, y]) for y in (300, 600, 400)])
    >>> found = calibration_test(RRLogit(warner(0.8)).fit(x, reports))
    >>> found.degrees, found.p_value < 0.001, found.observed.round(2).tolist()
    (1, True, [0.17, 0.67, 0.33])
    """
    fitted = _check_fitted(fit)
    most = check.whole(groups, "groups", minimum=2, maximum=1000)
    likelihood, theta = fitted.likelihood, fitted.theta
    shares = likelihood.outcome.probabilities(likelihood.eta(theta))[:, -1]
    weights = likelihood.groups.weights
    bins = _bins(shares, weights, most)
    indicators = np.eye(bins.max() + 1)[bins]
    statistic, degrees = _score_statistic(fitted, indicators, robust=fit.weighted)
    if not degrees:
        rule = "have fewer coefficients than there are groups of like probabilities"
        raise ArgumentError("fit", fit.names, rule, "saturated")
    scores = unbiased_scores(likelihood.reports, fit.truths - 1)
    totals = weights @ indicators
    own = likelihood.groups.group_of[likelihood.groups.group_of >= 0]
    return CalibrationTest(
        statistic=statistic,
        degrees=degrees,
        p_value=float(chi2_sf(statistic, degrees)),
        groups=len(totals),
        sizes=np.bincount(bins[own], minlength=len(totals)),
        fitted=(weights * shares) @ indicators / totals,
        observed=(weights * scores[likelihood.groups.codes[:, 0]]) @ indicators / totals,
    )


def _check_fitted(fit: object) -> FittedLikelihood:
    model = check_fit(fit)
    if not isinstance(model.fitted, FittedLikelihood):
        rule = "be fitted by maximum likelihood"
        raise ArgumentError("fit", model.link, rule, "no_likelihood")
    return model.fitted


def _bins(shares: FloatArray, weights: FloatArray, most: int) -> IntArray:
    """Return groups of about equal weight by ascending share; equal shares stay together."""
    # Differences that rounding makes are none.
    _, places = np.unique(shares.round(10), return_inverse=True)
    sizes = np.bincount(places, weights)
    before = np.cumsum(sizes) - sizes
    numbers = np.floor(most * (before + sizes / 2) / sizes.sum()).astype(np.int64)
    _, bins = np.unique(np.minimum(numbers, most - 1), return_inverse=True)
    return bins[places]


def _score_statistic(
    fitted: FittedLikelihood, indicators: FloatArray, *, robust: bool
) -> tuple[float, int]:
    """Return the score statistic of effects of the indicators, and its degrees of freedom."""
    likelihood, theta = fitted.likelihood, fitted.theta
    size = likelihood.outcome.predictors
    columns = likelihood.groups.columns
    both = np.hstack([columns, indicators])
    blocks = likelihood.expected_blocks(theta)
    information = likelihood.information_of(blocks, both)
    own = np.tile(np.arange(both.shape[1]) < columns.shape[1], size)
    slopes = np.linalg.lstsq(
        information[np.ix_(own, own)], information[np.ix_(own, ~own)], rcond=None
    )[0]
    score = likelihood.terms(theta).score
    each = (score[:, :, None] * both[:, None, :]).reshape(len(both), -1)
    efficient = each[:, ~own] - each[:, own] @ slopes
    total = likelihood.groups.weights @ efficient
    if robust:
        variance = (efficient * likelihood.groups.squares[:, None]).T @ efficient
    else:
        variance = information[np.ix_(~own, ~own)] - information[np.ix_(~own, own)] @ slopes
    values, vectors = np.linalg.eigh((variance + variance.T) / 2)
    kept = values > RANK * max(float(np.abs(np.diag(information)).max()), 1e-300)
    statistic = float(((vectors[:, kept].T @ total) ** 2 / values[kept]).sum())
    return statistic, int(kept.sum())
