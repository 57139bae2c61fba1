"""The power of a test of a prevalence over numbers of respondents: a curve to look at."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays, IntArray
from rr_engine.channels.protocol import Channel
from rr_engine.display.figures import Drawn, Lines, power_lines
from rr_engine.planning.proportion import power


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PowerCurve(FrozenArrays, Drawn):
    """Power of a test of a prevalence by the number of respondents.

    Attributes
    ----------
    sizes : ndarray of int, shape (k,)
        Numbers of respondents.
    powers : ndarray of float, shape (k,)
    prevalence, null, alpha : float

    Examples
    --------
    >>> from rr_engine import forced_response
    >>> from rr_engine.planning import power_curve
    >>> curve = power_curve(forced_response(2 / 3, 1 / 6), 0.10, 0.05, [500, 1500])
    >>> curve.sizes.tolist(), curve.powers.round(2).tolist()
    ([500, 1500], [0.42, 0.87])
    """

    sizes: IntArray
    powers: FloatArray
    prevalence: float
    null: float
    alpha: float

    def _figure(self) -> Lines:
        against = f"{100 * self.prevalence:g} % against {100 * self.null:g} %"
        return power_lines(self.sizes.tolist(), {against: self.powers.tolist()})


def power_curve(
    design: Channel,
    prevalence: float,
    null: float,
    sizes: Sequence[int],
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    category: int | None = None,
    method: str = "exact",
) -> PowerCurve:
    """Return the power of :func:`rr_engine.power` for each of several numbers of respondents.

    Parameters
    ----------
    design, prevalence, null, alpha, alternative, category, method
        As of :func:`rr_engine.power`.
    sizes : sequence of int
        Numbers of respondents.

    Returns
    -------
    PowerCurve
        Its `plot()` draws it.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    References
    ----------
    .. [1] R. Ulrich, H. Schröter, H. Striegel and P. Simon, "Asking Sensitive Questions: A
       Statistical Power Analysis of Randomized Response Models", Psychological Methods 17 (2012).

    Examples
    --------
    >>> from rr_engine import forced_response
    >>> curve = power_curve(forced_response(2 / 3, 1 / 6), 0.10, 0.05, [500, 1000, 1500])
    >>> curve.powers.round(2).tolist()
    [0.42, 0.72, 0.87]
    """
    rule = "be a list of one or more numbers of respondents"
    given = check.entries(sizes, "sizes", None, rule, "not_a_whole_number")
    numbers = [check.size(size, "sizes") for size in given]
    powers = [
        power(design, prevalence, null, n, alpha, alternative, category, method) for n in numbers
    ]
    return PowerCurve(
        sizes=np.array(numbers, dtype=np.int64),
        powers=np.array(powers),
        prevalence=float(prevalence),
        null=float(null),
        alpha=float(alpha),
    )
