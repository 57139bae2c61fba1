"""The result of a test fill: the chosen truth beside the estimates from randomized reports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.networks.panel import STATISTICS
from surveys.authoring.networks.texts import statistic_span, statistic_text
from surveys.authoring.planning.simulated_networks import SimulatedNetwork
from surveys.kinds.ranking import true_mean_ranks
from surveys.results.kinds.network_presentation import NAMES
from surveys.results_document.document import Results
from surveys.results_document.kinds import Candidate, NetworkResults, Number, RankingResults
from surveys.results_document.questions import Category, QuestionResults


@dataclass(frozen=True, slots=True)
class Row:
    """One category, in percent."""

    label: str
    truth: float
    estimate: float
    low: float
    high: float
    reported: float | None  # None if no single report stands for the category
    # Of a mean, in the units of the number: truth, estimate and interval.
    in_units: tuple[str, str, str] | None = None

    @property
    def is_covered(self) -> bool:
        return self.low <= self.truth <= self.high

    @property
    def truth_text(self) -> str:
        return self.in_units[0] if self.in_units else numbers.percent(self.truth / 100, 1)

    @property
    def estimate_text(self) -> str:
        return self.in_units[1] if self.in_units else numbers.percent(self.estimate / 100, 1)

    @property
    def interval_text(self) -> str:
        if self.in_units:
            return self.in_units[2]
        ends = (numbers.fixed_decimals(end, 1) for end in (self.low, self.high))
        return numbers.with_percent_sign(numbers.from_to(*ends))


@dataclass(frozen=True, slots=True)
class NetworkRow:
    """One statistic of a network, in its own units."""

    label: str
    truth_text: str
    estimate_text: str
    interval_text: str
    is_covered: bool


@dataclass(frozen=True, slots=True)
class Block:
    """One question; of one about members `network` has the statistics of its network."""

    name: str
    text: str
    randomized: bool
    epsilon: str | None
    rows: list[Row]
    network: list[NetworkRow]


@dataclass(frozen=True, slots=True)
class Recovery:
    respondents: int
    blocks: list[Block]

    @property
    def respondents_text(self) -> str:
        return numbers.count(self.respondents)

    @property
    def intervals(self) -> int:
        return sum(len(block.rows) + len(block.network) for block in self.blocks)

    @property
    def covered_count(self) -> int:
        rows = sum(row.is_covered for block in self.blocks for row in block.rows)
        return rows + sum(row.is_covered for block in self.blocks for row in block.network)

    @property
    def has_pictures(self) -> bool:
        return any(block.rows for block in self.blocks)

    @property
    def low(self) -> float:
        """Left end of the common axis: 0, or further left where an interval reaches there."""
        return min([0.0, *(row.low for block in self.blocks for row in block.rows)])

    @property
    def high(self) -> float:
        return max([100.0, *(row.high for block in self.blocks for row in block.rows)])

    @property
    def view_box(self) -> str:
        """The view box of a row: one unit for each percent, ten units high."""
        return f"{self.low - 1:.3f} 0 {self.high - self.low + 2:.3f} 10"


def recovery_of(
    results: Results,
    truth: Mapping[str, Sequence[float]],
    networks: Mapping[str, SimulatedNetwork] | None = None,
) -> Recovery:
    """`networks`: the true ones, of questions about members."""
    return Recovery(
        respondents=results.responses,
        blocks=[
            _block(question, truth[question.id], (networks or {}).get(question.id))
            for question in results.questions
        ],
    )


def _block(
    question: QuestionResults, shares: Sequence[float], network: SimulatedNetwork | None
) -> Block:
    return Block(
        name=question.id,
        text=question.text,
        randomized=question.randomized,
        epsilon=numbers.decimal(question.epsilon) if question.epsilon else None,
        rows=_rows(question, shares) if network is None else [],
        network=list(_of_network(question.network, network)) if network else [],
    )


def _rows(question: QuestionResults, shares: Sequence[float]) -> list[Row]:
    if question.ranking:
        return list(_of_ranks(question.ranking, shares))
    shown = _rows_with_shares(question)
    if not shown:
        return [_of_mean(question.number, shares[1])]
    return [
        Row(
            label=category.label,
            truth=100 * share,
            estimate=100 * _told(category.estimate),
            low=100 * _told(category.interval[0]),
            high=100 * _told(category.interval[1]),
            reported=_percent(getattr(category, "reported_share", None)),
        )
        for category, share in zip(shown, shares, strict=True)
    ]


def _of_network(network: NetworkResults, true: SimulatedNetwork) -> Iterator[NetworkRow]:
    """The statistics of the results that have a margin in the panel.

    Without ties there are no shares of them.
    """
    found, truths = {row.name: row for row in network.statistics}, true.truths()
    for name in STATISTICS:
        truth = float(getattr(truths, name).value) if name in found else nan
        if isnan(truth):
            continue
        row = found[name]
        low, high = map(_told, row.interval)
        margin = (high - low) / 2
        yield NetworkRow(
            label=str(NAMES[name]),
            truth_text=statistic_text(name, truth, margin),
            estimate_text=statistic_text(name, row.estimate, margin),
            interval_text=statistic_span(name, (low, high), margin),
            is_covered=low <= truth <= high,
        )


def _rows_with_shares(question: QuestionResults) -> Sequence[Category | Candidate]:
    """The answers, or the candidates of a text, whose shares are estimated."""
    return question.texts.candidates if question.texts else question.categories


def _of_mean(number: Number, share: float) -> Row:
    """The mean as a part of the way from the lowest number to the highest."""
    mean, (lower, upper) = number.mean, (number.lower, number.upper)
    digits = numbers.digits_of_error(mean.standard_error)

    def placed(value: float | None) -> float:
        return 100 * (_told(value) - lower) / (upper - lower)

    return Row(
        label=_("Mean"),
        truth=100 * share,
        estimate=placed(mean.estimate),
        low=placed(mean.interval[0]),
        high=placed(mean.interval[1]),
        reported=None,
        in_units=(
            f"{numbers.fixed_decimals(lower + share * (upper - lower), digits)} {number.unit}",
            numbers.fixed_decimals(mean.estimate, digits),
            numbers.span(mean.interval, digits),
        ),
    )


def _of_ranks(ranking: RankingResults, shares: Sequence[float]) -> Iterator[Row]:
    """The mean ranks as parts of the way from the first rank to the last."""
    last = len(ranking.means)

    def placed(value: float | None) -> float:
        return 100 * (_told(value) - 1) / (last - 1)

    for row, true in zip(ranking.means, true_mean_ranks(shares[:last]), strict=True):
        digits = numbers.digits_of_error(row.standard_error)
        yield Row(
            label=row.label,
            truth=placed(true),
            estimate=placed(row.estimate),
            low=placed(row.interval[0]),
            high=placed(row.interval[1]),
            reported=None,
            in_units=(
                numbers.fixed_decimals(true, digits),
                numbers.fixed_decimals(row.estimate, digits),
                numbers.span(row.interval, digits),
            ),
        )


def _told(value: float | None) -> float:
    """Return a number that no threshold holds back, and that the reports of a test fill tell."""
    if value is None:
        raise ValueError("the reports do not tell a number of a test fill")
    return value


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
