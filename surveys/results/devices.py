"""The devices of a question as the results page explains them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.engine_bridge.designs import SEARCHED
from surveys.kinds import KINDS
from surveys.parameters import PAGE

# A larger table is named and not printed: nobody reads one, and it is in the parameters.
LARGEST = 14


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """What one report has of chance from each true answer."""

    report: str
    shares: list[str]
    integers: list[int]
    sent: str | None  # how many sent it; None where too few people used the device


@dataclass(frozen=True, slots=True)
class CardRow:
    """One card: its letter, what it shows, and the chance of it with a real answer on it or not."""

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
    labels: list[str]
    cards: list[CardRow]
    matrix: list[MatrixRow]
    denominator: int


def device_views(question: Mapping[str, Any]) -> list[DeviceView]:
    """One for each different table; options of a multiple choice mostly share theirs."""
    shown: dict[Any, list[Mapping[str, Any]]] = {}
    for device in question["devices"]:
        key = (device["stratum"], str(device["columns"]), device["denominator"])
        shown.setdefault(key, []).append(device)
    return [_device(question, alike) for alike in shown.values()]


def _device(question: Mapping[str, Any], alike: list[Mapping[str, Any]]) -> DeviceView:
    device = alike[0]
    labels = _labels(question, device)
    return DeviceView(
        heading=_heading(device, len(alike)),
        words=_words(question, device),
        epsilon=numbers.epsilon(device["epsilon"] or "0"),
        delta=numbers.decimal(device["delta"]) if device["delta"] else None,
        n=numbers.count(device["n"]),
        labels=labels,
        cards=_cards(labels, device) if device["shows"] else [],
        matrix=_matrix(alike) if 0 < len(labels) <= LARGEST else [],
        denominator=device["denominator"],
    )


def _heading(device: Mapping[str, Any], alike: int) -> str:
    if device["stratum"] != PAGE:
        return _("A device of the respondent's own")
    if device["option"] is not None:
        return _("One device for each of the %(count)s answers, all alike") % {
            "count": numbers.count(alike)
        }
    return _("The page's device")


def _words(question: Mapping[str, Any], device: Mapping[str, Any]) -> str:
    if KINDS[question["kind"]].several and len(device["columns"]) > 2:
        kept, other = device["columns"][0][:2]
        return _(
            "Chance keeps the whole set of ticks (%(kept)s) or sends one of the %(count)s other "
            "sets (each %(other)s)."
        ) % {
            "kept": numbers.percent(kept / device["denominator"], 2),
            "other": numbers.percent(other / device["denominator"], 2),
            "count": numbers.count(len(device["columns"]) - 1),
        }
    if device["shows"]:
        return _card_words(device)
    words = WORDS.get(device["family"])
    return words() if words else device["family"]


def _card_words(device: Mapping[str, Any]) -> str:
    return _(
        "Chance draws one of %(cards)s cards, more often one that shows the real answer. The card "
        "is the report: it shows several of the %(count)s answers, and nothing says which of them "
        "is meant, or whether it is one of them at all."
    ) % {
        "cards": numbers.count(len(device["reports"])),
        "count": numbers.count(len(device["columns"])),
    }


def _labels(question: Mapping[str, Any], device: Mapping[str, Any]) -> list[str]:
    """Of the real answers; combinations of ticks are too many to be named."""
    if not KINDS[question["kind"]].several:
        return question["labels"]
    return [_("not ticked"), _("ticked")] if len(device["columns"]) == 2 else []


def _cards(labels: Sequence[str], device: Mapping[str, Any]) -> list[CardRow]:
    """The deck in the order of its letters."""
    counts, whole = device["counts"], device["denominator"]
    rows = zip(
        device["reports"], device["shows"], zip(*device["columns"], strict=True), strict=True
    )
    return [
        CardRow(
            report=report,
            answers=[labels[answer] for answer in shown],
            # But for rounding to integers a card has one chance from all answers on it.
            on=numbers.percent(max(entries) / whole, 2),
            off=numbers.percent(min(entries) / whole, 2),
            sent=None if counts is None else numbers.count(counts[code]),
        )
        for code, (report, shown, entries) in enumerate(rows)
    ]


def _matrix(alike: list[Mapping[str, Any]]) -> list[MatrixRow]:
    """Rows are reports and columns true answers, as in P[u, v]; a column sums to 100 %."""
    device = alike[0]
    counts = device["counts"] if len(alike) == 1 else None
    rows = zip(device["reports"], zip(*device["columns"], strict=True), strict=True)
    return [
        MatrixRow(
            report=report,
            shares=[numbers.percent(part / device["denominator"], 2) for part in integers],
            integers=list(integers),
            sent=None if counts is None else numbers.count(counts[code]),
        )
        for code, (report, integers) in enumerate(rows)
    ]


WORDS = {
    "k_rr": lambda: _("Chance keeps the answer or picks another, all others equally likely."),
    "direct": lambda: _("The answer is sent as it is."),
    "laplace": lambda: _(
        "Chance adds a number to the answer's place in its order and rounds to the nearest answer, "
        "so that near answers are sent more often than far ones."
    ),
    "optimal_binary": lambda: _(
        "A device for a rare trait: it scrambles one answer more than the other. One of the "
        "reports can give a person away, with a chance of at most delta."
    ),
    SEARCHED: lambda: _(
        "This table was searched for the question before launch: of all tables with the same "
        "privacy it makes the error small for the shares that were guessed. Its reports stand for "
        "no answer; each is likelier from some answers than from others."
    ),
    "forced_choice": lambda: _(
        "A coin, dice or digit decides: answer truthfully, or send the report that it names."
    ),
    "crosswise": lambda: _(
        "Two questions in one: the report only says whether the answers to the sensitive question "
        "and to a harmless one, whose distribution is known, are the same."
    ),
}
