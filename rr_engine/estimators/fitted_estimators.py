"""What estimators share that are fitted to rows of covariates: columns, coefficients, display."""

import sys
from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.errors import ArgumentError
from rr_engine.estimators.columns import names_in, numbers_of, same_columns
from rr_engine.estimators.conventions import Estimator
from rr_engine.frames.formulas import ModelFormula, of_formula
from rr_engine.frames.tallies import Labelled
from rr_engine.labelled import check_same_people
from rr_engine.regression.engine.fitted_model import FittedModel


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before it was fitted."""


class FittedEstimator(Estimator, ABC):
    """An estimator whose `fit_` is a model of rows of covariates.

    Attributes
    ----------
    fit_ : FittedModel
        With standard errors and tests; its summary, data frame and figure are also the estimator's.
    coef_, intercept_ : ndarray of float
        As of scikit-learn's linear models.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only for data frames whose columns have names.
    """

    fit_: FittedModel
    n_features_in_: int

    def _table(self, X: Any) -> FloatArray:
        """Return the rows of covariates as numbers."""
        return numbers_of(X)

    def _check_rows(self, X: Any, y: Any) -> tuple[FloatArray, Sequence[str] | None]:
        """Return the rows as numbers, and the names of their columns; y has to be about them."""
        if y is None:
            rule = "be given: requires y to be passed, but the target y is None"
            raise ArgumentError("y", None, rule, "not_codes")
        check_same_people({"X": X, "y": y})
        return self._table(X), names_in(X)

    def _remember(self, table: FloatArray, names: Sequence[str] | None) -> None:
        self.n_features_in_ = table.shape[1]
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)

    def _by_formula(self, fit: FittedModel) -> None:
        """Take the fit of a formula."""
        self.fit_ = fit
        self.n_features_in_ = len(fit.names) - (fit.formula is None or fit.formula.intercept)

    def _new_rows(self, X: Any) -> FloatArray:
        """Return the columns of the fit for the rows of other people."""
        self._check_fitted()
        if self.fit_.formula is not None:
            return np.asarray(self.fit_.formula.rows(X))
        return same_columns(X, self)

    @property
    def intercept_(self) -> FloatArray:
        """Intercepts; 0 without one."""
        rows = np.atleast_2d(self.fit_.params)
        return rows[:, 0] if self._first() else np.zeros(len(rows))

    @property
    def coef_(self) -> FloatArray:
        """Coefficients without the intercepts."""
        return np.atleast_2d(self.fit_.params)[:, self._first() :]

    def _first(self) -> int:
        return int(self.fit_.names[:1] == ("intercept",))

    def _check_fitted(self) -> None:
        if not hasattr(self, "fit_"):
            name = type(self).__name__
            said = f"This {name} instance is not fitted yet. Call 'fit' before using it."
            # Scikit-learn's own error where it is in use.
            theirs = getattr(sys.modules.get("sklearn.exceptions"), "NotFittedError", None)
            raise (theirs or NotFittedError)(said)

    def summary(self) -> str:
        """Return the fit as a table in text."""
        self._check_fitted()
        return self.fit_.summary()

    def to_frame(self, package: str | None = None) -> Any:
        """Return the coefficients as a data frame; see the fit's."""
        self._check_fitted()
        return self.fit_.to_frame(package)

    def plot(self, ax: Any = None) -> Any:
        """Draw the coefficients; see the fit's."""
        self._check_fitted()
        return self.fit_.plot(ax)

    def _repr_html_(self) -> str:
        """Return the fit's tables for a notebook; before the fit the parameters."""
        return self.fit_._repr_html_() if hasattr(self, "fit_") else f"<pre>{self!r}</pre>"


def named_rows(table: FloatArray, names: Sequence[str] | None) -> FloatArray | Labelled:
    """Return rows whose columns carry their names, where they have some."""
    return table if names is None else Labelled(table, tuple(range(len(table))), tuple(names))


def weights_of(sample_weight: ArrayLike | str | None) -> dict[str, Any]:
    """Return the weights under the name that models have for them."""
    return {} if sample_weight is None else {"weights": sample_weight}


def check_as_many(y: Any, rows: int) -> None:
    """Refuse a list of other than one entry for each row.

    Raises
    ------
    ArgumentError
    """
    if len(y) != rows:
        rule = f"have one entry for each of the {rows} rows, inconsistent with "
        raise ArgumentError("y", len(y), rule + str(len(y)), "lengths_differ")


def outcome_and_rows(text: str, frame: Any) -> tuple[Any, ModelFormula, Labelled | None]:
    """Return the outcome's column of a formula, the formula, and its rows; None without columns.

    Raises
    ------
    ArgumentError
    """
    outcome, formula, rows = of_formula(text, frame)
    if outcome is None:
        rule = "have the column of the outcome on its left side, as in 'reported ~ age'"
        raise ArgumentError("X", text, rule, "not_a_formula")
    return outcome, formula, rows if formula.names else None


def named_columns(frame: Any, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a model has of each respondent, with columns of the frame for their names."""
    return {
        name: frame[value] if isinstance(value, str) else value for name, value in columns.items()
    }
