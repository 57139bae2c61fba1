"""Results of predictions: probabilities of answers, and average marginal effects."""

from dataclasses import dataclass

from rr_engine.arrays import FloatArray, FrozenArrays
from rr_engine.display.figures import Drawn, Intervals


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PredictedProbabilities(FrozenArrays):
    """Probabilities of the true answers at given covariates.

    Attributes
    ----------
    probabilities, standard_errors : ndarray of float, shape (m, truths)
        Errors by the delta method.
    intervals : ndarray of float, shape (m, truths, 2)
        Of two categories the ends of the linear predictor's interval, put through the link; of more
        normal intervals of log(p/(1 - p)). Within 0 and 1, but for the linear probability model.
    level : float

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> from rr_engine.models import predicted_probabilities
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> fit = RRLogit(warner(0.75)).fit(x, reports)
    >>> found = predicted_probabilities(fit, [[1.0]])
    >>> found.probabilities.round(3).tolist(), found.standard_errors.round(3).tolist()
    ([[0.5, 0.5]], [[0.032, 0.032]])
    """

    probabilities: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    level: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MarginalEffects(FrozenArrays, Drawn):
    """Average change of the probabilities of the true answers, by column.

    Attributes
    ----------
    names : tuple of str
        Columns, without the intercept.
    effects, standard_errors : ndarray of float, shape (columns,)
        Of two categories of the second one, "yes"; of more of all, shape (truths, columns).
    intervals : ndarray of float, shape of the effects and 2
    discrete : tuple of bool
        Whether the column has the values 0 and 1 only, so that the effect is that of 1 against 0;
        otherwise it is the mean slope for one unit.
    level : float

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> from rr_engine.models import average_marginal_effects
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> fit = RRLogit(warner(0.75)).fit(x, reports)
    >>> found = average_marginal_effects(fit)
    >>> found.names, found.intervals.round(3).tolist()
    (('x1',), [[0.214, 0.386]])
    """

    names: tuple[str, ...]
    effects: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    discrete: tuple[bool, ...]
    level: float

    def _figure(self) -> Intervals:
        lower, upper = self.intervals.reshape(-1, 2).T.tolist()
        labels = list(self.names)
        if self.effects.ndim > 1:
            labels = [f"{truth}: {name}" for truth in range(len(self.effects)) for name in labels]
        return Intervals(
            labels=labels,
            values=self.effects.ravel().tolist(),
            lower=lower,
            upper=upper,
            axis=f"Change of the probability, with its interval of {100 * self.level:g} %",
            title="Average marginal effects",
            reference=0.0,
        )
