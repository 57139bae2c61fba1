"""Models of the true answer behind reports, as classifiers: fit, predict, predict_proba."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.designs.categorical import direct
from rr_engine.errors import ArgumentError
from rr_engine.estimators.fitted_estimators import named_columns, outcome_and_rows
from rr_engine.estimators.true_answers import ScoredModel
from rr_engine.library.multilevel.multilevel_effects import group_averaged_probabilities
from rr_engine.library.multilevel.multilevel_logit import RRMultilevelLogit
from rr_engine.regression.engine.fitted_model import FittedModel
from rr_engine.regression.randomized_outcome.logit import RRLogit
from rr_engine.regression.randomized_outcome.predictions import predicted_probabilities
from rr_engine.regression.report_likelihoods import check_designs

# In place of a device: the answers themselves were given.
DIRECT = "direct"


class ClassesOrReports(ScoredModel):
    """A classifier whose `y` are reports of its `design`, or classes if that is "direct"."""

    design: Designs | str

    def _devices(self) -> tuple[Channel, ...]:
        if isinstance(self.design, str):
            check.choice(self.design, "design", (DIRECT,))
            return (direct(max(len(self.classes_), 2)),)
        return check_designs(self.design, "design")

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

    def _classes(self, *, labelled: bool) -> npt.NDArray:
        direct_ones = isinstance(self.design, str)
        return self.classes_ if direct_ones else super()._classes(labelled=labelled)

    def _codes(self, y: Any) -> Any:
        if not isinstance(self.design, str):
            return y
        return np.searchsorted(self.classes_, np.asarray(y))


class RRLogitClassifier(ClassesOrReports):
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

    def _fitted(self, X: Any, reports: Any, **columns: Any) -> FittedModel:
        if isinstance(X, str) and isinstance(self.design, str):
            return self._of_classes(X, reports, **columns)
        model = RRLogit(self._devices(), self.link)
        if isinstance(X, str):
            return model.fit(X, reports, **columns)
        return model.fit(X, reports, **columns, intercept=self.fit_intercept)

    def _of_classes(self, text: str, frame: Any, **columns: Any) -> FittedModel:
        """Return the fit of a formula whose left side has classes, and set these."""
        outcome, formula, rows = outcome_and_rows(text, frame)
        codes = self._reports(outcome)
        model = RRLogit(self._devices(), self.link)
        named = named_columns(frame, columns)
        fit = model.fit(rows, codes, intercept=formula.intercept, **named)
        return replace(fit, formula=formula)

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
