"""Logistic regression of a randomized answer where some respondents do not follow the device."""

from collections.abc import Sequence

import numpy as np
from scipy.special import expit

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.errors import ArgumentError
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import also_named, same_people
from rr_engine.library.noncompliance import type_data
from rr_engine.library.noncompliance.noncompliance_fit import FittedTypes, NoncomplianceFit, invert
from rr_engine.library.noncompliance.respondent_types import TypeLikelihood
from rr_engine.library.noncompliance.type_data import TypeData
from rr_engine.library.noncompliance.type_search import BestFit, best_fit
from rr_engine.regression.engine.fitted_model import FEW_REPORTS
from rr_engine.regression.engine.newton import Maximum
from rr_engine.regression.engine.separation import unbounded_directions
from rr_engine.regression.report_likelihoods import largest_epsilon
from rr_engine.sampling.weighted_sample import WeightedSample

# A share this near to one leaves nobody of whom the trait's coefficients could speak.
NEARLY_ALL = 1 - 1e-6


def fit_types(data: TypeData, ends: tuple[float, ...]) -> NoncomplianceFit:
    """Return the maximum-likelihood fit; `ends`: shares at the border that the model knows."""
    likelihood, transform = data.likelihood()
    best = best_fit(likelihood, ends)
    constant = data.share_covariates is None
    likelihood = likelihood.constant_share() if constant else likelihood
    point = _maximum(likelihood, best, constant=constant)
    unbounded = unbounded_directions(
        likelihood, point.theta, point.information, len(point.theta) - constant
    )
    inverse, unbounded = invert(point.information, unbounded, one_share=constant)
    fitted = FittedTypes.at(
        likelihood,
        point,
        likelihood.groups,
        data.sample,
        transform=transform,
        inverse_observed=inverse,
        unbounded=unbounded,
        ends=ends,
    )
    covariance = fitted.covariance(data.sample.error_kind)
    params, size = transform @ point.theta, len(best.beta)
    share, border_notes = _shares(likelihood, point.theta, data.form)
    conditions = {
        "separation": bool(np.isinf(np.diag(covariance)[:size]).any()),
        "not_converged": not best.maximum.converged,
        "few_reports": data.sample.n < FEW_REPORTS * len(params),
        "share_at_border": best.border,
        "share_unknown": bool(np.isinf(np.diag(covariance)[size:]).any()),
        **border_notes,
    }
    return NoncomplianceFit(
        params=params[:size],
        share=share,
        share_params=params[size:] if not constant else np.empty(0),
        covariance=covariance,
        names=data.covariates.names,
        share_names=() if data.share_covariates is None else data.share_covariates.names,
        log_likelihood=best.maximum.value,
        border=best.border,
        data=data,
        epsilon=largest_epsilon(data.answers[0].reports.designs),
        **fitted.described(best.maximum, data.sample, data.sample.error_kind, conditions),
    )


def _shares(
    likelihood: TypeLikelihood, theta: FloatArray, form: str
) -> tuple[float, dict[str, bool]]:
    """Return the mean share, and what is to be said of shares that leave nobody else."""
    trait, share = (curve.probability for curve in likelihood.curves(theta))
    weights = likelihood.groups.weights
    notes = {
        "nobody_follows": form != "carriers" and bool(share.max() > NEARLY_ALL),
        "shares_exceed_one": form == "all" and bool((trait + share).max() > 1 + 1e-9),
    }
    return float(weights @ share / weights.sum()), notes


def _maximum(likelihood: TypeLikelihood, best: BestFit, *, constant: bool) -> Maximum:
    """Return the maximum, with one share for all as itself."""
    share = expit(best.delta) if constant and not best.border else best.delta
    theta = np.concatenate([best.beta, share])
    value, gradient, information = likelihood(theta)
    found = best.maximum
    return Maximum(theta, value, gradient, information, found.iterations, found.converged)


TRAIT_AMONG = ("followers", "all")


