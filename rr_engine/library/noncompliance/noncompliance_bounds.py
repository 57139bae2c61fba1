"""How coefficients move with an assumed share of respondents who do not follow the device."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, FrozenArrays, as_array
from rr_engine.channels.protocol import Designs
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import same_people
from rr_engine.library.noncompliance.noncompliance_fit import invert
from rr_engine.library.noncompliance.respondent_types import TypeLikelihood
from rr_engine.library.noncompliance.type_data import (
    Given,
    TypeData,
    check_type_data,
    check_yes_no,
    other_reports,
    type_reports,
)
from rr_engine.library.noncompliance.type_search import fit_share
from rr_engine.regression.engine.fitted_model import MODEL_NOTES, wald_intervals
from rr_engine.regression.engine.newton import Maximum
from rr_engine.regression.engine.separation import covariance_of, unbounded_directions
from rr_engine.sampling.weighted_sample import WeightedSample

WHO = {"anybody": "followers", "carriers": "carriers"}
MOST_SHARES = 1000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NoncomplianceBounds(FrozenArrays):
    """A model of the trait at each assumed share of respondents who do not follow the device.

    Attributes
    ----------
    shares : ndarray of float, shape (g,)
        The assumed shares, ascending.
    params, standard_errors : ndarray of float, shape (g, p)
        Errors with the share taken as known; infinite where the reports have no finite estimate.
    log_likelihoods : ndarray of float, shape (g,)
        -inf for a share that the reports rule out. A table without an anchor cannot choose between
        shares by them: they may hardly differ.
    possible : ndarray of bool, shape (g,)
        Whether the share has a fit with finite coefficients.
    names : tuple of str
    standard_error_kind : str
        "observed", or "robust" with weights.
    n : int
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import crosswise
    >>> from rr_engine.compliance import noncompliance_bounds
    >>> found = noncompliance_bounds(crosswise(0.25), None, [0] * 112 + [1] * 198, [0.0, 0.1, 0.2])
    >>> found.names, found.bounds().round(2).tolist()
    (('intercept',), [[-2.74, -0.63]])
    """

    shares: FloatArray
    params: FloatArray
    standard_errors: FloatArray
    log_likelihoods: FloatArray
    possible: BoolArray
    names: tuple[str, ...]
    standard_error_kind: str
    n: int
    notes: tuple[Note, ...]

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return the intervals of Wald (1943) at each share, shape (g, p, 2)."""
        return wald_intervals(self.params, self.standard_errors, level)

    def bounds(self, level: float = 0.95) -> FloatArray:
        """Return the lowest and the highest end of each coefficient's intervals, shape (p, 2).

        Over the possible shares; the whole line where there is none.

        Ours: docs/methods/compliance-models.md.
        """
        ends = self.interval(level)
        if not self.possible.any():
            return np.tile([-np.inf, np.inf], (self.params.shape[1], 1))
        ends = ends[self.possible]
        return np.column_stack([ends[..., 0].min(axis=0), ends[..., 1].max(axis=0)])


