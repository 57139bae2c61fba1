"""NoncomplianceFit: a regression that lets some not follow the device, and its errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import FloatArray, as_list
from rr_engine.distributions import chi2_ppf
from rr_engine.errors import ArgumentError
from rr_engine.library.noncompliance.respondent_types import TypeLikelihood
from rr_engine.library.noncompliance.type_data import TypeData
from rr_engine.library.noncompliance.type_search import best_fit, fit_share, profile_point
from rr_engine.regression.engine.fitted_model import FittedMaximum, FittedModel, wald_intervals
from rr_engine.regression.randomized_outcome.comparison import (
    ModelTest,
    check_above,
    chi_square_test,
)

# Eigenvalues of the scaled information below it, relative to the largest, are zero.
FLAT = 1e-9
# Stands for the root of the fall of the log-likelihood at a share that the reports rule out.
FAR = 1e3


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FlatMaximum(FittedMaximum):
    """A likelihood at a maximum that may be flat; `inverse_observed`: without `unbounded`."""

    inverse_observed: FloatArray

    def inverse(self, kind: str) -> FloatArray:
        """Return the inverse information, which knows flat directions."""
        return self.inverse_observed


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedTypes(FlatMaximum):
    """The likelihood of followers and others at its maximum.

    Attributes
    ----------
    likelihood : TypeLikelihood
        One share for all is itself the last coefficient here.
    ends : tuple of float
        Shares at the border that the model knows.
    """

    likelihood: TypeLikelihood
    ends: tuple[float, ...]

    def share_error(self, covariance: FloatArray) -> float:
        """Return the standard error of the one share, or of the mean share."""
        size = self.likelihood.trait.shape[1]
        part = covariance[size:, size:]
        if not np.isfinite(part).all():
            return float("inf")
        weights = self.likelihood.groups.weights
        _, share = self.likelihood.curves(self.theta)
        slope = self.likelihood.share.T @ (weights * share.slope) / weights.sum()
        # The columns are scaled, the covariance is not.
        slope = np.linalg.inv(self.transform[size:, size:]).T @ slope
        return float(np.sqrt(max(slope @ part @ slope, 0.0)))


def invert(
    information: FloatArray, unbounded: FloatArray, *, one_share: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the inverse without flat directions, and the directions with the flat ones added.

    `one_share`: whether the last coefficient is one share for all. At the border the likelihood
    need not be concave in it; where it is not, nothing is known of the share, and the rest is what
    it is at that share.
    """
    inverse, flat = _invert(information, unbounded)
    if not flat.shape[1] or not one_share:
        return inverse, np.column_stack([unbounded, flat])
    known = np.column_stack([unbounded, np.eye(len(information))[:, -1]])
    inverse, flat = _invert(information, known)
    return inverse, np.column_stack([known, flat])


