"""Tests of coefficients and comparison of models: Wald, likelihood ratio, AIC and BIC."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, as_array, as_list
from rr_engine.display.shown import Shown
from rr_engine.distributions import chi2_sf
from rr_engine.errors import ArgumentError
from rr_engine.regression.randomized_outcome.predictions import check_fit
from rr_engine.regression.randomized_outcome.regression_fit import FittedLikelihood, RegressionFit

# Share of the largest sum of a column that rounding may change.
ROUNDING = 1e-7
# Share of a log-likelihood by which a model may be below one within it, for rounding.
FALL = 5e-7


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTest(Shown):
    """A test of a smaller model against a larger one.

    Attributes
    ----------
    statistic : float
    degrees : int
        Degrees of freedom.
    p_value : float
        Of the chi-square distribution; the alternative has no direction.
    method : str
        "wald" or "likelihood ratio".

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> from rr_engine.models import wald_test
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> fit = RRLogit(warner(0.75)).fit(x, reports)
    >>> test = wald_test(fit, ["x1"])
    >>> test.method, round(test.statistic, 1), test.degrees
    ('wald', 37.3, 1)
    """

    statistic: float
    degrees: int
    p_value: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSummary(Shown):
    """One model among those compared.

    Attributes
    ----------
    names : tuple of str
    coefficients : int
        Number of coefficients that were estimated.
    log_likelihood, aic, bic : float
    mcfadden : float
        1 - log-likelihood/log-likelihood of an intercept alone.
    test : ModelTest or None
        Likelihood-ratio test of the model before against this one, where its columns are among
        these.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> from rr_engine.models import compare_models
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> fit = RRLogit(warner(0.75)).fit(x, reports)
    >>> (summary,) = compare_models([fit])
    >>> round(summary.aic, 1), round(summary.bic, 1), summary.coefficients
    (2685.2, 2696.4, 2)
    """

    names: tuple[str, ...]
    coefficients: int
    log_likelihood: float
    aic: float
    bic: float
    mcfadden: float
    test: ModelTest | None


def wald_test(fit: RegressionFit, hypothesis: Sequence[str] | ArrayLike) -> ModelTest:
    """Test that coefficients, or weighted sums of them, are zero together.

    Parameters
    ----------
    fit : RegressionFit
    hypothesis : sequence of str, or array_like of float, shape (r, coefficients)
        Names of columns, whose coefficients are zero in all linear predictors; or r weighted sums
        of the coefficients, flat in C order.

    Returns
    -------
    ModelTest
        With the fit's own standard errors: robust ones for weights.

    Raises
    ------
    ArgumentError
        For a name that the model lacks, for sums that say the same twice, for a line through all
        answers, which leaves no standard error, and for a coefficient without a finite estimate
        ("no_finite_estimate"), which :func:`likelihood_ratio_test` can test.

    References
    ----------
    .. [1] A. Wald, "Tests of Statistical Hypotheses Concerning Several Parameters When the Number
       of Observations is Large", Transactions of the American Mathematical Society 54, 1943.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> found = wald_test(RRLogit(warner(0.75)).fit(x, reports), ["x1"])
    >>> round(found.statistic, 2), found.degrees, found.p_value < 0.001
    (37.28, 1, True)
    """
    sums = _check_sums(check_fit(fit), hypothesis)
    counted = (sums != 0).any(axis=0)
    if not np.isfinite(np.diag(fit.covariance)[counted]).all():
        rule = "be about coefficients with a finite estimate"
        raise ArgumentError("hypothesis", hypothesis, rule, "no_finite_estimate")
    finite = np.where(np.isinf(fit.covariance), 0.0, fit.covariance)
    spread = sums @ finite @ sums.T
    scale = np.sqrt(np.diag(spread))
    if not scale.all():
        rule = "be about sums with a standard error: a line through all answers leaves none"
        raise ArgumentError("hypothesis", hypothesis, rule, "no_standard_error")
    if np.linalg.matrix_rank(spread / np.outer(scale, scale), tol=1e-9) < len(sums):
        rule = "hold weighted sums of which none follows from the others"
        raise ArgumentError("hypothesis", hypothesis, rule, "collinear")
    values = sums @ fit.params.ravel()
    statistic = float(values @ np.linalg.solve(spread, values))
    return chi_square_test(statistic, len(sums), "wald")


def chi_square_test(statistic: float, degrees: int, method: str) -> ModelTest:
    """Return the test of a statistic that is chi-square under the smaller model."""
    p_value = float(chi2_sf(statistic, degrees))
    return ModelTest(statistic=statistic, degrees=degrees, p_value=p_value, method=method)


def likelihood_ratio_test(fit: RegressionFit, smaller: RegressionFit) -> ModelTest:
    """Test a model against a smaller one of the same reports.

    Parameters
    ----------
    fit : RegressionFit
    smaller : RegressionFit
        With some of the columns, fitted to the same respondents by the same link.

    Returns
    -------
    ModelTest

    Raises
    ------
    ArgumentError
        For weighted fits, whose likelihood is none; for a model that is not within the other; and
        for a fit that is not at its highest maximum, as the smaller one reaches higher
        ("not_highest").

    References
    ----------
    .. [1] S. S. Wilks, "The Large-Sample Distribution of the Likelihood Ratio for Testing Composite
       Hypotheses", The Annals of Mathematical Statistics 9, 1938.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> model = RRLogit(warner(0.75))
    >>> found = likelihood_ratio_test(model.fit(x, reports), model.fit(None, reports))
    >>> round(found.statistic, 2), found.degrees
    (46.23, 1)
    """
    larger_value, smaller_value = (
        _check_likelihood(each, name) for each, name in ((fit, "fit"), (smaller, "smaller"))
    )
    if not _is_within(smaller, fit):
        rule = "be a fit of the same respondents and link with some of the columns of fit"
        raise ArgumentError("smaller", smaller.names, rule, "not_nested")
    statistic = max(2 * (larger_value - smaller_value), 0.0)
    check_above(larger_value, smaller_value)
    return chi_square_test(statistic, fit.size - smaller.size, "likelihood ratio")


def check_above(larger: float, smaller: float) -> None:
    """Refuse the log-likelihood of a model that one within it exceeds: it is no maximum.

    Raises
    ------
    ArgumentError
    """
    if larger < smaller - FALL * max(1.0, abs(larger)):
        rule = f"be at its highest maximum: a model with fewer coefficients reaches {smaller:.4f}, "
        rule += "so that the ratio of both says nothing"
        raise ArgumentError("fit", larger, rule, "not_highest")


def compare_models(fits: Sequence[RegressionFit]) -> tuple[ModelSummary, ...]:
    """Return the figures of several models of the same respondents, in the order given.

    Parameters
    ----------
    fits : sequence of RegressionFit
        Unweighted.

    Returns
    -------
    tuple of ModelSummary

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] H. Akaike, "A New Look at the Statistical Model Identification", IEEE Transactions on
       Automatic Control 19, 1974.
    .. [2] G. Schwarz, "Estimating the Dimension of a Model", The Annals of Statistics 6, 1978.
    .. [3] D. McFadden, "Conditional Logit Analysis of Qualitative Choice Behavior", in P. Zarembka
       (ed.), Frontiers in Econometrics, 1974.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> model = RRLogit(warner(0.75))
    >>> found = compare_models([model.fit(None, reports), model.fit(x, reports)])
    >>> [round(each.aic, 1) for each in found], round(found[1].test.statistic, 2)
    ([2729.4, 2685.2], 46.23)
    """
    rule = "be a list of one or more RegressionFit"
    several = check.entries(fits, "fits", None, rule, "not_a_fit")
    models = [check_fit(fit, "fits") for fit in several]
    if len({(fit.n, fit.truths) for fit in models}) > 1:
        rule = "be fits of the same respondents and outcome"
        raise ArgumentError("fits", [fit.n for fit in models], rule, "not_nested")
    for fit in models:
        _check_likelihood(fit, "fits")
    sent = [_sums_by_report(fit, ()) for fit in models if _reports_columns(fit)]
    if any(not _alike(sent[0], other) for other in sent):
        rule = "be fits of the same reports: these were sent by others, or through other devices"
        raise ArgumentError("fits", [fit.names for fit in models], rule, "not_nested")
    return tuple(
        _summary(fit, models[place - 1] if place else None) for place, fit in enumerate(models)
    )


def _summary(fit: RegressionFit, before: RegressionFit | None) -> ModelSummary:
    value, size = _check_likelihood(fit, "fits"), fit.size
    null = fit.null_log_likelihood
    nested = before is not None and before.size < size and _is_within(before, fit)
    return ModelSummary(
        names=fit.names,
        coefficients=size,
        log_likelihood=value,
        aic=2 * size - 2 * value,
        bic=size * log(fit.n) - 2 * value,
        mcfadden=0.0 if not null else 1 - value / null,
        test=likelihood_ratio_test(fit, before) if nested and before is not None else None,
    )


def _check_sums(fit: RegressionFit, hypothesis: Sequence[str] | ArrayLike) -> FloatArray:
    labels = as_list(hypothesis)
    size = len(fit.names)
    if labels and all(isinstance(label, str) for label in labels):
        unknown = [label for label in labels if label not in fit.names]
        if unknown or len(set(labels)) < len(labels):
            rule = f"name columns of the model, each once: {', '.join(fit.names)}"
            raise ArgumentError("hypothesis", hypothesis, rule, "unknown_column")
        places = [fit.names.index(label) for label in labels]
        predictors = fit.params.size // size
        rows = [row * size + place for row in range(predictors) for place in places]
        return np.eye(fit.params.size)[rows]
    array = as_array(hypothesis)
    rule = f"be names of columns, or rows of {fit.params.size} finite numbers, none of zeros only"
    fits = array is not None and array.ndim == 2 and array.dtype.kind in "iuf"
    fits = fits and array is not None and array.shape[1] == fit.params.size and bool(len(array))
    if array is None or not fits or not (np.isfinite(array).all() and array.any(axis=1).all()):
        raise ArgumentError("hypothesis", hypothesis, rule, "not_numbers")
    return array.astype(np.float64)


def _check_likelihood(fit: RegressionFit, argument: str) -> float:
    if check_fit(fit, argument).log_likelihood is None or fit.weighted:
        rule = "be fitted by maximum likelihood without weights"
        raise ArgumentError(argument, fit.link, rule, "no_likelihood")
    assert fit.log_likelihood is not None
    return fit.log_likelihood


def _is_within(smaller: RegressionFit, larger: RegressionFit) -> bool:
    alike = (smaller.n, smaller.truths, smaller.link) == (larger.n, larger.truths, larger.link)
    if not alike or not set(smaller.parameter_names) < set(larger.parameter_names):
        return False
    if not (_reports_columns(smaller) and _reports_columns(larger)):
        return True
    own, others = (_sums_by_report(fit, smaller.names) for fit in (smaller, larger))
    return _alike(own, others)


def _alike(own: FloatArray, others: FloatArray) -> bool:
    """Return whether sums are of the same people: in any order, up to rounding."""
    return own.shape == others.shape and bool(
        np.allclose(own, others, rtol=ROUNDING, atol=ROUNDING * np.abs(own).max())
    )


def _reports_columns(fit: RegressionFit) -> bool:
    return isinstance(fit.fitted, FittedLikelihood)


def _sums_by_report(fit: RegressionFit, names: Sequence[str]) -> FloatArray:
    """Return the sums of columns over those who sent each report, shape (reports, columns + 1)."""
    assert isinstance(fit.fitted, FittedLikelihood)
    likelihood = fit.fitted.likelihood
    columns, weights = fit.fitted.rows()
    places = [fit.names.index(name) for name in names]
    sent = likelihood.groups.codes[:, 0]
    size = len(likelihood.reports.table)
    counted = np.column_stack([np.ones(len(columns)), columns[:, places]]) * weights[:, None]
    return np.column_stack([np.bincount(sent, column, minlength=size) for column in counted.T])
