"""The devices of a question as the results page explains them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.devices import served_family
from surveys.features import FEATURES
from surveys.kinds import KINDS, option_labels
from surveys.parameters import PAGE, Bits, Bloom, Ranking, Ties, coded, columns_of
from surveys.parameters.tables import Coded, Linear
from surveys.results_document.devices import UsedDevice
from surveys.results_document.questions import QuestionResults

# A larger table is not printed; it can be read in the parameters.
LARGEST = 14


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """The probability of one report given each true answer."""

    report: str
    shares: list[str]
    integers: list[int]
    sent: str | None  # how many sent it; None if too few people used the device


@dataclass(frozen=True, slots=True)
class CardRow:
    """One card: its letter, its answers, and its probability given a true answer on it or not."""

    report: str
    answers: list[str]
    on: str
    off: str
    sent: str | None


@dataclass(frozen=True, slots=True)
class DeviceView:
    heading: str
    words: str
    epsilon: str
    delta: str | None
    n: str
    labels: Sequence[str]
    cards: list[CardRow]
    matrix: list[MatrixRow]
    denominator: int
    is_of_bits: bool = False  # its words say all of it
    is_margin: bool = False  # of a device that covers several questions


def device_views(question: QuestionResults) -> list[DeviceView]:
    """One view for each distinct table; the options of a multiple choice usually share one.

    Where some people are asked a sensitive question directly, nothing is scrambled for them.
    """
    tables: dict[Any, list[UsedDevice]] = {}
    for device in question.devices:
        if question.randomized and device.epsilon is None:
            continue
        key = (device.source, device.stratum, str(device.table))
        tables.setdefault(key, []).append(device)
    return [_device(question, devices) for devices in tables.values()]


def _device(question: QuestionResults, devices: list[UsedDevice]) -> DeviceView:
    device = devices[0]
    table = device.table
    uncoded = isinstance(table, Bits | Bloom | Ties | Ranking)
    labels = [] if uncoded else _labels(question, device)
    return DeviceView(
        heading=_heading(question, device, len(devices)),
        words=served_family(device.family).explanation(device),
        epsilon=numbers.epsilon(device.epsilon or "0"),
        delta=numbers.decimal(device.delta) if device.delta else None,
        n=numbers.count(device.n),
        labels=labels,
        cards=_cards(labels, coded(table), device.shows, device.counts) if device.shows else [],
        matrix=_matrix(coded(table), devices) if 0 < len(labels) <= LARGEST else [],
        denominator=table.denominator
        if isinstance(table, Bits | Bloom | Ties | Ranking)
        else coded(table).denominator,
        is_of_bits=isinstance(table, Bits | Bloom | Ties),
        is_margin=device.margin,
    )


def _heading(question: QuestionResults, device: UsedDevice, count: int) -> str:
    if device.margin and device.stratum == PAGE:
        return _("The page's device for these questions together")
    if device.margin:
        return _("The page's device for the pair %s") % device.stratum
    parts = [feature.results for feature in FEATURES.values()]
    if own := "".join(part.device_heading(question, device) for part in parts):
        return own
    if device.stratum != PAGE:
        return _("A device of the respondent's own")
    if device.option is not None:
        return _("One device for each of the %(count)s answers, all alike") % {
            "count": numbers.count(count)
        }
    if device.source:
        return _("The page's device in wave %s") % device.source
    return _("The page's device")


def _labels(question: QuestionResults, device: UsedDevice) -> Sequence[str]:
    """The labels of the true answers; combinations of ticks are too many to be named."""
    if not KINDS[question.kind].several:
        return question.labels
    return option_labels() if device.option is not None else []


def _cards(
    labels: Sequence[str],
    table: Coded,
    shown: Sequence[Sequence[int]],
    counts: Sequence[int] | None,
) -> list[CardRow]:
    """The cards in the order of their letters."""
    rows = zip(table.reports, shown, zip(*columns_of(table), strict=True), strict=True)
    return [
        CardRow(
            report=report,
            answers=[labels[answer] for answer in shows],
            # But for rounding to integers a card is equally probable given any answer on it.
            on=numbers.percent(max(entries) / table.denominator, 2),
            off=numbers.percent(min(entries) / table.denominator, 2),
            sent=None if counts is None else numbers.count(counts[code]),
        )
        for code, (report, shows, entries) in enumerate(rows)
    ]


def _matrix(table: Coded, devices: list[UsedDevice]) -> list[MatrixRow]:
    """Rows are reports and columns true answers, as in P[u, v]; a column sums to 100 %."""
    counts = devices[0].counts if len(devices) == 1 else None
    shown = table.ends if isinstance(table, Linear) else table
    rows = zip(shown.reports, zip(*columns_of(shown), strict=True), strict=True)
    return [
        MatrixRow(
            report=report,
            shares=[numbers.percent(part / table.denominator, 2) for part in integers],
            integers=list(integers),
            sent=None if counts is None else numbers.count(counts[code]),
        )
        for code, (report, integers) in enumerate(rows)
    ]