def _invert(information: FloatArray, unbounded: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the inverse in what the directions leave, and the flat directions of the rest."""
    scale = np.sqrt(np.maximum(np.abs(np.diag(information)), 1e-300))
    lost = unbounded.shape[1]
    basis = np.linalg.qr(unbounded * scale[:, None], mode="complete")[0][:, lost:]
    values, vectors = np.linalg.eigh(basis.T @ (information / np.outer(scale, scale)) @ basis)
    firm = values > FLAT * max(float(np.abs(values).max(initial=0.0)), 1e-300)
    axes = (basis @ vectors) / scale[:, None]
    inverse = (axes[:, firm] / values[firm]) @ axes[:, firm].T
    flat = axes[:, ~firm]
    return inverse, flat / np.maximum(np.abs(flat).max(axis=0, initial=0.0), 1e-300)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NoncomplianceFit(FittedModel):
    """A fitted model; p columns of the trait, the intercept's first, and the share's coefficients.

    Attributes
    ----------
    params : ndarray of float, shape (p,)
        Log odds of the trait. Of whom, the model's class says.
    share : float
        Those who do not follow the device: their share, or where it depends on covariates its
        mean.
    share_params : ndarray of float, shape (q,)
        Log odds of not following the device; empty where there is one share for all.
    covariance : ndarray of float, shape (p + q, p + q), or (p + 1, p + 1)
        Of `params` and, after them, of `share_params`, or of the one share itself.
    names, share_names : tuple of str
    standard_error_kind : str
        "observed": from the second derivatives of the log-likelihood; "robust": from the spread of
        the scores (sandwich), as for weights.
    log_likelihood : float
        With weights a pseudo-log-likelihood, the weights scaled to a mean of 1.
    n : int
        Respondents with a report and a weight above zero.
    weighted : bool
    border : bool
        Whether the one share for all is highest at 0, or at 1.
    converged : bool
    iterations : int
    notes : tuple of Note
    data : TypeData
    fitted : FittedTypes

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine.designs import generalized_binary
    >>> from rr_engine.models import CheatingLogit
    >>> model = CheatingLogit([generalized_binary(0.8, 1), generalized_binary(0.2, 1)])
    >>> reports, groups = np.repeat([0, 1, 0, 1], [610, 390, 340, 660]), np.repeat([0, 1], 1000)
    >>> fit = model.fit(None, reports, which=groups)
    >>> round(fit.share, 2), fit.params.round(2).tolist(), fit.standard_errors.round(2).tolist()
    (0.25, [-0.41], [0.14])
    """

    share: float
    share_params: FloatArray
    share_names: tuple[str, ...]
    log_likelihood: float
    weighted: bool
    border: bool
    data: TypeData
    fitted: FittedTypes

    def _further(self) -> Sequence[tuple[str, tuple[str, ...], FloatArray]]:
        if self.share_params.size:
            return (("Not following the device, log odds", self.share_names, self.share_params),)
        return (("Not following the device", ("share",), np.array([self.share])),)

    @property
    def share_standard_error(self) -> float:
        """Standard error of `share`; inf where the reports cannot tell."""
        return self.fitted.share_error(self.covariance)

    @property
    def share_standard_errors(self) -> FloatArray:
        """Those of the share's coefficients, shape (q,); empty where there is one share for all."""
        errors = np.sqrt(np.diag(self.covariance))[len(self.params) :]
        return errors[: len(self.share_params)]

    @property
    def scores(self) -> FloatArray:
        """Each respondent's weighted score, shape (n of the rows, p + q), in order of the rows."""
        return self.fitted.scores()

    @property
    def information(self) -> FloatArray:
        """Minus the second derivatives of the log-likelihood, in the order of `covariance`."""
        return self.fitted.information()

    def share_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the shares that the likelihood-ratio test does not reject, from 0 to 1.

        By the profile of the likelihood (Wilks 1938). Wald's interval inside 0 to 1 where there are
        weights, or a share that depends on covariates.
        """
        confidence = check.open_unit(level, "level")
        if self.weighted or self.share_params.size:
            ends = wald_intervals(
                np.array(self.share), np.array(self.share_standard_error), confidence
            )
            return max(float(ends[0]), 0.0), min(float(ends[1]), 1.0)
        likelihood, _ = self.data.likelihood()
        near = self.fitted.theta[: len(self.params)]
        most = float(np.sqrt(chi2_ppf(confidence, 1)))
        found = {self.share: -most}

        def excess(at: float) -> float:
            # The root of the fall is close to a straight line in the share.
            if at not in found:
                point = profile_point(likelihood, at, near)
                fall = np.inf if point is None else 2 * (self.log_likelihood - point.value)
                found[at] = min(float(np.sqrt(max(fall, 0.0))), FAR) - most
            return found[at]

        reach = most * self.share_standard_error
        low, high = (_profile_end(excess, self.share, end, reach) for end in (0.0, 1.0))
        return low, high

    def likelihood_ratio(self, names: Sequence[str]) -> ModelTest:
        """Test that coefficients of the trait are zero, all together.

        Parameters
        ----------
        names : sequence of str
            Of columns of the trait, "intercept" among them; not all of the columns.

        Returns
        -------
        ModelTest
            Both models at the highest maximum that starts in all corners lead to.

        Raises
        ------
        ArgumentError
            Also for a fit with weights, whose likelihood is none; and for a fit that is not at its
            highest maximum, as a model with fewer coefficients reaches higher ("not_highest").

        References
        ----------
        .. [1] S. S. Wilks, "The Large-Sample Distribution of the Likelihood Ratio for Testing
           Composite Hypotheses", Annals of Mathematical Statistics 9, 1938.
        """
        self._refuse_weights()
        dropped = _check_names(names, self.names)
        smaller, _ = self.data.without(dropped).likelihood()
        best = best_fit(smaller, self.fitted.ends)
        return _ratio(self.log_likelihood, best.maximum.value, len(dropped))

    def absence_test(self) -> ModelTest:
        """Test that everybody follows the device: that the one share for all is zero.

        Zero is at the border, so that the statistic is 0 with chance one half and otherwise
        chi-square with one degree of freedom: the p-value is one-sided.

        Raises
        ------
        ArgumentError
            For a share that depends on covariates, for a fit with weights, and for one that is not
            at its highest maximum ("not_highest").

        References
        ----------
        .. [1] S. G. Self and K.-Y. Liang, "Asymptotic Properties of Maximum Likelihood Estimators
           and Likelihood Ratio Tests under Nonstandard Conditions", Journal of the American
           Statistical Association 82, 1987.
        """
        self._refuse_weights()
        if self.share_params.size:
            rule = "be left out: without others nothing is known of whom they would be"
            raise ArgumentError("share_X", self.share_names, rule, "share_varies")
        likelihood, _ = self.data.likelihood()
        none = fit_share(likelihood, 0.0, [self.fitted.theta[: len(self.params)]])
        absent = -np.inf if none is None else none.value
        found = _ratio(self.log_likelihood, absent, 1)
        return replace(found, p_value=found.p_value / 2 if found.statistic > 0 else 1.0)

    def _refuse_weights(self) -> None:
        if self.weighted:
            rule = "be left out for a likelihood-ratio test: use Wald's, `p_values`"
            raise ArgumentError("weights", True, rule, "no_likelihood")


def _ratio(larger: float, smaller: float, degrees: int) -> ModelTest:
    gained = 2 * (larger - smaller)
    check_above(larger, smaller)
    # A difference of rounding is none.
    statistic = float(gained) if gained > 1e-6 else 0.0
    return chi_square_test(statistic, degrees, "likelihood ratio")


def _check_names(value: object, names: tuple[str, ...]) -> list[str]:
    """Return names of columns, each of them once and not all."""
    entries = as_list(value)
    texts = [entry for entry in entries or () if isinstance(entry, str)]
    # None of them twice, none that is no text, and not all.
    known = set(texts) < set(names) and len(set(texts)) == len(entries or ())
    if not texts or not known:
        rule = f"be some, not all, of {', '.join(names)}, each once"
        raise ArgumentError("names", value, rule, "unknown_column")
    return texts


def _profile_end(
    profile: Callable[[float], float], share: float, end: float, reach: float
) -> float:
    """Return where, from the share towards an end of the range, the profile falls too far.

    `profile`: below zero where the share is not rejected; `reach`: about how far that is.
    """
    side = 1 if end > share else -1
    inside, outside = share, end
    step = 1.2 * reach if 0 < reach < 1 else 0.25
    while side * (end - inside) > step:
        outside = inside + side * step
        if profile(outside) > 0:
            return float(scipy.optimize.brentq(profile, inside, outside, xtol=1e-10))
        inside, step = outside, 2 * step
    return (
        end if profile(end) <= 0 else float(scipy.optimize.brentq(profile, inside, end, xtol=1e-10))
    )
