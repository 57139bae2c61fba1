"""Does a device bring out another answer than asking openly, and from whom?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, as_array
from rr_engine.channels.protocol import Channel
from rr_engine.codes import check_codes
from rr_engine.distributions import normal_sf
from rr_engine.errors import ArgumentError
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import same_people
from rr_engine.library.noncompliance.type_data import named_as
from rr_engine.regression.engine.covariates import check_covariates
from rr_engine.regression.engine.fitted_model import wald_intervals
from rr_engine.regression.randomized_outcome.comparison import (
    ModelTest,
    likelihood_ratio_test,
    wald_test,
)
from rr_engine.regression.randomized_outcome.logit import RRLogit
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit
from rr_engine.sampling.weighted_sample import WeightedSample


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArmComparison(FrozenArrays):
    """Coefficients of one arm beside those of the other.

    Attributes
    ----------
    names : tuple of str
        The intercept and the covariates.
    first : ndarray of float, shape (p,)
        Coefficients in arm 0.
    differences, standard_errors : ndarray of float, shape (p,)
        Arm 1 less arm 0, in units of the linear predictor. The intercept's difference is that of a
        respondent whose covariates are all 0.
    any_difference : ModelTest or None
        Of the same coefficients in both arms, by likelihood ratio; with weights Wald's. None where
        there is no test: with weights, where a coefficient has no finite estimate; else, where very
        few people separate, and the smaller model has the higher maximum.
    by_covariate : ModelTest or None
        Of arms that differ by a constant only, in units of the linear predictor; None also without
        covariates.
    fit : RegressionFit
        The model with both arms: the covariates, the arm, and the arm times each covariate.

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.compliance import compare_arms
    >>> from rr_engine.designs import direct
    >>> reports = [0] * 450 + [1] * 50 + [0] * 350 + [1] * 150
    >>> found = compare_arms([direct(2), warner(0.75)], None, reports, [0] * 500 + [1] * 500)
    >>> found.names, found.differences.round(2).tolist(), found.p_values.round(2).tolist()
    (('intercept',), [0.0], [1.0])
    """

    names: tuple[str, ...]
    first: FloatArray
    differences: FloatArray
    standard_errors: FloatArray
    any_difference: ModelTest | None
    by_covariate: ModelTest | None
    fit: RegressionFit

    @property
    def z_values(self) -> FloatArray:
        """Differences over their standard errors."""
        return self.differences / self.standard_errors

    @property
    def p_values(self) -> FloatArray:
        """Two-sided p-values of Wald's test that a coefficient is the same in both arms."""
        return 2 * normal_sf(np.abs(self.z_values))

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return the intervals of Wald (1943) for the differences, shape (p, 2)."""
        return wald_intervals(self.differences, self.standard_errors, level)


@by_formula(frame="reports", columns=("arm", "weights", "which"))
@same_people("X", "reports", "arm", "weights", "which")
def compare_arms(
    designs: Sequence[Channel],
    X: ArrayLike | None,
    reports: ArrayLike,
    arm: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    which: ArrayLike | None = None,
    link: str = "logit",
    names: Sequence[str] | None = None,
    sample: WeightedSample | None = None,
) -> ArmComparison:
    """Test by covariate whether two arms of a survey bring out different answers.

    Parameters
    ----------
    designs : sequence of Channel
        The devices, such as ``[rr_engine.designs.direct(2), device]``; all about one yes/no
        question.
    X : array_like of float, shape (n, covariates) or (n,), or None
    reports : array_like of int, shape (n,)
        The report of each respondent, a row of their device's matrix; -1 for no report.
    arm : array_like of int, shape (n,)
        0 or 1 for each respondent, by chance: asked directly and with a device, say.
    weights : array_like of float, shape (n,), optional
        Sampling weights; the tests are then Wald's with robust errors.
    which : array_like of int, shape (n,), optional
        The number of each respondent's device; that of the arm when left out.
    link : {"logit", "probit", "cloglog", "cauchit"}, default "logit"
    names : sequence of str, optional
        Of the columns of X.
    sample : SurveySample, optional

    Returns
    -------
    ArmComparison

    Raises
    ------
    ArgumentError, CountsError, NotIdentifiableError

    Notes
    -----
    ``F(x'b + arm (x'c))`` with the intercept in x; `differences` is c. As the arms share no
    coefficient, b and b + c are what each arm gives by itself. docs/methods/compliance-models.md.

    References
    ----------
    .. [1] B. Jann, J. Jerke and I. Krumpal, "Asking Sensitive Questions Using the Crosswise Model",
       Public Opinion Quarterly 76 (2012), 32-49.
    .. [2] S. S. Wilks, "The Large-Sample Distribution of the Likelihood Ratio for Testing Composite
       Hypotheses", Annals of Mathematical Statistics 9, 1938.

    Examples
    --------
    Of 1,000 asked directly 100 say yes, half of them with x = 1; under the device more do:

    >>> import numpy as np
    >>> from rr_engine import warner
    >>> from rr_engine.designs import direct
    >>> x = np.repeat([0, 1, 0, 1], 500)
    >>> reports = np.concatenate([np.repeat([0, 1, 0, 1], [450, 50, 450, 50]),
    ...                           np.repeat([0, 1, 0, 1], [350, 150, 325, 175])])
    >>> arm = np.repeat([0, 1], 1000)
    >>> found = compare_arms([direct(2), warner(0.75)], x, reports, arm)
    >>> found.differences.round(3).tolist(), round(found.any_difference.p_value, 3)
    ([0.0, 0.811], 0.075)
    """
    with named_as(design="designs"):
        model = RRLogit(designs, link)
    if model.truths != 2 or link == "identity":
        rule = "be about a yes/no question, with a link that has a likelihood"
        raise ArgumentError("link", link, rule, "not_binary")
    arms = _check_arm(arm, reports)
    n = len(arms)
    covariates = check_covariates(X, n, names, intercept=True)
    devices = arms.astype(np.int64) if which is None else which
    columns, size = covariates.columns[:, 1:], len(covariates.names)

    labels = [*covariates.names[1:], *(f"arm: {name}" for name in covariates.names)]
    crossed = np.column_stack([columns, covariates.columns * arms[:, None]])

    def fit(arm_columns: int) -> RegressionFit:
        kept = size - 1 + arm_columns
        return model.fit(
            crossed[:, :kept], reports, weights, devices, names=labels[:kept], sample=sample
        )

    full = fit(size)
    errors = full.standard_errors
    return ArmComparison(
        names=covariates.names,
        first=full.params[:size],
        differences=full.params[size:],
        standard_errors=errors[size:],
        any_difference=_arm_test(full, fit, 0),
        by_covariate=_arm_test(full, fit, 1) if size > 1 else None,
        fit=full,
    )


def _arm_test(
    full: RegressionFit, fit: Callable[[int], RegressionFit], kept: int
) -> ModelTest | None:
    """Test the columns of the arm but for the first `kept`."""
    if not full.weighted:
        smaller = fit(kept)
        # Where the arms part very few people, the larger model may stop at a lower maximum.
        higher = _log_likelihood(full) - _log_likelihood(smaller) > -1e-6
        return likelihood_ratio_test(full, smaller) if higher else None
    size = len(full.names) // 2
    if not np.isfinite(full.standard_errors[size + kept :]).all():
        return None
    return wald_test(full, full.names[size + kept :])


def _log_likelihood(fit: RegressionFit) -> float:
    return 0.0 if fit.log_likelihood is None else fit.log_likelihood


def _check_arm(value: ArrayLike, reports: ArrayLike) -> FloatArray:
    rule = "be 0 or 1 for each respondent, both of them present"
    remedy = "name their arm"
    array = check_codes(
        value, "arm", error=ArgumentError, code="not_arms", remedy=remedy, rule=rule
    )
    answers = as_array(reports)
    if answers is not None and answers.ndim == 1 and len(answers) != len(array):
        rule = f"have one entry for each of the {len(answers)} reports"
        raise ArgumentError("arm", value, rule, "lengths_differ")
    if set(np.unique(array).tolist()) != {0, 1}:
        raise ArgumentError("arm", value, rule, "not_arms")
    return array.astype(np.float64)
