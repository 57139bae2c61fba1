"""A finding: its sentences, its figures, and the number that the summary draws of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from surveys.languages import with_isolated
from surveys.results.findings.figures import LAST, Figure
from surveys.results.findings.strips import Axis, Marks


@dataclass(frozen=True, slots=True)
class Headline:
    """The number of the first sentence, as the summary draws it; `low`, `high`: its own axis."""

    marks: Marks
    axis: Axis | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """`size`: the share of its sentence, by which findings can be sorted."""

    sentences: Sequence[str]
    figures: Sequence[Figure] = ()
    headline: Headline | None = None
    weighted: bool = False
    size: float = LAST

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentences", list(map(with_isolated, self.sentences)))
