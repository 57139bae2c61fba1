"""What regressors share: models of a number, which is known as it is."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray, as_array
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.errors import ArgumentError
from rr_engine.estimators.fitted_estimators import (
    FittedEstimator,
    check_as_many,
    named_rows,
    weights_of,
)
from rr_engine.library.noncompliance.attention_regression import (
    AttentionRegression,
    AttentionRegressionFit,
)
from rr_engine.regression.engine.fitted_model import FittedModel
from rr_engine.regression.engine.links import LINKS


class NumberModel(FittedEstimator):
    """A regression of a number, as one of scikit-learn's regressors.

    Attributes
    ----------
    fit_ : FittedModel
        With standard errors and tests; its summary, data frame and figure are also the estimator's.
    coef_ : ndarray of float, shape (coefficients,)
        Without the intercept, in the order of `fit_.names`.
    intercept_ : float
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
            Covariates, or a formula such as "income ~ age + C(region)".
        y : array_like of float, shape (n,); or data frame
            Numbers; the data frame of a formula.
        sample_weight : array_like of float, shape (n,), or str, optional
            Weights, or with a formula their column.
        **columns
            What else the model has of each respondent; with a formula names of columns are taken.

        Raises
        ------
        ArgumentError, CountsError
        """
        columns |= weights_of(sample_weight)
        if isinstance(X, str):
            self._by_formula(self._fitted(X, y, **columns))
            return self
        table, names = self._check_rows(X, y)
        numbers = _numbers(y)
        check_as_many(numbers, len(table))
        self.fit_ = self._fitted(named_rows(table, names), numbers, **columns)
        self._remember(table, names)
        return self

    @abstractmethod
    def _fitted(self, X: Any, numbers: Any, **columns: Any) -> FittedModel:
        """Return the fit of the model that the class is about."""

    @abstractmethod
    def _means(self, columns: FloatArray) -> FloatArray:
        """Return the mean numbers at rows of columns."""

    def predict(self, X: Any) -> FloatArray:
        """Return the mean number of people with these rows, shape (n,).

        Raises
        ------
        ArgumentError
        """
        return self._means(self._new_rows(X))

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of the spread of `y` that the predictions explain (R squared).

        `y` is no report: what came in is what is true, so that this is as of every regressor.
        """
        numbers = _numbers(y)
        weights = None if sample_weight is None else np.asarray(sample_weight)
        middle = np.average(numbers, weights=weights)
        left = np.average((numbers - self.predict(X)) ** 2, weights=weights)
        return float(1 - left / np.average((numbers - middle) ** 2, weights=weights))

    @property
    def coef_(self) -> FloatArray:
        """Coefficients without the intercept."""
        return self.fit_.params[self._first() :]

    @property
    def intercept_(self) -> Any:
        """The intercept; 0 without one."""
        return self.fit_.params[0] if self._first() else 0.0

    def _tags(self) -> dict[str, Any]:
        return {"kind": "regressor"}


def _numbers(y: Any) -> FloatArray:
    """Return one number for each row; a column of one is taken."""
    array = as_array(y)
    if array is None or array.dtype.kind == "c":
        raise ArgumentError(
            "y", y, "be a list of numbers: Complex data not supported", "not_numbers"
        )
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1:
        raise ArgumentError("y", array.shape, "be a list of numbers", "not_numbers")
    try:
        numbers = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ArgumentError("y", array.dtype, "be a list of numbers", "not_numbers") from error
    for wrong, name in ((np.isnan, "NaN"), (np.isinf, "infinity")):
        if wrong(numbers).any():
            row = int(np.flatnonzero(wrong(numbers))[0])
            rule = f"be finite, and contains {name} in row {row}: leave it out or fill it"
            raise ArgumentError("y", numbers.shape, rule, "not_numbers")
    return numbers


class AttentionRegressor(NumberModel):
    """:class:`rr_engine.models.AttentionRegression` as a regressor.

    `fit(X, y, reports=..., anchor_reports=...)`. Predictions are for people of whom no report is
    known: their trait counts by its probability.

    Parameters
    ----------
    designs, anchor, known
        As of :class:`rr_engine.models.AttentionRegression`.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import crosswise
    >>> from rr_engine.models import AttentionRegressor
    >>> question, anchor = np.tile([0, 1, 1, 1, 0, 1, 1, 0], 25), np.tile([1, 1, 1, 1, 0], 40)
    >>> x = np.cos(np.arange(200.0))[:, None]
    >>> numbers = 2.0 * (question == 0) + x[:, 0] + np.sin(np.arange(200))
    >>> model = AttentionRegressor(crosswise(0.1), crosswise(0.1))
    >>> model = model.fit(x, numbers, reports=question, anchor_reports=anchor)
    >>> model.fit_.names, model.predict([[0.0], [1.0]]).shape
    (('intercept', 'x1', 'trait'), (2,))
    """

    fit_: AttentionRegressionFit

    def __init__(self, designs: Designs, anchor: Channel, known: float = 0.0) -> None:
        self.designs = designs
        self.anchor = anchor
        self.known = known

    def _fitted(self, X: Any, numbers: Any, **columns: Any) -> FittedModel:
        model = AttentionRegression(self.designs, self.anchor, self.known)
        if isinstance(X, str):
            return model.fit(X, numbers, **columns)
        return model.fit(numbers, X, **columns)

    def _by_formula(self, fit: FittedModel) -> None:
        super()._by_formula(fit)
        # The trait is no column of X.
        self.n_features_in_ -= 1

    def _means(self, columns: FloatArray) -> FloatArray:
        rows = np.hstack([np.ones((len(columns), self._first())), columns])
        trait = LINKS["logit"](rows @ self.fit_.trait_params).probability
        return np.asarray(rows @ self.fit_.params[:-1] + self.fit_.params[-1] * trait)
