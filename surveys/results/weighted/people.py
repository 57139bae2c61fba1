"""The people of a release with their weights, and what is estimated from one column of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

import rr_engine
from rr_engine.regression.report_likelihoods import NO_REPORT
from surveys.engine_words import EngineError
from surveys.kinds.estimates import number, share_of
from surveys.results.regression.frame import Frame
from surveys.results_document.document import Recoding
from surveys.results_document.weighted import WeightedShare

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
UNKNOWN = WeightedShare(estimate=None, standard_error=None, interval=(None, None), fixed=False)


@dataclass(frozen=True, slots=True, eq=False)
class ColumnReports:
    """One column, a row a person: the report, -1 without one, and the device that it came from.

    `answers`: the original answers that each true answer stands for. Of a direct question rare ones
    are together, and the reports are those answers.
    """

    designs: tuple[rr_engine.channels.Channel, ...]
    codes: Codes
    devices: Codes
    answers: Recoding
    direct: bool

    @property
    def n(self) -> int:
        return int((self.codes != NO_REPORT).sum())

    def sizes(self) -> Codes:
        """How many people have each report."""
        return np.bincount(self.codes[self.codes != NO_REPORT], minlength=len(self.answers))

    def scores(self) -> rr_engine.sampling.ReportScores:
        return rr_engine.sampling.report_scores(self.designs, self.codes, self.devices)

    def of(self, people: npt.NDArray[np.bool_]) -> "ColumnReports":
        """The reports of some people, without answers to a direct question that nobody gave."""
        codes = np.where(people, self.codes, NO_REPORT)
        if not self.direct:
            return ColumnReports(self.designs, codes, self.devices, self.answers, self.direct)
        kept = np.flatnonzero(np.bincount(codes[codes != NO_REPORT], minlength=len(self.answers)))
        levels = np.full(len(self.answers) + 1, NO_REPORT)
        levels[kept] = np.arange(len(kept))
        return direct_reports(levels[codes], self.devices, [self.answers[place] for place in kept])


def direct_reports(codes: Codes, devices: Codes, answers: Recoding) -> ColumnReports:
    """The reports of a direct question, whose codes are numbers of its answers after recoding."""
    design = rr_engine.designs.direct(max(len(answers), 2))
    designs = (design,) * (int(devices.max(initial=0)) + 1)
    return ColumnReports(designs, codes, devices, answers, direct=True)


@dataclass(frozen=True, slots=True, eq=False)
class WeightedPeople:
    """`recodings`: of the direct questions of the release, by name."""

    frame: Frame
    sample: rr_engine.sampling.CalibratedSample
    recodings: Mapping[str, Recoding]
    threshold: int

    def reports(self, name: str) -> ColumnReports:
        column = self.frame.column(name)
        rows = self.frame.each(self.frame.rows[:, self.frame.place(name)])
        devices, codes = rows[:, 0], rows[:, 1]
        size = len(column.question.categories) if column.option is None else 2
        answers = [[code] for code in range(size)]
        if not column.direct:
            return ColumnReports(column.channels, codes, devices, answers, direct=False)
        answers = self.recodings.get(name, answers)
        levels = np.full(size + 1, NO_REPORT)
        for level, together in enumerate(answers):
            levels[together] = level
        return direct_reports(levels[codes], devices, answers)

    def proportions(self, reports: ColumnReports) -> rr_engine.sampling.WeightedProportions | None:
        """The shares of the answers; None where they would be about a few people, or of one."""
        if reports.n < self.threshold or len(reports.answers) < 2:
            return None
        if reports.direct and self.is_few(reports.sizes()):
            return None
        try:
            return rr_engine.estimate_weighted(
                reports.designs, reports.codes, self.sample, reports.devices
            )
        except EngineError:
            return None

    def is_few(self, people: Codes) -> bool:
        """Whether some of these numbers of people is below the release threshold, and not none."""
        return bool(((people > 0) & (people < self.threshold)).any())


def weighted_share(value: float, error: float, interval: Floats) -> WeightedShare:
    """A share; unknown where the reports do not tell it."""
    if number(error) is None:
        return UNKNOWN
    return WeightedShare(**share_of(value, error, interval), fixed=False)


def fixed_share(value: float) -> WeightedShare:
    """A number that the margins give: it was not estimated, so that it has no error."""
    return replace(UNKNOWN, estimate=number(value), fixed=True)


def possible_share(share: WeightedShare) -> WeightedShare:
    """A share of what was sent as it is, whose interval ends where the shares do."""
    low, high = share.interval
    ends = (low and min(max(low, 0.0), 1.0), high and min(max(high, 0.0), 1.0))
    return replace(share, interval=ends)