@by_formula(frame="reports", columns=("weights", "which"))
@same_people("X", "reports", "weights", "which")
def noncompliance_bounds(
    designs: Designs,
    X: ArrayLike | None,
    reports: ArrayLike,
    shares: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    which: ArrayLike | None = None,
    who: str = "anybody",
    otherwise: ArrayLike | None = None,
    intercept: bool = True,
    names: Sequence[str] | None = None,
    sample: WeightedSample | None = None,
) -> NoncomplianceBounds:
    """Fit a logistic regression at each of several assumed shares of non-compliance.

    For surveys without an anchor and without groups with different devices, where reports do not
    tell how many respondents follow the device.

    Parameters
    ----------
    designs : Channel or sequence of Channel
        The device of all, or the devices that respondents differ in; about a yes/no question.
    X : array_like of float, shape (n, covariates) or (n,), or None
        None for an intercept alone.
    reports : array_like of int, shape (n,)
        The report of each respondent, a row of their device's matrix; -1 for no report.
    shares : array_like of float, shape (g,)
        Ascending, from 0 to below 1, at most 1,000; such as ``np.linspace(0, 0.3, 31)``.
    weights : array_like of float, shape (n,), optional
        Sampling weights; standard errors are then robust.
    which : array_like of int, shape (n,), optional
        The number of each respondent's device; all the first when left out.
    who : {"anybody", "carriers"}, default "anybody"
        Of whom the share is: of all respondents, whatever is true of them; or of the carriers
        alone, who lie.
    otherwise : array_like of float, optional
        Probabilities of the reports of those who do not follow the device: one distribution for all
        devices, or one for each; equal ones when left out. ``[1, 0]`` for a safe "no".
    intercept : bool, default True
    names : sequence of str, optional
        Of the columns of X.
    sample : SurveySample, ProbabilitySample or calibrated sample, optional
        Weights, strata and clusters, for the standard errors. A finite population is not used:
        a model is about what made it (docs/methods/sampling.md).

    Returns
    -------
    NoncomplianceBounds

    Raises
    ------
    ArgumentError, CountsError

    Notes
    -----
    At a share s it is the model of :class:`rr_engine.RRLogit` with the design
    ``(1 - s) P + s c 1'`` ("anybody"), and at 0 that model itself. Each fit starts from a start of
    its own and from the estimate at the share before. docs/methods/compliance-models.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148 (bounds of a
       prevalence; the package's `cmBound`).

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import crosswise
    >>> reports = np.repeat([0, 1], [112, 198])
    >>> found = noncompliance_bounds(crosswise(0.25), None, reports, [0.0, 0.1, 0.2])
    >>> (1 / (1 + np.exp(-found.params[:, 0]))).round(3).tolist()
    [0.223, 0.192, 0.153]
    """
    channels = check_yes_no(designs)
    form = WHO[check.choice(who, "who", WHO)]
    grid = _check_shares(shares)
    answers = [type_reports(channels, reports, which, other_reports(channels, otherwise))]
    given = Given(X, weights, intercept, names, sample)
    data = check_type_data(form, answers, given, assumed=True)
    likelihood, transform = data.likelihood()
    rows = _fit_rows(likelihood, transform, data, grid)
    params, errors, values, possible = (np.array(column) for column in zip(*rows, strict=True))
    return NoncomplianceBounds(
        shares=grid,
        params=params,
        standard_errors=errors,
        log_likelihoods=values,
        possible=possible,
        names=data.covariates.names,
        standard_error_kind=data.sample.error_kind,
        n=data.sample.n,
        notes=MODEL_NOTES.holding({"share_ruled_out": not possible.all()}),
    )


def _fit_rows(
    likelihood: TypeLikelihood, transform: FloatArray, data: TypeData, grid: FloatArray
) -> list[tuple[FloatArray, FloatArray, float, bool]]:
    """Return coefficients, their errors, log-likelihood and whether it is possible, by share."""
    rows: list[tuple[FloatArray, FloatArray, float, bool]] = []
    before: list[FloatArray] = []
    back = transform[:-1, :-1]
    for share in grid:
        point = fit_share(likelihood, float(share), before)
        if point is None:
            rows.append((np.zeros(len(back)), np.full(len(back), np.inf), float("-inf"), False))
            continue
        before = [point.theta]
        errors = _errors(likelihood, back, data, point, float(share))
        possible = bool(point.converged and np.isfinite(errors).all())
        rows.append((back @ point.theta, errors, point.value, possible))
    return rows


def _errors(
    likelihood: TypeLikelihood, back: FloatArray, data: TypeData, point: Maximum, share: float
) -> FloatArray:
    """Return the standard errors of the trait's coefficients, the share taken as known."""
    size = len(point.theta)
    fixed, theta = likelihood.constant_share(), np.append(point.theta, share)
    unbounded = unbounded_directions(fixed, theta, fixed(theta)[2], size)[:size]
    inverse, unbounded = invert(point.information, unbounded, one_share=False)
    if data.sample.weighted:
        scores = fixed.scores(theta)[:, :size]
        spread = data.sample.score_variance(scores, fixed.groups)
        inverse = inverse @ spread @ inverse
    return np.sqrt(np.diag(covariance_of(inverse, unbounded, back)))


def _check_shares(value: ArrayLike) -> FloatArray:
    array = as_array(value)
    rule = f"be 1 to {MOST_SHARES} shares, ascending, from 0 to below 1"
    if array is None or array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ArgumentError("shares", value, rule, "not_shares")
    grid = array.astype(np.float64)
    inside = np.isfinite(grid).all() and 0 < len(grid) <= MOST_SHARES
    if not inside or grid[0] < 0 or grid[-1] >= 1 or (np.diff(grid) <= 0).any():
        raise ArgumentError("shares", value, rule, "not_shares")
    return grid