class _TypesLogit:
    """Logistic regression with followers of several devices, and others.

    Attributes
    ----------
    designs : tuple of Channel
    others : list of ndarray of float
        Those others' reports, under each device.
    form : str
        One of respondent_types.FORMS.
    ends : tuple of float
        Shares at the border that the model knows.
    """

    designs: tuple[Channel, ...]
    others: list[FloatArray]
    form: str
    ends: tuple[float, ...] = (0.0,)

    @by_formula(frame="reports", columns=("weights", "which"), matrices=("share_X",))
    @also_named(designs="which")
    @same_people("X", "reports", "weights", "which", "share_X")
    def fit(
        self,
        X: ArrayLike | None,
        reports: ArrayLike,
        weights: ArrayLike | None = None,
        which: ArrayLike | None = None,
        *,
        share_X: ArrayLike | None = None,
        intercept: bool = True,
        names: Sequence[str] | None = None,
        share_names: Sequence[str] | None = None,
        sample: WeightedSample | None = None,
    ) -> NoncomplianceFit:
        """Fit the model by maximum likelihood, from fixed starts over the share.

        Parameters
        ----------
        X : array_like of float, shape (n, covariates) or (n,), or None
            None for an intercept alone.
        reports : array_like of int or str, shape (n,)
            The report of each respondent: the row of their device's matrix or its label; -1 for no
            report.
        weights : array_like of float, shape (n,), optional
            Sampling weights; standard errors are then robust.
        which : array_like of int, shape (n,), optional
            The number of each respondent's device; all the first when left out.
        share_X : array_like of float, shape (n, covariates) or (n,), optional
            What the share of those who do not follow the device depends on; one share for all when
            left out.
        intercept : bool, default True
            Whether to put a column of ones first in X; one is always put first in `share_X`.
        names, share_names : sequence of str, optional
            Of the columns of X and of `share_X`; x1, x2, ... when left out.
        sample : SurveySample, ProbabilitySample or calibrated sample, optional
            Weights, strata and clusters, for the standard errors. A finite population is not used:
            a model is about what made it (docs/methods/sampling.md).

        Returns
        -------
        NoncomplianceFit

        Raises
        ------
        ArgumentError, CountsError
        NotIdentifiableError
            When the respondents' devices are too alike to tell who does not follow them.

        References
        ----------
        .. [1] D. W. Heck and M. Moshagen, "RRreg: An R Package for Correlation and Regression
           Analyses of Randomized Response Data", Journal of Statistical Software 85 (2018).
        """
        answers = [type_data.type_reports(self.designs, reports, which, self.others)]
        given = type_data.Given(X, weights, intercept, names, sample, share_X, share_names)
        # Everybody may have had the same one of these devices.
        with type_data.named_as(designs="which"):
            data = type_data.check_type_data(self.form, answers, given)
        return fit_types(data, self.ends)


class CheatingLogit(_TypesLogit):
    """Logistic regression with a share of cheaters, from groups with different devices.

    Respondents are carriers who follow the device, others who follow it, and cheaters, who report
    the same whatever is true and whatever the device says.

    Parameters
    ----------
    designs : sequence of Channel
        The devices that groups of respondents were given at random, two or more that differ; all
        about one yes/no question.
    safe : int, default 0
        The report that cheaters give: "no" in a yes/no design.
    otherwise : array_like of float, optional
        In its place the probabilities of the reports of those who do not follow the device: one
        distribution for all devices, or one for each.
    trait_among : {"followers", "all"}, default "followers"
        Of whom the trait's coefficients speak: the trait among those who follow the device, a share
        ``1 - s`` of all; or the share of all who have it and follow the device (Clark & Desharnais;
        RRreg).

    Raises
    ------
    ArgumentError

    Notes
    -----
    With ``F = 1/(1 + exp(-x'b))`` and followers' chances ``P``, the chance of report u is
    ``(1 - s) (F P[u, 1] + (1 - F) P[u, 0]) + s c[u]``; with "all" it is
    ``F P[u, 1] + (1 - F - s) P[u, 0] + s c[u]``. The share s is one for all, or ``logit s = z'd``.
    docs/methods/compliance-models.md.

    References
    ----------
    .. [1] S. J. Clark and R. A. Desharnais, "Honest answers to embarrassing questions: detecting
       cheating in the randomized response model", Psychological Methods 3 (1998), 160-168.
    .. [2] D. W. Heck and M. Moshagen, "RRreg: An R Package for Correlation and Regression Analyses
       of Randomized Response Data", Journal of Statistical Software 85 (2018).

    Examples
    --------
    Forced to say yes with 0.2 in one group, with 0.8 in the other:

    >>> import numpy as np
    >>> from rr_engine.designs import generalized_binary
    >>> model = CheatingLogit([generalized_binary(0.8, 1), generalized_binary(0.2, 1)])
    >>> reports = np.repeat([0, 1, 0, 1], [610, 390, 340, 660])
    >>> fit = model.fit(None, reports, which=np.repeat([0, 1], 1000))
    >>> round(fit.share, 3), fit.params.round(3).tolist()
    (0.25, [-0.405])
    """

    def __init__(
        self,
        designs: Designs,
        *,
        safe: int = 0,
        otherwise: ArrayLike | None = None,
        trait_among: str = "followers",
    ) -> None:
        self.designs = type_data.check_yes_no(designs)
        self.form = check.choice(trait_among, "trait_among", TRAIT_AMONG)
        self.others = safe_reports(self.designs, safe, otherwise)


