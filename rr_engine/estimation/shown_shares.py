"""How an estimate is shown: its shares with their intervals, and what made the reports."""

from typing import Any

from rr_engine.display.description import Description, Table, known
from rr_engine.display.figures import Drawn, Intervals
from rr_engine.display.reading import told

# Categories up to which a summary has intervals: of more they take long.
MOST_INTERVALS = 200


class ShownShares(Drawn):
    """The part of an :class:`rr_engine.Estimate` that shows it."""

    __slots__ = ()

    def _described(self: Any) -> Description:
        facts = {
            "n": self.n,
            "epsilon": self.design.epsilon,
            "method": self.method,
            "population": self.population,
        }
        return told(self, facts, self._table())

    def _table(self: Any) -> Table:
        size = len(self.proportions)
        labels = getattr(self.design, "truth_labels", ()) or range(size)
        ends = self.interval() if size <= MOST_INTERVALS else None
        found = self.proportions, self.standard_errors
        return known("category", labels, "proportion", found, ends)

    def _figure(self: Any) -> Intervals:
        axis = "Share of the true answers, with its interval of 95 %"
        return Intervals.of(self._table(), axis, f"Estimates from {self.n} reports")
