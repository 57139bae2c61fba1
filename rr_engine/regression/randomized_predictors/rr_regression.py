"""RRRegression: an outcome explained by randomized predictors and exact covariates."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.designs.categorical import direct
from rr_engine.errors import ArgumentError, CountsError, EngineError
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import same_people
from rr_engine.regression.engine.covariates import check_covariates
from rr_engine.regression.engine.fitted_model import MODEL_NOTES
from rr_engine.regression.engine.samples import ModelSample, check_sample, model_sample
from rr_engine.regression.randomized_predictors.moment_regression import check_numbers, fit_moments
from rr_engine.regression.randomized_predictors.predictor_fit import PredictorFit
from rr_engine.regression.randomized_predictors.predictor_fitting import (
    LOG_DEVIATION,
    PredictorData,
    fit_predictors,
)
from rr_engine.regression.randomized_predictors.predictors import (
    RandomizedPredictors,
    check_predictors,
    check_terms,
)
from rr_engine.regression.report_likelihoods import ReportLikelihoods, check_possible, check_varying
from rr_engine.sampling.weighted_sample import WeightedSample

FAMILIES = {"linear": "identity", "logit": "logit", "probit": "probit"}
# Standard errors of the moments between the two that chance alone hardly ever makes.
FAR_APART = 3.0


class RRRegression:
    """Regression of an outcome on randomized predictors, beside covariates known exactly.

    ``L = prod_i sum_c Pr(c | x_i) Pr(reports_i | c) f(outcome_i | x_i, c)`` over all combinations c
    of true answers to the predictors: a multinomial logit of the combinations on the covariates,
    the respondents' own devices, and a linear, logit or probit model of the outcome.

    Parameters
    ----------
    family : {"linear", "logit", "probit"}, default "linear"
        "linear": numbers with normal errors. "logit", "probit": yes or no, direct or randomized.

    Raises
    ------
    ArgumentError

    Notes
    -----
    The linear model leans on normal errors: where they are skewed and the device is noisy its
    coefficients are far off, and the note "errors_not_normal" says so;
    :func:`rr_engine.models.moment_regression` assumes nothing of the errors.
    docs/methods/predictors.md. Newton's method with analytic derivatives on the full likelihood,
    from two fixed starts, on rows that are sorted first: the same data give the same fit, whatever
    their order.

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110, 2015.
    .. [2] A. van den Hout and P. Kooiman, "Estimating the linear regression model with categorical
       covariates subject to randomized response", Computational Statistics & Data Analysis 50,
       2006.

    Examples
    --------
    A case-control study of smoking, reported with a sensitivity of 0.94 and a specificity of 0.97
    (Chu et al. 2006):

    >>> import numpy as np
    >>> from rr_engine.designs import generalized_binary
    >>> smoking = ReportLikelihoods(generalized_binary(0.97, 0.94), np.repeat([1, 0], [197, 316]))
    >>> cases = np.repeat([1, 0, 1, 0], [126, 71, 92, 224])
    >>> fit = RRRegression("logit").fit(cases, None, [smoking])
    >>> fit.names, np.exp(fit.interval()[1]).round(3).tolist()
    (('intercept', 'z1[1]'), [3.283, 7.691])
    """

    def __init__(self, family: str = "linear") -> None:
        self.family = check.choice(family, "family", FAMILIES)

    def __repr__(self) -> str:
        return f"RRRegression(family={self.family!r})"

    @by_formula(formula="outcome", frame="X", columns=("weights",))
    @same_people("outcome", "X", "weights")
    def fit(
        self,
        outcome: ReportLikelihoods | ArrayLike,
        X: ArrayLike | None,
        predictors: Sequence[ReportLikelihoods],
        weights: ArrayLike | None = None,
        *,
        scores: Sequence[ArrayLike | None] | None = None,
        intercept: bool = True,
        names: Sequence[str] | None = None,
        predictor_names: Sequence[str] | None = None,
        independent: bool = False,
        sample: WeightedSample | None = None,
    ) -> PredictorFit:
        """Fit the model by maximum likelihood.

        Parameters
        ----------
        outcome : array_like of float, shape (n,), or ReportLikelihoods
            Numbers of a linear model; else reports on a yes/no question, or 0 and 1 (-1 for no
            answer) of one that was asked directly.
        X : array_like of float, shape (n, covariates) or (n,), or None
        predictors : sequence of ReportLikelihoods
            One or more. A respondent with no report on one of them counts with what the rest of
            their answers says of it.
        weights : array_like of float, shape (n,), optional
            Sampling weights; standard errors are then robust.
        scores : sequence of array_like or None, optional
            What the categories of each predictor count, for one coefficient; None for an indicator
            of each category but the first, as for all of them when left out.
        intercept : bool, default True
        names : sequence of str, optional
            Of the columns of X; x1, x2, ... when left out.
        predictor_names : sequence of str, optional
            z1, z2, ... when left out. The coefficient of category 1 is called "z1[1]".
        independent : bool, default False
            Whether the true predictors are independent of the covariates. Their joint
            distribution is then one table without coefficients.
        sample : SurveySample, ProbabilitySample or calibrated sample, optional
            Weights, strata and clusters, for the standard errors. A finite population is not used:
            a model is about what made it (docs/methods/sampling.md).

        Returns
        -------
        PredictorFit

        Raises
        ------
        ArgumentError
            For columns that depend on each other, weights that are negative or all zero, an
            outcome that does not vary, too many combinations, and lengths that differ.
        CountsError, NotIdentifiableError

        References
        ----------
        .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
           Technique", Journal of the American Statistical Association 110, 2015.
        """
        numbers = self._check_outcome(outcome)
        n = numbers.n if isinstance(numbers, ReportLikelihoods) else len(numbers)
        check_sample(sample, n)
        chosen = check_predictors(predictors, scores, predictor_names, n)
        covariates = check_covariates(X, n, names, intercept=intercept)
        check_terms(chosen, covariates.names)
        if LOG_DEVIATION in {*covariates.names, *chosen.names}:
            rule = f"not hold {LOG_DEVIATION!r}, as a parameter of linear models is called"
            raise ArgumentError("names", names, rule, "labels_do_not_fit")
        check.switch(independent, "independent")
        data = PredictorData(
            covariates=covariates,
            predictors=chosen,
            outcome=numbers,
            link=FAMILIES[self.family],
            sample=_counting(model_sample(weights, sample, n), numbers, chosen),
            dependent=not independent,
        )
        fit = fit_predictors(data, self.family)
        if isinstance(numbers, ReportLikelihoods) or not self._contradicted(fit, data):
            return fit
        return replace(fit, notes=(*fit.notes, MODEL_NOTES.note("errors_not_normal")))

    @staticmethod
    def _contradicted(fit: PredictorFit, data: PredictorData) -> bool:
        """Whether moments, which assume nothing of the errors, give other coefficients."""
        try:
            moments = fit_moments(data)
        except EngineError:
            # Too little is seen without the shape of the outcome's distribution.
            return False
        gaps = np.abs(moments.params - fit.params)
        return bool((gaps > FAR_APART * moments.standard_errors).any())

    def _check_outcome(
        self, value: ReportLikelihoods | ArrayLike
    ) -> FloatArray | ReportLikelihoods:
        if isinstance(value, ReportLikelihoods):
            if self.family == "linear" or value.truths != 2:
                rule = "be numbers" if self.family == "linear" else "be about two categories"
                raise ArgumentError("outcome", value, rule, "outcome_for_other_family")
            return value
        numbers = check_numbers(value)
        if self.family == "linear":
            return numbers
        if not np.isin(numbers, (-1, 0, 1)).all():
            rule = "be 0 for no and 1 for yes, or -1 for no answer"
            raise ArgumentError("outcome", value, rule, "not_bits")
        return ReportLikelihoods(direct(2), numbers.astype(np.int64))


def _counting(
    people: ModelSample, outcome: FloatArray | ReportLikelihoods, predictors: RandomizedPredictors
) -> ModelSample:
    """Return the respondents who count: those with any report, and a weight."""
    if isinstance(outcome, ReportLikelihoods):
        known = [outcome.reported, *(reports.reported for reports in predictors.reports)]
        people = people.of_those(np.any(known, axis=0))
        check_varying(outcome, people.weights, "outcome")
        check_possible(outcome, people.weights, "outcome")
    for place, reports in enumerate(predictors.reports):
        check_possible(reports, people.weights, f"predictors[{place}]")
        if not reports.reported[people.weights > 0].any():
            rule = "hold the report of at least one respondent with a weight above zero"
            raise CountsError(f"predictors[{place}]", reports, rule, "no_reports")
    return people.with_mean_one()