class LieDetectorLogit(_TypesLogit):
    """Logistic regression in which some carriers lie: the stochastic lie detector.

    Respondents without the trait follow the device, carriers do so with probability t and otherwise
    give the safe report; the fit's `share` is ``1 - t``, the share of the carriers who lie.

    Parameters
    ----------
    designs : sequence of Channel
        The devices that groups of respondents were given at random, two or more that differ, such
        as ``[mangat(2/12), mangat(10/12)]``; all about one yes/no question.
    safe : int, default 0
        The report that liars give: "no" in a yes/no design.
    otherwise : array_like of float, optional
        In its place the probabilities of liars' reports: one distribution for all devices, or one
        for each, such as ``[0, 1]`` for a device under which nobody lies.

    Raises
    ------
    ArgumentError

    Notes
    -----
    ``Pr(report u) = F (t P[u, 1] + (1 - t) c[u]) + (1 - F) P[u, 0]`` with
    ``F = 1/(1 + exp(-x'b))``, the carriers among all respondents, liars included.
    docs/methods/compliance-models.md.

    References
    ----------
    .. [1] M. Moshagen, J. Musch and E. Erdfelder, "A stochastic lie detector", Behavior Research
       Methods 44 (2012), 222-231.
    .. [2] D. W. Heck and M. Moshagen, "RRreg: An R Package for Correlation and Regression Analyses
       of Randomized Response Data", Journal of Statistical Software 85 (2018).

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine.designs import mangat
    >>> model = LieDetectorLogit([mangat(0.2), mangat(0.8)])
    >>> reports = np.repeat([0, 1, 0, 1], [330, 670, 690, 310])
    >>> fit = model.fit(None, reports, which=np.repeat([0, 1], 1000))
    >>> round(1 - fit.share, 3), fit.params.round(3).tolist()
    (0.475, [-0.405])
    """

    form = "carriers"
    ends = (0.0, 1.0)

    def __init__(
        self, designs: Designs, *, safe: int = 0, otherwise: ArrayLike | None = None
    ) -> None:
        self.designs = type_data.check_yes_no(designs)
        self.others = safe_reports(self.designs, safe, otherwise)


def safe_reports(designs: Sequence[Channel], safe: int, otherwise: object) -> list[FloatArray]:
    """Return the others' reports under each device: the safe one, unless told otherwise."""
    if otherwise is not None:
        return type_data.other_reports(designs, otherwise)
    if len({design.tally_size for design in designs}) > 1:
        rule = "have the same reports, or `otherwise` be given for each"
        raise ArgumentError("designs", designs, rule, "reports_differ")
    size = designs[0].tally_size
    report = check.whole(safe, "safe", maximum=size - 1)
    return [np.eye(size)[report] for _ in designs]
