"""Regressions some of whose columns are reports: of a number, and of yes or no."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.errors import ArgumentError
from rr_engine.estimators.classifiers import DIRECT, ClassesOrReports
from rr_engine.estimators.columns import names_in, numbers_of, same_columns
from rr_engine.estimators.fitted_estimators import (
    FittedEstimator,
    named_columns,
    outcome_and_rows,
)
from rr_engine.estimators.regressors import NumberModel
from rr_engine.frames.tallies import Labelled
from rr_engine.library.noncompliance.type_data import named_as
from rr_engine.regression.engine.fitted_model import FittedModel
from rr_engine.regression.randomized_predictors.mean_outcomes import mean_outcomes
from rr_engine.regression.randomized_predictors.predictor_fit import PredictorFit
from rr_engine.regression.randomized_predictors.predictors import check_predictors
from rr_engine.regression.randomized_predictors.rr_regression import RRRegression
from rr_engine.regression.report_likelihoods import NO_REPORT, ReportLikelihoods, check_possible

# The columns of X that are reports, each with the device of its reports.
Predictors = Mapping[str | int, Channel]


class WithReports(FittedEstimator):
    """An estimator some of whose columns are reports on questions that explain the outcome."""

    predictors: Predictors
    scores: Mapping[str | int, ArrayLike] | None
    independent: bool
    fit_intercept: bool
    fit_: PredictorFit

    def _keys(self) -> list[str | int]:
        keys = list(self.predictors) if isinstance(self.predictors, Mapping) else []
        if not keys or not all(isinstance(key, str | int) for key in keys):
            rule = "be a device for each column of X that is reports, such as {'drug': warner(0.8)}"
            raise ArgumentError("predictors", self.predictors, rule, "not_designs")
        unknown = [key for key in self.scores or () if key not in keys]
        if unknown:
            rule = f"be about columns that are reports: {', '.join(map(str, keys))}"
            raise ArgumentError("scores", unknown[0], rule, "unknown_column")
        return keys

    def _scores(self) -> list[ArrayLike | None]:
        return [(self.scores or {}).get(key) for key in self._keys()]

    def _places(self, names: Sequence[str] | None, width: int) -> list[int]:
        """Return which columns are reports: by name, or by place."""
        places = []
        for key in self._keys():
            place = names.index(key) if names is not None and key in names else key
            if isinstance(place, str) or not 0 <= place < width:
                has = f"columns {', '.join(map(str, names))}" if names else f"{width} columns"
                rule = f"name columns of X, by name or by place from 0; X has {has}"
                raise ArgumentError("predictors", key, rule, "unknown_column")
            places.append(place)
        return places

    def _table(self, X: Any) -> FloatArray:
        """Return the rows as numbers; reports of a data frame may be labels of their device."""
        names = list(names_in(X) or ())
        if not names:
            return numbers_of(X)
        table = np.empty((len(X), len(names)))
        places = self._places(names, len(names))
        others = [name for place, name in enumerate(names) if place not in places]
        if others:
            table[:, [names.index(name) for name in others]] = numbers_of(X[others])
        for key, place in zip(self._keys(), places, strict=True):
            table[:, place] = self._column_codes(key, X[names[place]], names[place])
        return table

    def _column_codes(self, key: str | int, column: Any, name: str) -> IntArray:
        """Return the reports of a column as numbers, -1 for none."""
        with named_as(reports=name):
            reports = ReportLikelihoods(self.predictors[key], column)
        return np.where(reports.reported, reports.row_of, NO_REPORT)

    def _column_reports(self, codes: FloatArray, names: Sequence[str]) -> list[ReportLikelihoods]:
        """Return what columns of reports say of the true answers."""
        reports = []
        for key, column, name in zip(self._keys(), codes.T, names, strict=True):
            with named_as(reports=name):
                reports.append(ReportLikelihoods(self.predictors[key], column))
        return reports

    def _explained(self, family: str, X: Any, outcome: Any, **columns: Any) -> PredictorFit:
        """Return the fit of rows of numbers. `columns`: what else `RRRegression.fit` takes."""
        table = np.asarray(X)
        names = X.columns if isinstance(X, Labelled) else None
        known = list(names or (f"x{place + 1}" for place in range(table.shape[1])))
        places = self._places(names, len(known))
        exact = [place for place in range(len(known)) if place not in places]
        told = [known[place] for place in places]
        return RRRegression(family).fit(
            outcome,
            table[:, exact] if exact else None,
            self._column_reports(table[:, places], told),
            names=[known[place] for place in exact] or None,
            predictor_names=told,
            scores=self._scores(),
            independent=self.independent,
            intercept=self.fit_intercept,
            **columns,
        )

    def _explained_by(
        self,
        family: str,
        text: str,
        frame: Any,
        outcome_of: Callable[[Any], Any],
        weights: Any = None,
    ) -> PredictorFit:
        """Return the fit of a formula, whose right side has the columns that are no reports."""
        outcome, formula, rows = outcome_and_rows(text, frame)
        named = self._named(frame)
        twice = sorted(formula.spec.required_variables & {*named})
        if twice:
            rule = f"leave {twice[0]} out, which is reports: the model has it by `predictors`"
            raise ArgumentError("X", text, rule, "given_twice")
        fit = RRRegression(family).fit(
            outcome_of(outcome),
            rows,
            self._column_reports(self._codes_of(frame, named), named),
            predictor_names=named,
            scores=self._scores(),
            independent=self.independent,
            intercept=formula.intercept,
            **named_columns(frame, {"weights": weights}),
        )
        return replace(fit, formula=formula)

    def _named(self, frame: Any) -> list[str]:
        names = list(names_in(frame) or ())
        return [names[place] for place in self._places(names, len(names))]

    def _codes_of(self, frame: Any, names: Sequence[str]) -> FloatArray:
        keys = self._keys()
        codes = [
            self._column_codes(key, frame[name], name)
            for key, name in zip(keys, names, strict=True)
        ]
        return np.column_stack(codes).astype(np.float64)

    def _new_rows(self, X: Any) -> FloatArray:
        """Return the exact columns and, after them, those of reports."""
        self._check_fitted()
        if self.fit_.formula is not None:
            rows = np.asarray(self.fit_.formula.rows(X))
            return np.hstack([rows, self._codes_of(X, self._named(X))])
        table = same_columns(X, self)
        places = self._places(list(getattr(self, "feature_names_in_", ())), table.shape[1])
        exact = [place for place in range(table.shape[1]) if place not in places]
        return table[:, [*exact, *places]]

    def _mean_outcomes(self, columns: FloatArray) -> FloatArray:
        """Return the mean outcome of people with these rows."""
        names = [str(key) for key in self._keys()]
        size = columns.shape[1] - len(names)
        reports = self._column_reports(columns[:, size:], names)
        for name, each in zip(names, reports, strict=True):
            check_possible(each, np.ones(each.n), name)
        chosen = check_predictors(reports, self._scores(), names, len(columns))
        return mean_outcomes(self.fit_, chosen, columns[:, :size])

    def _by_formula(self, fit: FittedModel) -> None:
        super()._by_formula(fit)
        exact = 0 if fit.formula is None else len(fit.formula.names)
        self.n_features_in_ = exact + len(self._keys())


class RRRegressor(WithReports, NumberModel):
    """:class:`rr_engine.RRRegression` of a number: a regressor with reports among its columns.

    Parameters
    ----------
    predictors : mapping of str or int to Channel
        The columns of X that are reports, by name or by place from 0, each with its device. -1 in
        such a column is no report.
    scores : mapping of str or int to array_like, optional
        What the categories of such a column count, for one coefficient in place of one for each.
    independent : bool, default False
        Whether the true answers are independent of the other columns.
    fit_intercept : bool, default True

    Notes
    -----
    A prediction is the mean over the true answers that the row's reports may stand for, which
    depend on the other columns too: ``sum_c Pr(c | x, reports) (x'b + c'g)``.

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110, 2015.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import warner
    >>> from rr_engine.models import RRRegressor
    >>> reports = np.repeat([0, 1], 300)[:, None]
    >>> numbers = np.repeat([2.0, 1.0, 2.0, 1.0], [75, 225, 225, 75]) + np.sin(np.arange(600)) / 9
    >>> model = RRRegressor({0: warner(0.75)}).fit(reports, numbers)
    >>> model.fit_.names, model.predict([[0], [1], [-1]]).round(2).tolist()
    (('intercept', 'x1[1]'), [1.25, 1.75, 1.5])
    """

    def __init__(
        self,
        predictors: Predictors,
        scores: Mapping[str | int, ArrayLike] | None = None,
        independent: bool = False,
        fit_intercept: bool = True,
    ) -> None:
        self.predictors = predictors
        self.scores = scores
        self.independent = independent
        self.fit_intercept = fit_intercept

    def _fitted(self, X: Any, numbers: Any, **columns: Any) -> FittedModel:
        if isinstance(X, str):
            return self._explained_by("linear", X, numbers, lambda outcome: outcome, **columns)
        return self._explained("linear", X, numbers, **columns)

    def _means(self, columns: FloatArray) -> FloatArray:
        return self._mean_outcomes(columns)


class RRRegressionClassifier(WithReports, ClassesOrReports):
    """:class:`rr_engine.RRRegression` of yes or no: a classifier with reports among its columns.

    Parameters
    ----------
    predictors : mapping of str or int to Channel
        The columns of X that are reports, by name or by place from 0, each with its device. -1 in
        such a column is no report.
    design : Channel, sequence of Channel, or "direct"
        Of `y`: "direct" for answers that no device made, whose two classes are those of `y`.
    link : {"logit", "probit"}, default "logit"
    scores : mapping of str or int to array_like, optional
        What the categories of such a column count, for one coefficient in place of one for each.
    independent : bool, default False
        Whether the true answers are independent of the other columns.
    fit_intercept : bool, default True

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110, 2015.

    Examples
    --------
    A case-control study of smoking, as of :class:`rr_engine.RRRegression`:

    >>> import numpy as np
    >>> from rr_engine.designs import generalized_binary
    >>> from rr_engine.models import RRRegressionClassifier
    >>> smoking = np.repeat([1, 0], [197, 316])[:, None]
    >>> cases = np.repeat([1, 0, 1, 0], [126, 71, 92, 224])
    >>> model = RRRegressionClassifier({0: generalized_binary(0.97, 0.94)}).fit(smoking, cases)
    >>> model.predict([[1], [0]]).tolist(), model.predict_proba([[1], [0]])[:, 1].round(2).tolist()
    ([1, 0], [0.64, 0.29])
    """

    def __init__(
        self,
        predictors: Predictors,
        design: Designs | str = DIRECT,
        link: str = "logit",
        scores: Mapping[str | int, ArrayLike] | None = None,
        independent: bool = False,
        fit_intercept: bool = True,
    ) -> None:
        self.predictors = predictors
        self.design = design
        self.link = link
        self.scores = scores
        self.independent = independent
        self.fit_intercept = fit_intercept

    def _fitted(
        self, X: Any, reports: Any, which: ArrayLike | None = None, **columns: Any
    ) -> FittedModel:
        link = check.choice(self.link, "link", ("logit", "probit"))

        def outcome(column: Any) -> ReportLikelihoods:
            return ReportLikelihoods(self._devices(), column, which)

        if isinstance(X, str):
            # Reading the column sets the classes too.
            return self._explained_by(
                link, X, reports, lambda column: outcome(self._reports(column)), **columns
            )
        return self._explained(link, X, outcome(reports), **columns)

    def _reports(self, y: Any) -> npt.NDArray:
        codes = super()._reports(y)
        if len(self.classes_) != 2:
            rule = "have two classes: Only binary classification is supported"
            raise ArgumentError("y", self.classes_.tolist(), rule, "not_binary")
        return codes

    def _probabilities(self, columns: FloatArray) -> FloatArray:
        yes = self._mean_outcomes(columns)
        return np.column_stack([1 - yes, yes])

    def _tags(self) -> dict[str, Any]:
        return {"multi_class": False}
