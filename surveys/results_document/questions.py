"""The results of a question."""

from typing import Any, ClassVar

import msgspec

from surveys.results_document.devices import Certificate, UsedDevice
from surveys.results_document.kinds import NetworkResults, Number, RankingResults, Texts
from surveys.results_document.parts import (
    ABSENT,
    Derived,
    HypothesisTest,
    Interval,
    Notes,
    Part,
    Told,
)


class Category(Part, frozen=True, kw_only=True):
    """An answer: its share, the raw reports of it, and what made-up reports would do.

    `maximum_likelihood`: None where bits of reports are counted one by one. `reported`: None where
    several devices have been used, or no report stands for the answer.
    """

    label: str
    estimate: float | None
    standard_error: float | None
    interval: Interval
    interval_50: Interval
    confidence_sequence: Interval
    maximum_likelihood: float | None
    fake_weight: float | None
    fakes: float | None
    reported: int | None
    reported_share: float | None


class ScaleMean(Derived, frozen=True, kw_only=True):
    """The mean of the scores of a scale, from the lowest to the highest of them."""

    lowest: int
    highest: int

    @property
    def reach(self) -> int:
        """Return how far any two means can lie apart."""
        return self.highest - self.lowest


class QuestionResults(Part, frozen=True, kw_only=True):
    """`n`: the people in its estimates; `suppressed`: those whose device too few have used.

    `joint_device`: the one that it shares with others. `number`, `texts`, `ranking`, `network`: of
    kinds that have such answers. A feature that finds something of a question adds a key of its
    own, which is absent of all other questions: see `result_types`.
    """

    few: ClassVar[str] = "below_threshold"

    id: Told[str]
    text: Told[str]
    kind: Told[str]
    randomized: Told[bool]
    labels: Told[tuple[str, ...]]
    joint_device: Told[str | None] = msgspec.field(name="in_group")
    epsilon: Told[str | None]
    delta: Told[str]
    n: int
    suppressed: int
    devices: Told[tuple[UsedDevice, ...]]
    certificate: Told[Certificate | None]
    categories: tuple[Category, ...] = ()
    effective_n: float | None = ABSENT
    mean: ScaleMean | None = ABSENT
    entropy: Derived | None = ABSENT
    agreement: HypothesisTest | None = ABSENT
    number: Number = ABSENT
    texts: Texts = ABSENT
    ranking: RankingResults = ABSENT
    notes: Notes
    network: NetworkResults = ABSENT

    def section(self, key: str) -> Any:
        """Return what a feature found of the question, by its key; None where it found nothing."""
        return getattr(self, key) or None
