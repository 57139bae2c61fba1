"""Fitted models: the maximum of a likelihood, and the coefficients that follow from it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays
from rr_engine.display.description import Description, Table
from rr_engine.display.figures import Drawn, Intervals
from rr_engine.display.reading import describe, told
from rr_engine.distributions import margin_factor, normal_sf
from rr_engine.estimation.notes import Note, NoteTexts
from rr_engine.frames.formulas import ModelFormula
from rr_engine.regression.engine.covariates import INTERCEPT
from rr_engine.regression.engine.newton import Maximum
from rr_engine.regression.engine.samples import GroupedRows, ModelSample
from rr_engine.regression.engine.separation import covariance_of

# What is zero at the border of its range, where Wald's test says nothing.
UNTESTED = {"share", "standard deviation", "log deviation"}
COEFFICIENTS = "Coefficients, with intervals of 95 %"
# Reports for each coefficient below which normal intervals are rough.
FEW_REPORTS = 10
MODEL_NOTES = NoteTexts(
    separation="The likelihood does not fall however large some coefficients become: these have "
    "no finite estimate, and their standard errors are infinite.",
    higher_at_infinity="The likelihood is higher where some coefficients are infinite: there "
    "are few reports for what the devices hide. The estimate is the highest finite maximum.",
    not_converged="The iterations ended before the estimate settled.",
    few_reports="There are fewer than ten reports for each coefficient: normal intervals and "
    "tests are rough.",
    indefinite="The observed information is not positive definite: the standard errors are "
    "those of the expected information.",
    share_at_border="The share of those who do not follow the device is estimated at the end of "
    "its range; standard errors are only a guide there, judge by the interval and the test.",
    share_unknown="These reports do not tell how many do not follow the device.",
    nobody_follows="Reports look as if nobody followed the device: the trait cannot be told.",
    share_ruled_out="At some of the assumed shares the reports have no estimate: so many cannot "
    "have left the device aside.",
    shares_exceed_one="Honest carriers and cheaters come to more than everybody for some "
    "respondents: take the trait among followers instead.",
    no_group_variance="Groups differ no more than chance explains: the standard deviation of "
    "their intercepts is estimated as 0, and has no standard error.",
    few_nodes="The quadrature over the groups' intercepts has too few nodes: twice as many "
    "change the log-likelihood by more than 0.001.",
    few_groups="There are fewer than ten groups: how much groups differ is hardly known, and "
    "standard errors are rough.",
    errors_not_normal="Moments, which do not assume normal errors, give other coefficients: the "
    "outcome's distribution misleads this fit. Use moment_regression.",
    empty_combinations="Nobody is estimated to have some of the combinations of true answers: "
    "the errors hold for as long as that is so.",
    outside_range="Fitted probabilities lie below 0 or above 1, as a straight line's can.",
)


class Fitted(Protocol):
    """The solution that a model computes its errors from."""

    kinds: ClassVar[tuple[str, ...]]

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of all coefficients, by standard errors of a kind."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedModel(FrozenArrays, Drawn):
    """Coefficients with standard errors; each model says more of them, and has others beside them.

    Attributes
    ----------
    params : ndarray of float
    covariance : ndarray of float
        Of `params`, flat in C order, and after them of the model's other coefficients.
    standard_error_kind : str
    n : int
        Respondents that count.
    names : tuple of str
    converged : bool
    iterations : int
    notes : tuple of Note
    fitted : Fitted
    formula : ModelFormula or None
        What the columns were made by, where the model was fitted by a formula.
    epsilon : float or None
        The largest of the devices of the outcome, where the model knows them.
    """

    params: FloatArray
    covariance: FloatArray
    standard_error_kind: str
    n: int
    names: tuple[str, ...]
    converged: bool
    iterations: int
    notes: tuple[Note, ...]
    fitted: Fitted
    formula: ModelFormula | None = None
    epsilon: float | None = None

    def _described(self) -> Description:
        facts = dict(describe(self).facts)
        if self.formula is not None:
            facts["formula"] = self.formula.text
        errors = np.sqrt(np.diag(self.covariance))
        tables, start = [], 0
        for title, names, params in ((COEFFICIENTS, self._rows(), self.params), *self._further()):
            size = params.size
            tables.append(coefficients(title, names, params, errors[start : start + size]))
            start += size
        return told(self, facts, *tables)

    def _figure(self) -> Intervals:
        """Show the coefficients but the intercepts, whose size says little beside the others."""
        table = self._described().tables[0]
        rows = self._rows()
        slopes = [place for place, name in enumerate(rows) if not name.endswith(INTERCEPT)]
        shown = slopes or list(range(len(rows)))
        others = {name: [column[at] for at in shown] for name, column in table.columns.items()}
        axis = "Coefficient, with its interval of 95 %"
        return Intervals.of(Table(others), axis, f"Coefficients of {self.n} respondents", 0.0)

    def _rows(self) -> tuple[str, ...]:
        """Return a name for each of the coefficients, flat."""
        if self.params.ndim == 1:
            return self.names
        labels = range(1, len(self.params) + 1)
        return tuple(f"{label}: {name}" for label in labels for name in self.names)

    def _further(self) -> Sequence[tuple[str, tuple[str, ...], FloatArray]]:
        """Return titles, names and values of the other coefficients, as in the covariance."""
        return ()

    @property
    def standard_errors(self) -> FloatArray:
        """Standard errors of `params`, in their shape."""
        errors = np.sqrt(np.diag(self.covariance))
        return errors[: self.params.size].reshape(self.params.shape)

    @property
    def z_values(self) -> FloatArray:
        """Coefficients over their standard errors; 0 where these are infinite.

        Infinite where these are 0, as of a line through all answers.
        """
        return over_errors(self.params, self.standard_errors)

    @property
    def p_values(self) -> FloatArray:
        """Two-sided p-values of Wald's test that a coefficient is zero."""
        return np.asarray(2 * normal_sf(np.abs(self.z_values)), dtype=np.float64)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return Wald's intervals, shape (*shape of params, 2).

        References
        ----------
        .. [1] A. Wald, "Tests of Statistical Hypotheses Concerning Several Parameters When the
           Number of Observations is Large", Transactions of the American Mathematical Society 54,
           1943.
        """
        return wald_intervals(self.params, self.standard_errors, level)

    def with_errors(self, kind: str) -> Self:
        """Return the same fit with standard errors of another kind, one of `fitted.kinds`.

        "observed": from the second derivatives of the log-likelihood; "expected": from their mean
        over all reports; "robust": from the spread of the scores (sandwich).

        References
        ----------
        .. [1] H. White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50,
           1982 (robust).
        """
        chosen = check.choice(kind, "kind", self.fitted.kinds)
        covariance = self.fitted.covariance(chosen)
        return replace(self, covariance=covariance, standard_error_kind=chosen)


def over_errors(values: FloatArray, errors: FloatArray) -> FloatArray:
    """Return values over their errors; infinite where these are 0, but 0 of a 0."""
    exact = np.where(values == 0, 0.0, np.copysign(np.inf, values))
    return np.divide(values, errors, out=exact, where=errors > 0)


def coefficients(title: str, names: Sequence[str], params: FloatArray, errors: FloatArray) -> Table:
    """Return coefficients with errors, tests and intervals, as statistical packages print them."""
    values = params.ravel()
    z_values = over_errors(values, errors)
    lower, upper = wald_intervals(values, errors, 0.95).T
    columns = {
        "coefficient": list(names),
        "estimate": values.tolist(),
        "standard_error": errors.tolist(),
        "z_value": z_values.tolist(),
        "p_value": (2 * normal_sf(np.abs(z_values))).tolist(),
        "lower": lower.tolist(),
        "upper": upper.tolist(),
    }
    if set(names) <= UNTESTED:
        del columns["z_value"], columns["p_value"]
    return Table(columns, title)


def wald_intervals(values: FloatArray, errors: FloatArray, level: float) -> FloatArray:
    """Return ``value -+ z error``, shape (*shape of the values, 2)."""
    reach = margin_factor(level) * errors
    return np.stack([values - reach, values + reach], axis=-1)


class ScoredLikelihood(Protocol):
    """A log-likelihood of coefficients of scaled columns that knows each group's score."""

    def scores(self, theta: FloatArray) -> FloatArray:
        """Return the score of one respondent of each group, shape (groups, coefficients)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedMaximum:
    """A likelihood at its maximum.

    Attributes
    ----------
    likelihood : ScoredLikelihood
    theta : ndarray of float, shape (k,)
        The coefficients of the scaled columns.
    transform : ndarray of float, shape (k, k)
        ``coefficients = transform @ theta``, or that and a constant.
    groups : GroupedRows
    weights : ndarray of float, shape (n,)
        Each respondent's weight; 0 for those who do not count.
    observed, variance : ndarray of float, shape (k, k)
        Minus the second derivatives of the log-likelihood, and the estimated variance of the score.
    unbounded : ndarray of float, shape (k, directions)
        Directions in which the likelihood does not fall.
    """

    kinds: ClassVar[tuple[str, ...]] = ("observed", "robust")

    likelihood: ScoredLikelihood
    theta: FloatArray
    transform: FloatArray
    groups: GroupedRows
    weights: FloatArray
    observed: FloatArray
    variance: FloatArray
    unbounded: FloatArray

    @classmethod
    def at(
        cls,
        likelihood: ScoredLikelihood,
        best: Maximum,
        groups: GroupedRows,
        sample: ModelSample,
        **parts: Any,
    ) -> Self:
        """Return the likelihood at a maximum; `parts`: the other attributes."""
        return cls(
            likelihood=likelihood,
            theta=best.theta,
            groups=groups,
            weights=sample.weights,
            observed=best.information,
            variance=sample.score_variance(likelihood.scores(best.theta), groups),
            **parts,
        )

    def inverse(self, kind: str) -> FloatArray:
        """Return the inverse information in scaled columns, for errors of a kind."""
        return inverse_information(self.observed, self.unbounded)

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of the coefficients; infinite where they have no estimate."""
        inverse = self.inverse(kind)
        scaled = inverse @ self.variance @ inverse if kind == "robust" else inverse
        return covariance_of(scaled, self.unbounded, self.transform)

    def described(
        self, best: Maximum, sample: ModelSample, kind: str, conditions: dict[str, bool]
    ) -> dict[str, Any]:
        """Return what a fitted model says of its maximum; `conditions` of its notes."""
        return {
            "standard_error_kind": kind,
            "n": sample.n,
            "weighted": sample.weighted,
            "converged": best.converged and not conditions["separation"],
            "iterations": best.iterations,
            "notes": MODEL_NOTES.holding(conditions),
            "fitted": self,
        }

    def scores(self) -> FloatArray:
        """Return each respondent's weighted score in the coefficients, shape (n, k)."""
        scores = self.likelihood.scores(self.theta)[self.groups.group_of]
        return scores * self.weights[:, None] @ np.linalg.inv(self.transform)

    def information(self) -> FloatArray:
        """Return minus the second derivatives in the coefficients, shape (k, k)."""
        return unscaled_information(self.observed, self.transform)


def inverse_information(information: FloatArray, unbounded: FloatArray) -> FloatArray:
    """Return the inverse, without the directions in which there is no information."""
    scale = np.sqrt(np.maximum(np.diag(information), 1e-300))
    scaled = information / np.outer(scale, scale)
    if unbounded.shape[1]:
        inverse = np.linalg.pinv(scaled, rcond=1e-7, hermitian=True)
    else:
        inverse = np.linalg.inv(scaled)
    return inverse / np.outer(scale, scale)


def unscaled_information(information: FloatArray, transform: FloatArray) -> FloatArray:
    """Return an information in scaled columns as one in the columns as they came."""
    back = np.linalg.inv(transform)
    return np.asarray(back.T @ information @ back, dtype=np.float64)
