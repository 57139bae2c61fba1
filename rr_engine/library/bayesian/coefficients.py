"""BayesianFit: the posterior of the coefficients of a model of randomized answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.estimation.notes import POSTERIOR_NOTES, Note
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import also_named, same_people
from rr_engine.library.bayesian.coefficient_prior import CoefficientPrior, PriorTerms, standardising
from rr_engine.library.bayesian.importance import weighted_points
from rr_engine.library.multilevel.group_terms import SMALLEST, report_values
from rr_engine.regression.engine.covariates import Covariates, check_covariates
from rr_engine.regression.engine.links import BinaryOutcome
from rr_engine.regression.engine.newton import Maximum, maximise
from rr_engine.regression.engine.samples import group_rows
from rr_engine.regression.randomized_outcome.logit import RRLogit
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit, ReportLikelihood
from rr_engine.regression.report_likelihoods import ReportLikelihoods

# Linear predictors that are computed at a time.
BATCH = 2**20
DEFAULT_PRIOR = CoefficientPrior()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BayesianFit(FrozenArrays):
    """The posterior distribution of the coefficients of a model.

    Attributes
    ----------
    modes : ndarray of float, shape (p,); (truths - 1, p) of a multinomial logit
        The most likely coefficients together (posterior mode), the intercept's first.
    laplace_errors : ndarray of float, shape of the modes
        Standard deviations of the normal distribution with the curvature at the mode.
    means, medians, standard_deviations : ndarray of float, shape of the modes
    covariance : ndarray of float, shape (q * p, q * p)
        Flat in C order.
    intervals : ndarray of float, shape of the modes and 2
        Equal-tailed credible intervals.
    positive : ndarray of float, shape of the modes
        Probability that the coefficient is above 0.
    level : float
    prior : CoefficientPrior
    monte_carlo_errors : ndarray of float, shape of the modes
        Of the means, as if as many points as count had been drawn at random.
    effective_draws : float
        Points that count, as if all had the same weight (Kish).
    n : int
        Respondents with a report.
    names : tuple of str
    link : str
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import RRLogit
    >>> from rr_engine.designs import direct
    >>> from rr_engine.models import fit_bayesian
    >>> fit = fit_bayesian(RRLogit(direct(2)), [0] * 4 + [1] * 4, [0] * 4 + [1] * 4)
    >>> fit.names, fit.link, fit.intervals.shape
    (('intercept', 'x1'), 'logit', (2, 2))
    """

    modes: FloatArray
    laplace_errors: FloatArray
    means: FloatArray
    medians: FloatArray
    standard_deviations: FloatArray
    covariance: FloatArray
    intervals: FloatArray
    positive: FloatArray
    level: float
    prior: CoefficientPrior
    monte_carlo_errors: FloatArray
    effective_draws: float
    n: int
    names: tuple[str, ...]
    link: str
    notes: tuple[Note, ...]


@by_formula(frame="reports", columns=("which",))
@also_named(designs="which")
@same_people("X", "reports", "which")
def fit_bayesian(
    model: RRLogit,
    X: ArrayLike | None,
    reports: ArrayLike,
    which: ArrayLike | None = None,
    *,
    prior: CoefficientPrior = DEFAULT_PRIOR,
    level: float = 0.95,
    intercept: bool = True,
    names: Sequence[str] | None = None,
) -> BayesianFit:
    """Return the posterior of a model's coefficients under a weakly informative prior.

    Where covariates separate the answers, or nearly so, or all reports are the same, maximum
    likelihood has no finite estimate; the posterior has.

    Parameters
    ----------
    model : RRLogit
        Devices and link; not the linear probability model.
    X, reports, which, intercept, names
        As for :meth:`RRLogit.fit`.
    prior : CoefficientPrior
        By default Student t with 7 degrees of freedom and scale 2.5, for the intercept 10.
    level : float, default 0.95
        Of the equal-tailed credible intervals.

    Returns
    -------
    BayesianFit

    Raises
    ------
    ArgumentError, CountsError

    Notes
    -----
    The peak of the posterior by Newton's method, then importance sampling around it on a fixed
    sequence of points, one in four from the prior, until 4,000 of them count.
    docs/methods/bayesian.md.

    References
    ----------
    .. [1] A. Gelman, A. Jakulin, M. G. Pittau and Y.-S. Su, "A Weakly Informative Default Prior
       Distribution for Logistic and Other Regression Models", Annals of Applied Statistics 2, 2008,
       1360-1383.
    .. [2] A. Owen and Y. Zhou, "Safe and Effective Importance Sampling", Journal of the American
       Statistical Association 95, 2000, 135-143.

    Examples
    --------
    Nobody without the covariate said yes, and everybody with it:

    >>> from rr_engine import RRLogit
    >>> from rr_engine.designs import direct
    >>> from rr_engine.models import fit_bayesian
    >>> x, answers = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> fit = fit_bayesian(RRLogit(direct(2)), x, answers)
    >>> fit.medians.round().tolist(), fit.intervals[1].round().tolist()
    ([-2.0, 5.0], [1.0, 13.0])
    """
    check.instance(model, "model", RRLogit, "be an RRLogit", "not_a_model")
    if model.link == "identity":
        rule = "have a likelihood, which the linear probability model does not"
        raise ArgumentError("model", model, rule, "no_likelihood")
    check.instance(prior, "prior", CoefficientPrior, "be a CoefficientPrior", "not_a_prior")
    check.open_unit(level, "level")
    try:
        likely = model.fit(X, reports, None, which, intercept=intercept, names=names)
    except CountsError as error:
        # Reports that are all the same have no likely coefficients, but a posterior.
        if error.code != "constant_outcome":
            raise
        likely = None
    likelihoods = ReportLikelihoods(model.designs, reports, which)
    covariates = check_covariates(X, likelihoods.n, names, intercept=intercept)
    target, transform = _target(model, covariates, likelihoods, prior)
    best = _peak(target, transform, likely)
    separated = likely is None or "separation" in {note.code for note in likely.notes}
    peak = _Posterior(target, transform, best, covariates.names, separated)
    return _bayesian_fit(peak, model, prior, float(level))


@dataclass(frozen=True, slots=True, eq=False)
class _Target:
    """The log posterior density of the standardised columns' coefficients, up to a constant."""

    likelihood: ReportLikelihood
    prior: PriorTerms

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        value, gradient, information = self.likelihood(theta)
        slope, curvature = self.prior.slopes(theta)
        density = float(self.prior.log_density(theta))
        return value + density, gradient + slope, information + np.diag(curvature)

    def log_density(self, points: FloatArray) -> FloatArray:
        """Return the log density of each of many points, shape (m, q * p)."""
        rows = self.likelihood.groups
        size = max(1, BATCH // (len(rows.weights) * self.likelihood.outcome.predictors))
        batches = [points[start : start + size] for start in range(0, len(points), size)]
        values = [rows.weights @ self._log_chances(batch) for batch in batches]
        return np.concatenate(values) + self.prior.log_density(points)

    def _log_chances(self, points: FloatArray) -> FloatArray:
        """Return the log-likelihood of each row's report at each point, shape (rows, m)."""
        outcome, chances = self.likelihood.outcome, self.likelihood.likelihoods
        columns = self.likelihood.groups.columns
        if isinstance(outcome, BinaryOutcome):
            return report_values(columns @ points.T, chances, outcome.link)
        blocks = points.reshape(len(points), outcome.predictors, -1)
        eta = np.einsum("np,mqp->nmq", columns, blocks).reshape(-1, outcome.predictors)
        shares = outcome.probabilities(eta).reshape(len(columns), len(points), -1)
        mixed = np.einsum("nmv,nv->nm", shares, chances)
        return np.log(np.maximum(mixed, SMALLEST))


def _target(
    model: RRLogit, covariates: Covariates, reports: ReportLikelihoods, prior: CoefficientPrior
) -> tuple[_Target, FloatArray]:
    """Return the posterior, and what turns its coefficients into those of the columns."""
    used = reports.reported.astype(np.float64)
    rows = group_rows(covariates.columns, reports.row_of[:, None], used)
    standard, transform = standardising(rows.columns, rows.weights, intercept=covariates.intercept)
    scales = np.full(len(transform), prior.scale)
    if covariates.intercept:
        scales[0] = prior.intercept_scale
    predictors = model.outcome.predictors
    likelihood = ReportLikelihood(model.outcome, replace(rows, columns=standard), reports)
    terms = PriorTerms(np.tile(scales, predictors), prior.degrees)
    return _Target(likelihood, terms), np.asarray(np.kron(np.eye(predictors), transform))


def _peak(target: _Target, transform: FloatArray, likely: RegressionFit | None) -> Maximum:
    """Return the higher of the peaks that no effect at all and the likely effects lead to."""
    starts = [np.zeros(len(transform))]
    if likely is not None and likely.converged:
        starts.append(np.asarray(np.linalg.solve(transform, likely.params.ravel())))
    peaks = [maximise(target, start) for start in starts]
    return max(peaks, key=lambda peak: round(peak.value, 8))


@dataclass(frozen=True, slots=True, eq=False)
class _Posterior:
    """The posterior with its peak; `transform` turns its coefficients into those of the columns."""

    target: _Target
    transform: FloatArray
    best: Maximum
    names: tuple[str, ...]
    separated: bool


def _bayesian_fit(
    peak: _Posterior, model: RRLogit, prior: CoefficientPrior, level: float
) -> BayesianFit:
    target, transform, best = peak.target, peak.transform, peak.best
    curvature = _definite(np.asarray(np.linalg.inv(best.information), dtype=np.float64))
    groups, predictors = target.likelihood.groups, model.outcome.predictors
    rows = len(groups.weights) * predictors
    drawn, reached = weighted_points(target.log_density, target.prior, best.theta, curvature, rows)
    shape = (len(peak.names),) if model.truths == 2 else (predictors, len(peak.names))
    points = drawn.points @ transform.T
    covariance = transform @ drawn.covariance() @ transform.T
    deviations = np.sqrt(np.diag(covariance))
    ends = _quantiles(points, drawn.weights, [0.5, (1 - level) / 2, (1 + level) / 2])
    effective = drawn.effective_draws
    return BayesianFit(
        modes=(transform @ best.theta).reshape(shape),
        laplace_errors=np.sqrt(np.diag(transform @ curvature @ transform.T)).reshape(shape),
        means=(drawn.weights @ points).reshape(shape),
        medians=ends[0].reshape(shape),
        standard_deviations=deviations.reshape(shape),
        covariance=covariance,
        intervals=ends[1:].T.reshape(*shape, 2),
        positive=(drawn.weights @ (points > 0)).reshape(shape),
        level=level,
        prior=prior,
        monte_carlo_errors=(deviations / np.sqrt(effective)).reshape(shape),
        effective_draws=effective,
        n=round(float(groups.weights.sum())),
        names=peak.names,
        link=model.link,
        notes=POSTERIOR_NOTES.holding({"separated": peak.separated, "few_draws": not reached}),
    )


def _definite(covariance: FloatArray) -> FloatArray:
    """Return a covariance whose eigenvalues are all above zero."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    sizes = np.maximum(np.abs(values), 1e-12 * np.abs(values).max())
    return np.asarray((vectors * sizes) @ vectors.T)


def _quantiles(points: FloatArray, weights: FloatArray, shares: Sequence[float]) -> FloatArray:
    """Return weighted quantiles of each column, shape (shares, columns)."""
    results = []
    for column in points.T:
        order = np.argsort(column, kind="stable")
        sums = np.cumsum(weights[order]) - weights[order] / 2
        results.append(np.interp(shares, sums, column[order]))
    return np.array(results).T
