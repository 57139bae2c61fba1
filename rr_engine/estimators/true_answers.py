"""What classifiers of the true answer share: fit, predict, predict_proba, score."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import ArrayLike, FloatArray, as_array
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError
from rr_engine.estimators.fitted_estimators import (
    FittedEstimator,
    check_as_many,
    named_rows,
    weights_of,
)
from rr_engine.regression.engine.fitted_model import FittedModel
from rr_engine.regression.report_likelihoods import ReportLikelihoods


class TrueAnswerModel(FittedEstimator):
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
        columns |= weights_of(sample_weight)
        if isinstance(X, str):
            self._by_formula(self._fitted(X, y, **columns))
            self.classes_ = self._classes(labelled=False)
            return self
        table, names = self._check_rows(X, y)
        reports = self._reports(y)
        check_as_many(reports, len(table))
        self.fit_ = self._fitted(named_rows(table, names), reports, **columns)
        self._remember(table, names)
        return self

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

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probabilities of the true answers, shape (n, classes).

        Raises
        ------
        ArgumentError
        """
        return self._probabilities(self._new_rows(X))

    @abstractmethod
    def _probabilities(self, columns: FloatArray) -> FloatArray:
        """Return the probabilities of the true answers at rows of columns."""

    def predict(self, X: Any) -> npt.NDArray:
        """Return the most probable true answer of each row."""
        self._check_fitted()
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


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
        return mean_log(chances, sample_weight)

    def _codes(self, y: Any) -> Any:
        return y


def mean_log(chances: FloatArray, sample_weight: ArrayLike | None) -> float:
    """Return the mean logarithm of the chances of reports; that of 0 is a large negative one."""
    logs = np.log(np.maximum(chances, np.finfo(float).tiny))
    weights = None if sample_weight is None else np.asarray(sample_weight)
    return float(np.average(logs, weights=weights))
