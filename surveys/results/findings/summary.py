"""The summary of a release: a row for each question, with its sentence, on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from django.utils.safestring import SafeString

from surveys.results.findings.finding import Finding, Headline
from surveys.results.findings.strips import Axis, axis_svg, share_axis, strip_svg

NAME = "summary"


class Found(Protocol):
    @property
    def key(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def part(self) -> str: ...

    @property
    def common(self) -> str: ...

    @property
    def own(self) -> str: ...

    @property
    def randomized(self) -> bool: ...

    @property
    def finding(self) -> Finding: ...


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """`part`: the title of the part of the survey that begins with it, if one does. `common`: the
    text that it has in common with those below it, if it is the first of them; `own`: the rest.

    `low`, `high`: the ends of an axis of its own, which a mean has; of shares they are empty.
    """

    key: str
    text: str
    part: str
    common: str
    own: str
    randomized: bool
    sentence: str
    headline: Headline | None
    strip: SafeString | str
    low: str = ""
    high: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """`scale`: of all shares, drawn as `axis`; None without any."""

    scale: Axis | None
    axis: SafeString | str
    rows: Sequence[SummaryRow]

    @property
    def parts(self) -> list[SummaryRow]:
        """The rows with which a part of the survey begins that has a title."""
        return [row for row in self.rows if row.part]


def summary_of(questions: Sequence[Found]) -> Summary:
    """All shares are on one axis; a mean is on the range of its question, with its ends named."""
    headlines = [question.finding.headline for question in questions]
    shares = [one.marks for one in headlines if one is not None and one.axis is None]
    axis = share_axis(shares) if shares else None
    return Summary(
        scale=axis,
        axis=axis_svg(axis, NAME) if axis else "",
        rows=[_row(question, axis) for question in questions],
    )


def _row(question: Found, shares: Axis | None) -> SummaryRow:
    finding = question.finding
    row = SummaryRow(
        key=question.key,
        text=question.text,
        part=question.part,
        common=question.common,
        own=question.own,
        randomized=question.randomized,
        sentence=finding.sentences[0],
        headline=finding.headline,
        strip="",
    )
    headline = finding.headline
    if headline is None:
        return row
    axis = headline.axis
    if axis is None:
        return replace(row, strip=strip_svg(shares, headline.marks, NAME)) if shares else row
    strip = strip_svg(axis, headline.marks)
    low, high = axis.ends
    return replace(row, strip=strip, low=low, high=high)
