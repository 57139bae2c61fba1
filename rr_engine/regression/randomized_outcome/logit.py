"""RRLogit: regression of a randomized answer on covariates."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike
from rr_engine.channels.protocol import Designs
from rr_engine.errors import ArgumentError, NotIdentifiableError
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import also_named, same_people
from rr_engine.precision import CONDITION_LIMIT, condition_number
from rr_engine.regression import report_likelihoods
from rr_engine.regression.engine.covariates import check_covariates
from rr_engine.regression.engine.links import LINKS, BinaryOutcome, MultinomialOutcome, Outcome
from rr_engine.regression.engine.samples import model_sample
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit
from rr_engine.regression.randomized_outcome.regression_fitting import (
    ModelData,
    fit_least_squares,
    fit_likelihood,
)
from rr_engine.sampling.weighted_sample import WeightedSample


class RRLogit:
    """Regression of a randomized answer on covariates that are known exactly.

    ``Pr(report | x) = sum_v P[report, v] Pr(v | x)`` with each respondent's own design matrix P,
    and ``Pr(yes | x) = F(x'b)``, or a multinomial logit where there are more than two categories.

    Parameters
    ----------
    design : Channel or sequence of Channel
        The device of all, or the devices that respondents differ in, direct questions
        (:func:`rr_engine.designs.direct`) among them.
    link : {"logit", "probit", "cloglog", "cauchit", "identity"}, default "logit"
        "identity" is the linear probability model, by least squares on unbiased scores. For more
        than two categories "logit" only.

    Raises
    ------
    ArgumentError, NotIdentifiableError
        When all devices together cannot tell the categories apart.

    Notes
    -----
    docs/methods/regression.md. Newton's method from fixed starts on rows that are sorted first: the
    same data give the same fit, whatever their order.

    References
    ----------
    .. [1] G. S. Maddala, "Limited-Dependent and Qualitative Variables in Econometrics", Cambridge
       University Press, 1983, section 2.11.
    .. [2] A. van den Hout, P. G. M. van der Heijden and R. Gilchrist, "The logistic regression
       model with response variables subject to randomized response", Computational Statistics &
       Data Analysis 51, 2007.
    .. [3] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110, 2015, section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import warner
    >>> x = np.repeat([0.0, 1.0], 1000)
    >>> reports = np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> fit = RRLogit(warner(0.75)).fit(x, reports)
    >>> fit.params.round(3).tolist(), fit.standard_errors.round(3).tolist()
    ([-1.386, 1.386], [0.189, 0.227])
    """

    def __init__(self, design: Designs, link: str = "logit") -> None:
        self.designs = report_likelihoods.check_designs(design, "design")
        self.link = check.choice(link, "link", LINKS)
        self.truths = self.designs[0].truth_size
        if self.truths > 2 and self.link != "logit":
            rule = f"be logit where there are {self.truths} categories"
            raise ArgumentError("link", link, rule, "link_for_two_categories")
        matrix = np.vstack([channel.matrix for channel in self.designs])
        if not condition_number(matrix) < CONDITION_LIMIT:
            rule = "determine the proportions by their reports, all devices together"
            raise NotIdentifiableError("design", design, rule, "not_identifiable")

    def __repr__(self) -> str:
        several = len(self.designs) > 1
        device = f"<{len(self.designs)} designs>" if several else repr(self.designs[0])
        return f"RRLogit({device}, link={self.link!r})"

    @property
    def outcome(self) -> Outcome:
        """How probabilities follow from the linear predictors."""
        return BinaryOutcome(self.link) if self.truths == 2 else MultinomialOutcome(self.truths)

    @by_formula(frame="reports", columns=("weights", "which"))
    @also_named(designs="which")
    @same_people("X", "reports", "weights", "which")
    def fit(
        self,
        X: ArrayLike | None,
        reports: ArrayLike,
        weights: ArrayLike | None = None,
        which: ArrayLike | None = None,
        *,
        intercept: bool = True,
        names: Sequence[str] | None = None,
        sample: WeightedSample | None = None,
    ) -> RegressionFit:
        """Fit the model by maximum likelihood.

        Parameters
        ----------
        X : array_like of float, shape (n, covariates) or (n,), or None
            None for an intercept alone.
        reports : array_like of int or str, shape (n,)
            The report of each respondent: the row of their device's matrix or its label; -1 for no
            report, which
            leaves the respondent out.
        weights : array_like of float, shape (n,), optional
            Sampling weights; standard errors are then robust.
        which : array_like of int, shape (n,), optional
            The number of each respondent's device; all the first when left out.
        intercept : bool, default True
            Whether to put a column of ones first.
        names : sequence of str, optional
            Of the columns of X; x1, x2, ... when left out.
        sample : SurveySample, ProbabilitySample or calibrated sample, optional
            Weights, strata and clusters, for the standard errors. A finite population is not used:
            a model is about what made it (docs/methods/sampling.md).

        Returns
        -------
        RegressionFit

        Raises
        ------
        ArgumentError
            For columns that depend on each other, weights that are negative or all zero, an outcome
            that does not vary, and lengths that differ.
        CountsError
            For reports that the device does not have.

        References
        ----------
        .. [1] A. van den Hout, P. G. M. van der Heijden and R. Gilchrist, "The logistic regression
           model with response variables subject to randomized response", Computational Statistics
           & Data Analysis 51, 2007.
        """
        likelihoods = report_likelihoods.ReportLikelihoods(self.designs, reports, which)
        people = model_sample(weights, sample, likelihoods.n).of_those(likelihoods.reported)
        report_likelihoods.check_varying(likelihoods, people.weights, "reports")
        report_likelihoods.check_possible(likelihoods, people.weights, "reports")
        covariates = check_covariates(X, likelihoods.n, names, intercept=intercept)
        data = ModelData.of(covariates, likelihoods, people.with_mean_one())
        if self.link == "identity":
            fitted = fit_least_squares(data)
        else:
            fitted = fit_likelihood(data, self.outcome, self.link)
        return replace(fitted, epsilon=report_likelihoods.largest_epsilon(self.designs))
