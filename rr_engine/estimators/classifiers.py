"""Models of the true answer behind reports, as classifiers: fit, predict, predict_proba."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.designs.categorical import direct
from rr_engine.errors import ArgumentError
from rr_engine.estimators.true_answers import ScoredModel, TrueAnswerModel
from rr_engine.library.item_count.list_regression import ListRegression, list_regression
from rr_engine.library.multilevel.multilevel_effects import group_averaged_probabilities
from rr_engine.library.multilevel.multilevel_logit import RRMultilevelLogit
from rr_engine.library.noncompliance.attention_logit import AttentionLogit
from rr_engine.library.noncompliance.cheating_logit import CheatingLogit
from rr_engine.regression.engine.fitted_model import FittedModel
from rr_engine.regression.randomized_outcome.logit import RRLogit
from rr_engine.regression.randomized_outcome.predictions import predicted_probabilities

# In place of a device: the answers themselves were given.
DIRECT = "direct"


class RRLogitClassifier(ScoredModel):
    """:class:`rr_engine.RRLogit` as a classifier: logit, probit and the like, or multinomial.

    Parameters
    ----------
    design : Channel, sequence of Channel, or "direct"
        As of :class:`rr_engine.RRLogit`; "direct" for answers that no device made, whose classes
        are those of `y`.
    link : str, default "logit"
    fit_intercept : bool, default True

    References
    ----------
    .. [1] A. van den Hout, P. G. M. van der Heijden and R. Gilchrist, "The logistic regression
       model with response variables subject to randomized response", Computational Statistics &
       Data Analysis 51, 2007.
    .. [2] L. Buitinck et al., "API design for machine learning software: experiences from the
       scikit-learn project", ECML PKDD Workshop, 2013 (the conventions).

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import warner
    >>> x = np.repeat([[0.0], [1.0]], 1000, axis=0)
    >>> reports = np.repeat(["No", "Yes", "No", "Yes"], [650, 350, 500, 500])
    >>> model = RRLogitClassifier(warner(0.75)).fit(x, reports)
    >>> model.predict_proba([[0.0], [1.0]]).round(3).tolist(), model.coef_.round(3).tolist()
    ([[0.8, 0.2], [0.5, 0.5]], [[1.386]])
    """

    def __init__(
        self, design: Designs | str, link: str = "logit", fit_intercept: bool = True
    ) -> None:
        self.design = design
        self.link = link
        self.fit_intercept = fit_intercept

    def _devices(self) -> tuple[Channel, ...]:
        if isinstance(self.design, str):
            check.choice(self.design, "design", (DIRECT,))
            return (direct(max(len(self.classes_), 2)),)
        return RRLogit(self.design, self.link).designs

    def _fitted(self, X: Any, reports: Any, **columns: Any) -> FittedModel:
        model = RRLogit(self._devices(), self.link)
        if isinstance(X, str):
            return model.fit(X, reports, **columns)
        return model.fit(X, reports, **columns, intercept=self.fit_intercept)

    def _reports(self, y: Any) -> npt.NDArray:
        if not isinstance(self.design, str):
            return super()._reports(y)
        array = np.asarray(y)
        array = array.ravel() if array.ndim == 2 and array.shape[1] == 1 else array
        if array.dtype.kind == "f" and not (np.isfinite(array) & (array == np.trunc(array))).all():
            rule = "be classes: Unknown label type: continuous, or input contains NaN or infinity"
            raise ArgumentError("y", array.dtype, rule, "not_codes")
        self.classes_, codes = np.unique(array, return_inverse=True)
        if len(self.classes_) < 2:
            rule = f"have two or more classes, and has {len(self.classes_)} class"
            raise ArgumentError("y", self.classes_.tolist(), rule, "constant_outcome")
        return codes

    def _codes(self, y: Any) -> Any:
        if not isinstance(self.design, str):
            return y
        return np.searchsorted(self.classes_, np.asarray(y))

    def _tags(self) -> dict[str, Any]:
        several = isinstance(self.design, str) or self._devices()[0].truth_size > 2
        return {"multi_class": several}

    def _probabilities(self, columns: FloatArray) -> FloatArray:
        return predicted_probabilities(self.fit_, columns).probabilities  # type: ignore[arg-type]


class RRMultilevelClassifier(ScoredModel):
    """:class:`rr_engine.models.RRMultilevelLogit` as a classifier: `fit(X, y, groups=...)`.

    Probabilities are those of people in a group that is drawn at random.

    Parameters
    ----------
    design, link, nodes
        As of :class:`rr_engine.models.RRMultilevelLogit`.

    References
    ----------
    .. [1] Q. Liu and D. A. Pierce, "A Note on Gauss-Hermite Quadrature", Biometrika 81, 1994.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import warner
    >>> from rr_engine.models import RRMultilevelClassifier
    >>> schools, x = np.repeat(["A", "B", "C"], 80), np.repeat([[0], [1]] * 3, 40, axis=0)
    >>> reports = np.repeat([0, 1] * 6, [36, 4, 28, 12, 30, 10, 18, 22, 22, 18, 10, 30])
    >>> model = RRMultilevelClassifier(warner(0.9)).fit(x, reports, groups=schools)
    >>> model.predict_proba([[0], [1]]).round(2).tolist()
    [[0.79, 0.21], [0.46, 0.54]]
    """

    def __init__(self, design: Designs, link: str = "logit", nodes: int | None = None) -> None:
        self.design = design
        self.link = link
        self.nodes = nodes

    def _devices(self) -> tuple[Channel, ...]:
        return RRLogit(self.design, self.link).designs

    def _fitted(self, X: Any, reports: Any, **columns: Any) -> FittedModel:
        return RRMultilevelLogit(self.design, self.link, self.nodes).fit(X, reports, **columns)

    def _probabilities(self, columns: FloatArray) -> FloatArray:
        return group_averaged_probabilities(self.fit_, columns).probabilities  # type: ignore[arg-type]

    def _tags(self) -> dict[str, Any]:
        return {"multi_class": False}


class LogOddsModel(TrueAnswerModel):
    """A model of two answers whose first coefficients are log odds of the second one."""

    def _probabilities(self, columns: FloatArray) -> FloatArray:
        ones = np.ones((len(columns), self._first()))
        yes = expit(np.hstack([ones, columns]) @ self.fit_.params)
        return np.column_stack([1 - yes, yes])

    def _tags(self) -> dict[str, Any]:
        return {"multi_class": False}


class CheatingClassifier(LogOddsModel):
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

    def _devices(self) -> tuple[Channel, ...]:
        return tuple(CheatingLogit(self.designs, safe=self.safe).designs)

    def _fitted(self, X: Any, reports: Any, **columns: Any) -> FittedModel:
        return CheatingLogit(self.designs, safe=self.safe).fit(X, reports, **columns)


class AttentionClassifier(LogOddsModel):
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

    def _devices(self) -> tuple[Channel, ...]:
        return tuple(AttentionLogit(self.designs, self.anchor, self.known).designs)

    def _fitted(self, X: Any, reports: Any, **columns: Any) -> FittedModel:
        return AttentionLogit(self.designs, self.anchor, self.known).fit(X, reports, **columns)


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

    def __init__(self, items: int) -> None:
        self.items = items

    def _devices(self) -> tuple[Channel, ...]:
        return (direct(["No", "Yes"]),)

    def _classes(self, *, labelled: bool) -> npt.NDArray:
        return np.arange(2)

    def _fitted(self, X: Any, reports: Any, **columns: Any) -> ListRegression:
        return list_regression(X, reports, items=self.items, **columns)
