"""Linear regression on a trait asked with a device, where some do not pay attention."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.errors import ArgumentError
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import also_named, same_people
from rr_engine.library.noncompliance.attention_logit import AttentionLogit
from rr_engine.library.noncompliance.noncompliance_fit import FlatMaximum, NoncomplianceFit, invert
from rr_engine.library.noncompliance.respondent_types import ClassLikelihood
from rr_engine.library.noncompliance.type_data import TypeData
from rr_engine.regression.engine.fitted_model import FEW_REPORTS, FittedModel
from rr_engine.regression.engine.newton import maxima_from, wide_points
from rr_engine.regression.randomized_predictors.moment_regression import check_numbers
from rr_engine.sampling.weighted_sample import WeightedSample

# Starts around that of the reports alone, and the rows up to which they are walked.
WIDE, MOST_SEARCHED = 9, 2000
# Starts of the logits: no chance nearer to 0 or 1, in scaled columns, and the trait's effects that
# ascents start from beside the one that the reports show, in deviations of the number.
STEEPEST = 4.0
EFFECTS = (2.0, -2.0)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedClasses(FlatMaximum):
    """The likelihood of four classes at its maximum."""

    likelihood: ClassLikelihood


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AttentionRegressionFit(FittedModel):
    """A fitted model of a number.

    Attributes
    ----------
    params : ndarray of float, shape (p + 1,)
        Of the number's mean: the columns of X and, last, the trait.
    residual_deviation : float
        Standard deviation of the number around its mean.
    trait_params : ndarray of float, shape (p,)
        Log odds of the trait, on the columns of X.
    share_params : ndarray of float, shape (q,)
        Log odds of not paying attention.
    share : float
        Mean share of those who do not pay attention.
    covariance : ndarray of float, shape (2 p + 2 + q, 2 p + 2 + q)
        Of `params`, the logarithm of `residual_deviation`, `trait_params` and `share_params`.
    names, trait_names, share_names : tuple of str
    standard_error_kind : str
        "observed" or "robust", as for weights.
    log_likelihood : float
    n : int
    weighted : bool
    converged : bool
    iterations : int
    notes : tuple of Note
    fitted : FittedClasses

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import crosswise
    >>> from rr_engine.models import AttentionRegression
    >>> question, anchor = np.tile([0, 1, 1, 1, 0, 1, 1, 0], 25), np.tile([1, 1, 1, 1, 0], 40)
    >>> numbers = 2.0 * (question == 0) + np.sin(np.arange(200))
    >>> model = AttentionRegression(crosswise(0.1), crosswise(0.1))
    >>> fit = model.fit(numbers, None, question, anchor)
    >>> fit.names, fit.trait_names, fit.n
    (('intercept', 'trait'), ('intercept',), 200)
    """

    residual_deviation: float
    trait_params: FloatArray
    share_params: FloatArray
    share: float
    trait_names: tuple[str, ...]
    share_names: tuple[str, ...]
    log_likelihood: float
    weighted: bool
    fitted: FittedClasses

    def _further(self) -> Sequence[tuple[str, tuple[str, ...], FloatArray]]:
        return (
            ("Spread of the number", ("log deviation",), np.log([self.residual_deviation])),
            ("The trait, log odds", self.trait_names, self.trait_params),
            ("Not paying attention, log odds", self.share_names, self.share_params),
        )

    @property
    def _errors(self) -> FloatArray:
        return np.sqrt(np.diag(self.covariance))

    @property
    def trait_standard_errors(self) -> FloatArray:
        """Standard errors of `trait_params`, shape (p,)."""
        start = len(self.params) + 1
        return self._errors[start : start + len(self.trait_params)]

    @property
    def share_standard_errors(self) -> FloatArray:
        """Standard errors of `share_params`, shape (q,)."""
        return self._errors[len(self.params) + 1 + len(self.trait_params) :]


class AttentionRegression:
    """Linear regression of a number on a randomized trait, corrected for inattention.

    Parameters as in :class:`AttentionLogit`: the devices of the sensitive question and of the
    anchor, the anchor's known prevalence, and how those who do not pay attention report.

    Raises
    ------
    ArgumentError

    Notes
    -----
    ``number = x'g + c trait + error``, the error normal, the trait and inattention logistic in
    covariates and independent of each other given these. All is one likelihood, with analytic
    derivatives. docs/methods/compliance-models.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148 (the package's `cmreg.p`).

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import crosswise
    >>> model = AttentionRegression(crosswise(0.1), crosswise(0.1))
    >>> question, anchor = np.tile([0, 1, 1, 1, 0, 1, 1, 0], 25), np.tile([1, 1, 1, 1, 0], 40)
    >>> numbers = 2.0 * (question == 0) + np.sin(np.arange(200))
    >>> fit = model.fit(numbers, None, question, anchor)
    >>> fit.names, fit.params.round(2).tolist()
    (('intercept', 'trait'), [0.02, 2.0])
    """

    def __init__(
        self,
        designs: Designs,
        anchor: Channel,
        known: float = 0.0,
        *,
        otherwise: ArrayLike | None = None,
        anchor_otherwise: ArrayLike | None = None,
    ) -> None:
        self.reports_model = AttentionLogit(
            designs, anchor, known, otherwise=otherwise, anchor_otherwise=anchor_otherwise
        )

    @by_formula(
        formula="outcome",
        frame="X",
        columns=("reports", "anchor_reports", "weights", "which"),
        matrices=("share_X",),
    )
    @also_named(designs="which")
    @same_people("outcome", "X", "reports", "anchor_reports", "weights", "which", "share_X")
    def fit(
        self,
        outcome: ArrayLike,
        X: ArrayLike | None,
        reports: ArrayLike,
        anchor_reports: ArrayLike,
        weights: ArrayLike | None = None,
        which: ArrayLike | None = None,
        *,
        share_X: ArrayLike | None = None,
        intercept: bool = True,
        names: Sequence[str] | None = None,
        share_names: Sequence[str] | None = None,
        sample: WeightedSample | None = None,
    ) -> AttentionRegressionFit:
        """Fit the model by maximum likelihood, from three fixed starts.

        Parameters
        ----------
        outcome : array_like of float, shape (n,)
            Numbers.
        X, reports, anchor_reports, weights, which
            As in :meth:`AttentionLogit.fit`. X explains the number and the trait.
        share_X, intercept, names, share_names, sample
            As in :meth:`AttentionLogit.fit`. No column may be called "trait".

        Returns
        -------
        AttentionRegressionFit

        Raises
        ------
        ArgumentError, CountsError, NotIdentifiableError

        References
        ----------
        .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model
           with Inattentive Respondents", Political Analysis 31 (2023), 134-148.
        """
        numbers = check_numbers(outcome)
        first = self.reports_model.fit(
            X,
            reports,
            anchor_reports,
            weights,
            which,
            share_X=share_X,
            intercept=intercept,
            names=names,
            share_names=share_names,
            sample=sample,
        )
        if "trait" in first.names:
            raise ArgumentError("names", names, "not hold 'trait'", "labels_do_not_fit")
        _check_varying(numbers, first)
        return _fit_numbers(numbers, first)


def _check_varying(numbers: FloatArray, first: NoncomplianceFit) -> None:
    if len(numbers) != len(first.data.sample.weights):
        rule = f"be one for each of the {len(first.data.sample.weights)} respondents"
        raise ArgumentError("outcome", numbers, rule, "lengths_differ")
    used = numbers[first.data.sample.weights > 0]
    if np.ptp(used) <= 1e-12 * np.abs(used).max():
        rule = "differ, or nothing can explain them"
        raise ArgumentError("outcome", numbers, rule, "constant_outcome")


@dataclass(frozen=True, slots=True, eq=False)
class _Scaled:
    """The likelihood in scaled numbers and columns, and what turns its coefficients back."""

    likelihood: ClassLikelihood
    transform: FloatArray
    shift: FloatArray
    spread: float
    blocks: tuple[FloatArray, FloatArray]


def _scaled(numbers: FloatArray, data: TypeData) -> _Scaled:
    groups = data.grouped(numbers)
    (own, back), (share, share_back) = data.scaled(groups)
    weights = groups.weights / groups.weights.sum()
    values = groups.columns[:, -1]
    centre = float(weights @ values) if data.covariates.intercept else 0.0
    spread = float(np.sqrt(weights @ (values - centre) ** 2))
    table = data.likelihoods(groups)
    classes = table[:, [0, 1, 2, 2]]
    likelihood = ClassLikelihood((values - centre) / spread, own, share, classes, groups)
    size = own.shape[1]
    transform = np.zeros((2 * size + 2 + len(share_back),) * 2)
    transform[:size, :size] = spread * back
    transform[size, size], transform[size + 1, size + 1] = spread, 1.0
    transform[size + 2 : 2 * size + 2, size + 2 : 2 * size + 2] = back
    transform[2 * size + 2 :, 2 * size + 2 :] = share_back
    shift = np.zeros(len(transform))
    shift[0] = centre
    shift[size + 1] = np.log(spread)
    return _Scaled(likelihood, transform, shift, spread, (back, share_back))


def _fit_numbers(numbers: FloatArray, first: NoncomplianceFit) -> AttentionRegressionFit:
    data = first.data
    scaled = _scaled(numbers, data)
    likelihood = scaled.likelihood
    starts = _starts(scaled, first)
    if len(likelihood.numbers) <= MOST_SEARCHED:
        starts += wide_points(starts[0], WIDE)
    best = maxima_from(likelihood, starts)[0]
    nothing_endless = np.empty((len(best.theta), 0))
    constant = data.share_covariates is None
    inverse, unbounded = invert(best.information, nothing_endless, one_share=constant)
    fitted = FittedClasses.at(
        likelihood,
        best,
        likelihood.groups,
        data.sample,
        transform=scaled.transform,
        inverse_observed=inverse,
        unbounded=unbounded,
    )
    params, size = scaled.transform @ best.theta + scaled.shift, likelihood.columns.shape[1]
    covariance = fitted.covariance(data.sample.error_kind)
    endless = np.isinf(np.diag(covariance))
    conditions = {
        "separation": bool(endless[: 2 * size + 2].any()),
        "not_converged": not best.converged,
        "few_reports": data.sample.n < FEW_REPORTS * len(params),
        "share_unknown": bool(endless[2 * size + 2 :].any()),
    }
    own = data.share_covariates
    return AttentionRegressionFit(
        params=params[: size + 1],
        residual_deviation=float(np.exp(params[size + 1])),
        trait_params=params[size + 2 : 2 * size + 2],
        share_params=params[2 * size + 2 :],
        share=_mean_share(likelihood, best.theta),
        covariance=covariance,
        names=(*data.covariates.names, "trait"),
        trait_names=data.covariates.names,
        share_names=("intercept",) if own is None else own.names,
        # In the units of the numbers.
        log_likelihood=best.value - float(likelihood.groups.weights.sum() * np.log(scaled.spread)),
        **fitted.described(best, data.sample, data.sample.error_kind, conditions),
    )


def _mean_share(likelihood: ClassLikelihood, theta: FloatArray) -> float:
    weights = likelihood.groups.weights
    share = 1 / (1 + np.exp(-np.clip(likelihood.eta(theta)[:, 4], -700, 700)))
    return float(weights @ share / weights.sum())


def _starts(scaled: _Scaled, first: NoncomplianceFit) -> list[FloatArray]:
    """Return starts: the effect that the reports show, and large ones of both signs."""
    likelihood = scaled.likelihood
    back, share_back = scaled.blocks
    share = first.share_params
    if not share.size:
        chance = min(max(first.share, 0.01), 0.99)
        share = np.array([np.log(chance / (1 - chance))])
    logits = np.concatenate(
        [np.linalg.solve(back, first.params), np.linalg.solve(share_back, share)]
    )
    logits = np.clip(logits, -STEEPEST, STEEPEST)
    roots = np.sqrt(likelihood.groups.weights)
    carriers = likelihood.carriers(logits)
    columns = np.column_stack([likelihood.columns, carriers])
    shown = np.linalg.lstsq(columns * roots[:, None], likelihood.numbers * roots, rcond=None)[0]
    starts = [np.concatenate([shown, [np.log(0.8)], logits])]
    for effect in EFFECTS:
        rest = (likelihood.numbers - effect * carriers) * roots
        mean = np.linalg.lstsq(likelihood.columns * roots[:, None], rest, rcond=None)[0]
        starts.append(np.concatenate([mean, [effect, np.log(0.8)], logits]))
    return starts
