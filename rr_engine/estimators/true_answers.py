"""What classifiers of the true answer share: fit, predict, predict_proba, score."""

import sys
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import ArrayLike, FloatArray, as_array
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError
from rr_engine.estimators.columns import names_in, numbers_of, same_columns
from rr_engine.estimators.conventions import Estimator
from rr_engine.frames.tallies import Labelled
from rr_engine.labelled import check_same_people
from rr_engine.regression.engine.fitted_model import FittedModel
from rr_engine.regression.report_likelihoods import ReportLikelihoods


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before it was fitted."""


class TrueAnswerModel(Estimator):
    """A regression of the true answer on covariates, from reports: what its classes share.

    Attributes
    ----------
    fit_ : FittedModel
        With standard errors and tests; its summary, data frame and figure are also the estimator's.
    classes_ : ndarray
        The true answers: labels of the device if reports were labels, and else numbers.
    coef_, intercept_ : ndarray of float
        As of scikit-learn's linear models: one row for two classes.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only for data frames whose columns have names.
    """

    def fit(
        self, X: Any, y: Any = None, sample_weight: ArrayLike | str | None = None, **columns: Any
    ) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array_like of float, shape (n, features); or str
            Covariates, or a formula such as "reported ~ age + C(region)".
        y : array_like, shape (n,); or data frame
            Reports; the data frame of a formula.
        sample_weight : array_like of float, shape (n,), or str, optional
            Weights, or with a formula their column.
        **columns
            What else the model has of each respondent, such as `which` or `groups`; with a formula
            names of columns are taken.

        Raises
        ------
        ArgumentError, CountsError
        """
        weights = {} if sample_weight is None else {"weights": sample_weight}
        if isinstance(X, str):
            self._by_formula(self._fitted(X, y, **weights, **columns))
            return self
        if y is None:
            rule = "be given: requires y to be passed, but the target y is None"
            raise ArgumentError("y", None, rule, "not_codes")
        check_same_people({"X": X, "y": y})
        table, names = numbers_of(X), names_in(X)
        reports = self._reports(y)
        if len(reports) != len(table):
            rule = f"have one report for each of the {len(table)} rows, inconsistent with "
            raise ArgumentError("y", len(reports), rule + str(len(reports)), "lengths_differ")
        named = table if names is None else Labelled(table, tuple(range(len(table))), tuple(names))
        self.fit_ = self._fitted(named, reports, **weights, **columns)
        self.n_features_in_ = table.shape[1]
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        return self

    def _by_formula(self, fit: FittedModel) -> None:
        self.fit_ = fit
        self.classes_ = self._classes(labelled=False)
        self.n_features_in_ = len(fit.names) - (fit.formula is None or fit.formula.intercept)

    @abstractmethod
    def _fitted(self, X: Any, reports: Any, **columns: Any) -> FittedModel:
        """Return the fit of the model that the class is about."""

    @abstractmethod
    def _devices(self) -> tuple[Channel, ...]:
        """Return the devices of the reports."""

    def _reports(self, y: Any) -> npt.NDArray:
        """Return the reports as they came, and set the classes."""
        array = as_array(y)
        if array is None or array.ndim == 0:
            raise ArgumentError("y", y, "be a list of reports", "not_codes")
        array = array.ravel() if array.ndim == 2 and array.shape[1] == 1 else array
        self.classes_ = self._classes(labelled=array.dtype.kind in "UO")
        return array

    def _classes(self, *, labelled: bool) -> npt.NDArray:
        labels: Sequence[str] = getattr(self._devices()[0], "truth_labels", ())
        return np.array(labels) if labelled and labels else np.arange(self._devices()[0].truth_size)

    @property
    def coef_(self) -> FloatArray:
        """Coefficients without the intercepts."""
        return np.atleast_2d(self.fit_.params)[:, self._first() :]

    @property
    def intercept_(self) -> FloatArray:
        """Intercepts; 0 without one."""
        rows = np.atleast_2d(self.fit_.params)
        return rows[:, 0] if self._first() else np.zeros(len(rows))

    def _first(self) -> int:
        return int(self.fit_.names[:1] == ("intercept",))

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probabilities of the true answers, shape (n, classes).

        Raises
        ------
        ArgumentError
        """
        self._check_fitted()
        if self.fit_.formula is not None:
            return self._probabilities(np.asarray(self.fit_.formula.rows(X)))
        return self._probabilities(same_columns(X, self))

    @abstractmethod
    def _probabilities(self, columns: FloatArray) -> FloatArray:
        """Return the probabilities of the true answers at rows of columns."""

    def predict(self, X: Any) -> npt.NDArray:
        """Return the most probable true answer of each row."""
        self._check_fitted()
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

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


class ScoredModel(TrueAnswerModel):
    """A model whose likelihood of new reports follows from the probabilities alone."""

    def score(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        which: ArrayLike | None = None,
    ) -> float:
        """Return the mean log-likelihood of reports; the higher the better.

        Not the accuracy: what came in is not what is true, so that even the right answer of
        everybody would be "wrong" as often as the device turns it around.
        """
        reports = ReportLikelihoods(self._devices(), self._codes(y), which)
        chances = (self.predict_proba(X) * reports.likelihoods).sum(axis=1)
        logs = np.log(np.maximum(chances, np.finfo(float).tiny))
        weights = None if sample_weight is None else np.asarray(sample_weight)
        return float(np.average(logs, weights=weights))

    def _codes(self, y: Any) -> Any:
        return y
