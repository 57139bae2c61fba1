"""Classifiers of people some of whom do not follow the device, and of list experiments."""

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import comb, expit

from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.designs.categorical import direct
from rr_engine.errors import ArgumentError
from rr_engine.estimators.columns import numbers_of
from rr_engine.estimators.true_answers import TrueAnswerModel, mean_log
from rr_engine.library.item_count.list_regression import (
    ListRegression,
    check_counts,
    list_regression,
    report_chances,
)
from rr_engine.library.item_count.tables import count_matrix
from rr_engine.library.noncompliance.attention_logit import AttentionLogit, both_reports
from rr_engine.library.noncompliance.cheating_logit import CheatingLogit, LieDetectorLogit
from rr_engine.library.noncompliance.noncompliance_fit import NoncomplianceFit
from rr_engine.library.noncompliance.respondent_types import FORMS
from rr_engine.library.noncompliance.type_data import TypeReports, type_reports
from rr_engine.regression.engine.fitted_model import FittedModel


class LogOddsModel(TrueAnswerModel):
    """A model of two answers whose first coefficients are log odds of the second one."""

    def _probabilities(self, columns: FloatArray) -> FloatArray:
        yes = expit(self._with_one(columns) @ self.fit_.params)
        return np.column_stack([1 - yes, yes])

    def _with_one(self, columns: FloatArray) -> FloatArray:
        return np.hstack([np.ones((len(columns), self._first())), columns])

    def _tags(self) -> dict[str, Any]:
        return {"multi_class": False}


class NoncomplianceModel(LogOddsModel):
    """A model of followers of the device and others."""

    fit_: NoncomplianceFit

    def score(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        share_X: ArrayLike | None = None,
        **columns: Any,
    ) -> float:
        """Return the mean log-likelihood of reports; the higher the better.

        Parameters
        ----------
        X, y, sample_weight, **columns
            As in `fit`: rows, reports, and what else the model has of each respondent.
        share_X : array_like of float, optional
            As in `fit`, where it was given there.
        """
        trait = self.predict_proba(X)[:, 1]
        likelihoods = np.ones((len(trait), 3))
        for answer in self._answers(y, **columns):
            likelihoods *= answer.table[answer.reports.row_of]
        mixing = FORMS[self.fit_.data.form](likelihoods)
        share = self._share(share_X, len(trait))
        chances = mixing.base + mixing.trait * trait + mixing.share * share
        return mean_log(chances + mixing.both * trait * share, sample_weight)

    @abstractmethod
    def _answers(self, y: Any, **columns: Any) -> tuple[TypeReports, ...]:
        """Return the reports of respondents, with their likelihoods."""

    def _share(self, share_X: ArrayLike | None, rows: int) -> FloatArray:
        """Return the share of those who do not follow the device, for each row."""
        size = len(self.fit_.share_params)
        if not size:
            return np.full(rows, self.fit_.share)
        table = np.empty((rows, 0)) if share_X is None else numbers_of(share_X, "share_X")
        if table.shape != (rows, size - 1):
            rule = f"have {rows} rows of the {size - 1} columns of the fit"
            raise ArgumentError("share_X", table.shape, rule, "lengths_differ")
        return np.asarray(expit(np.hstack([np.ones((rows, 1)), table]) @ self.fit_.share_params))

    def _devices(self) -> tuple[Channel, ...]:
        return self._model().designs

    @abstractmethod
    def _model(self) -> Any:
        """Return the model that the class is about."""

    def _fitted(self, X: Any, reports: Any, **columns: Any) -> FittedModel:
        fit: FittedModel = self._model().fit(X, reports, **columns)
        return fit


class GroupsModel(NoncomplianceModel):
    """A model whose groups were given different devices: `fit(X, y, which=...)`."""

    def _answers(self, y: Any, **columns: Any) -> tuple[TypeReports, ...]:
        model = self._model()
        return (type_reports(model.designs, y, columns.get("which"), model.others),)


class CheatingClassifier(GroupsModel):
    """:class:`rr_engine.models.CheatingLogit` as a classifier: `fit(X, y, which=...)`.

    Parameters
    ----------
    designs, safe
        As of :class:`rr_engine.models.CheatingLogit`.

    References
    ----------
    .. [1] S. J. Clark and R. A. Desharnais, "Honest answers to embarrassing questions: detecting
       cheating in the randomized response model", Psychological Methods 3 (1998), 160-168.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine.designs import generalized_binary
    >>> from rr_engine.models import CheatingClassifier
    >>> x = np.tile([[0.0], [1.0]], (1000, 1))
    >>> reports, groups = np.repeat([0, 1, 0, 1], [610, 390, 340, 660]), np.repeat([0, 1], 1000)
    >>> model = CheatingClassifier([generalized_binary(0.8, 1), generalized_binary(0.2, 1)])
    >>> model.fit(x, reports, which=groups).predict_proba([[0.0]]).round(2).tolist()
    [[0.6, 0.4]]
    """

    def __init__(self, designs: Designs, safe: int = 0) -> None:
        self.designs = designs
        self.safe = safe

    def _model(self) -> CheatingLogit:
        return CheatingLogit(self.designs, safe=self.safe)


