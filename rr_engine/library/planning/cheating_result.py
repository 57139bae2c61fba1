"""Power to detect cheating by share and number of people, as a result."""

from dataclasses import dataclass

from rr_engine.arrays import FloatArray, FrozenArrays, IntArray
from rr_engine.display.figures import Drawn, Lines, power_lines


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CheatingPower(FrozenArrays, Drawn):
    """Power of the test for cheaters by their share and by the number of respondents.

    Attributes
    ----------
    cheaters : ndarray of float, shape (m,)
    sizes : ndarray of int, shape (k,)
        Respondents of all groups together.
    powers : ndarray of float, shape (m, k)

    Examples
    --------
    >>> from rr_engine.designs import generalized_binary
    >>> from rr_engine.planning import power_cheating
    >>> groups = [generalized_binary(0.8, 1), generalized_binary(0.2, 1)]
    >>> found = power_cheating(groups, 0.3, [0, 0.1], [200, 500])
    >>> found.cheaters.tolist(), found.sizes.tolist(), found.powers.round(2).tolist()
    ([0.0, 0.1], [200, 500], [[0.05, 0.05], [0.59, 0.9]])
    """

    cheaters: FloatArray
    sizes: IntArray
    powers: FloatArray

    def _figure(self) -> Lines:
        labels = [f"{100 * share:g} % cheat" for share in self.cheaters.tolist()]
        lines = dict(zip(labels, self.powers.tolist(), strict=True))
        return power_lines(self.sizes.tolist(), lines)
