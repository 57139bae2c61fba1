"""What an epsilon costs and gives, in words: the panel beside the field, and the budget bar."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from surveys import engine_bridge
from surveys.engine_bridge.designs import report_codes
from surveys.kinds import categories
from surveys.models import Question

MOST_RESPONDENTS = 10_000_000
# The smallest crowd in which everything that can happen happens to somebody.
_CROWDS = (100, 1_000, 10_000)


@dataclass(frozen=True, slots=True)
class Panel:
    """Figures as the engine has them, texts as people read them, or what is wrong."""

    figures: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    error: str = ""


def panel_of(*, question: Question, planned_n: int, language: str) -> Panel:
    """The panel of one draft question; the odds are in the respondents' language."""
    try:
        figures = engine_bridge.epsilon_panel(question, planned_n)
    except engine_bridge.EngineError as error:
        return Panel(error=str(error))
    with translation.override(language):
        odds = odds_sentence(question=question, kept=figures["kept"])
        watched = _watched(question)[1]
    texts = {
        "odds": odds,
        "kept": percent(figures["kept"]),
        "factor": _rounded(figures["odds"], 1),
        "needed": _respondents(figures["n_for_margin"]),
        "margin": _margin(figures["margin_at_planned_n"]),
        "effective": percent(figures["effective_share"]),
        "belief": percent(figures["posterior"]),
        "answer": watched,
        "planned": number_format(planned_n, force_grouping=True),
    }
    return Panel(figures, texts)


def odds_sentence(*, question: Question, kept: float) -> str:
    """The natural frequencies in the words of the respondents' page (ui/frequencies.js)."""
    base, same = _frequency(kept)
    labels = categories(question)
    codes = report_codes(len(labels))
    if len(labels) > 2:
        return _(
            "Of %(people)s people with the same real answer, %(kept)s send its own code and "
            "%(changed)s one of the other %(others)s codes."
        ) % {"people": base, "kept": same, "changed": base - same, "others": len(labels) - 1}
    counts = ((same, base - same), (base - same, same))
    return " ".join(
        _("Of %(people)s people whose real answer is “%(answer)s”: %(parts)s.")
        % {"people": base, "answer": label, "parts": _parts(column, codes)}
        for label, column in zip(labels, counts, strict=True)
    )


def _parts(column: Iterable[int], codes: Iterable[str]) -> str:
    sent = _("%(count)s send %(code)s")
    return ", ".join(
        sent % {"count": count, "code": code} for count, code in zip(column, codes, strict=True)
    )


def budget_of(*, questions: Iterable[Question], budget: Decimal) -> dict[str, Any]:
    """What the questions use of the survey's budget."""
    total = engine_bridge.question_epsilon_total(questions)
    left = budget - total
    values = {"total": _plain(total), "budget": _plain(budget), "left": _plain(abs(left))}
    text = (
        _("%(total)s of %(budget)s used, %(left)s over the budget: it cannot be launched.")
        if left < 0
        else _("%(total)s of %(budget)s used, %(left)s left.")
    )
    return {
        "total": engine_bridge.epsilon_text(total) if total else "0",
        "budget": engine_bridge.epsilon_text(budget),
        "over": left < 0,
        "text": text % values,
    }


def percent(share: float) -> str:
    """Whole percent, with a decimal where it tells more: near 0 and near 100."""
    value = 100 * share
    places = 0 if 20 <= value < 99.5 else 1
    if 0 < value < 0.05:
        return _("under %s %%") % number_format(0.1, 1)
    if 99.95 <= value < 100:
        return _("over %s %%") % number_format(99.9, 1)
    return f"{_rounded(value, places)} %"


def _rounded(value: float, places: int) -> str:
    """`number_format` alone cuts digits off."""
    return number_format(round(value, places), places, force_grouping=True)


def _watched(question: Question) -> tuple[int, str]:
    index = 1 if question.kind == "yes_no" else 0
    return index, categories(question)[index]


def _frequency(kept: float) -> tuple[int, int]:
    for base in _CROWDS:
        same = round(kept * base)
        if 0 < same < base:
            break
    return base, same


def _respondents(count: int) -> str:
    if count > MOST_RESPONDENTS:
        return _("over %s") % number_format(MOST_RESPONDENTS, force_grouping=True)
    return number_format(count, force_grouping=True)


def _margin(margin: float) -> str:
    points = 100 * margin
    if points >= 100:
        return _("over 100 points")
    return _("± %s points") % _rounded(points, 1)


def _plain(epsilon: Decimal) -> str:
    return number_format(engine_bridge.epsilon_text(epsilon) if epsilon else "0")