class LieDetectorClassifier(GroupsModel):
    """:class:`rr_engine.models.LieDetectorLogit` as a classifier: `fit(X, y, which=...)`.

    Parameters
    ----------
    designs, safe, otherwise
        As of :class:`rr_engine.models.LieDetectorLogit`.

    References
    ----------
    .. [1] M. Moshagen, J. Musch and E. Erdfelder, "A stochastic lie detector", Behavior Research
       Methods 44 (2012), 222-231.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine.designs import mangat
    >>> from rr_engine.models import LieDetectorClassifier
    >>> x = np.tile([[0.0], [1.0]], (1000, 1))
    >>> reports, groups = np.repeat([0, 1, 0, 1], [330, 670, 690, 310]), np.repeat([0, 1], 1000)
    >>> model = LieDetectorClassifier([mangat(0.2), mangat(0.8)])
    >>> model.fit(x, reports, which=groups).predict_proba([[0.0]]).round(2).tolist()
    [[0.6, 0.4]]
    """

    def __init__(self, designs: Designs, safe: int = 0, otherwise: ArrayLike | None = None) -> None:
        self.designs = designs
        self.safe = safe
        self.otherwise = otherwise

    def _model(self) -> LieDetectorLogit:
        return LieDetectorLogit(self.designs, safe=self.safe, otherwise=self.otherwise)


class AttentionClassifier(NoncomplianceModel):
    """:class:`rr_engine.models.AttentionLogit` as a classifier: `fit(X, y, anchor_reports=...)`.

    Parameters
    ----------
    designs, anchor, known
        As of :class:`rr_engine.models.AttentionLogit`.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import crosswise
    >>> from rr_engine.models import AttentionClassifier
    >>> x, counts = np.repeat([[0.0], [1.0]], 2000, axis=0), [148, 425, 311, 1116] * 2
    >>> question, anchor = np.repeat([0, 0, 1, 1] * 2, counts), np.repeat([0, 1, 0, 1] * 2, counts)
    >>> model = AttentionClassifier(crosswise(0.15), crosswise(0.15))
    >>> model.fit(x, question, anchor_reports=anchor).predict_proba([[0.0]]).round(2).tolist()
    [[0.88, 0.12]]
    """

    def __init__(self, designs: Designs, anchor: Channel, known: float = 0.0) -> None:
        self.designs = designs
        self.anchor = anchor
        self.known = known

    def _model(self) -> AttentionLogit:
        return AttentionLogit(self.designs, self.anchor, self.known)

    def _answers(self, y: Any, **columns: Any) -> tuple[TypeReports, ...]:
        return both_reports(self._model(), y, **columns)


class ListExperimentClassifier(LogOddsModel):
    """:func:`rr_engine.item_count.list_regression` as a classifier of the sensitive item.

    `fit(X, counts, treated=...)`.

    Parameters
    ----------
    items : int
        Items of the short list.

    References
    ----------
    .. [1] K. Imai, "Multivariate Regression Analysis for the Item Count Technique", Journal of the
       American Statistical Association 106 (2011), 407-416.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine.models import ListExperimentClassifier
    >>> counts = np.repeat([0, 1, 2, 0, 1, 2, 3], [20, 50, 30, 14, 40, 36, 10])
    >>> x, treated = np.tile([[0.0], [1.0]], (100, 1)), np.repeat([0, 1], 100)
    >>> model = ListExperimentClassifier(2).fit(x, counts, treated=treated)
    >>> model.predict_proba([[0.0], [1.0]]).shape
    (2, 2)
    """

    fit_: ListRegression

    def __init__(self, items: int) -> None:
        self.items = items

    def _devices(self) -> tuple[Channel, ...]:
        return (direct(["No", "Yes"]),)

    def _classes(self, *, labelled: bool) -> npt.NDArray:
        return np.arange(2)

    def _fitted(self, X: Any, reports: Any, **columns: Any) -> ListRegression:
        return list_regression(X, reports, items=self.items, **columns)

    def score(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        *,
        treated: ArrayLike,
    ) -> float:
        """Return the mean log-likelihood of counts; the higher the better.

        References
        ----------
        Ours: the likelihood that `fit` maximises, of each respondent on average.
        """
        rows = self._with_one(self._new_rows(X))
        matrix = count_matrix(self.items, None)
        counts, groups = check_counts(y, treated, matrix, direct=True)
        trait, item = (expit(rows @ part) for part in (self.fit_.params, self.fit_.control_params))
        true = np.arange(self.items + 1)
        chances = item[:, None] ** true * (1 - item[:, None]) ** (self.items - true)
        others = comb(self.items, true) * chances
        having = np.column_stack([1 - trait, trait])
        found = report_chances(matrix, counts, groups)
        return mean_log(np.einsum("nt,nc,ntc->n", having, others, found), sample_weight)
