"""What an epsilon costs and gives, in words: the panel beside the field, and the budget bar."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.figures import draft_columns, epsilon_panel, guess_of, telling_shares
from surveys.devices.designs import SEARCHED, choice_of, question_epsilon_total
from surveys.engine_words import EngineError, refusal, refusal_words
from surveys.kinds import KINDS, categories
from surveys.models import Question
from surveys.parameters import CARDS
from surveys.parameters.budget import text_of
from surveys.parameters.exact import report_codes
from surveys.strength import hundredths
from surveys.strength_words import person_words, question_words

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
        figures = epsilon_panel(question, planned_n)
    except EngineError as error:
        return Panel(error=refusal_words(refusal(error)))
    with translation.override(language):
        odds = odds_sentence(question=question)
        watched = _watched(question)
    texts = {
        "odds": odds,
        "kept_label": _kept_label(question),
        "kept": _kept(figures["kept"], figures["kept_most"]),
        "strength": _strength(figures["odds"]),
        "factor": numbers.fixed(figures["odds"], 1) if figures["odds"] else _("no limit"),
        "needed": respondents(figures["n_for_margin"]),
        "margin": numbers.margin(figures["margin_at_planned_n"]),
        "effective": numbers.percent(figures["effective_share"]),
        "belief_label": _belief_label(question, watched, numbers.chosen_percent(figures["prior"])),
        "belief": numbers.percent(figures["posterior"]),
        "assumed": _assumed(question, numbers.chosen_percent(figures["prior"])),
        "planned": numbers.count(planned_n),
    }
    return Panel(figures, texts)


def _strength(factor: float | None) -> str:
    """What a report can give away; where some can prove an answer, the comparison says which."""
    return question_words(hundredths(math.log(factor))) if factor else ""


def _kept_label(question: Question) -> str:
    special = {CARDS: _("Cards that show the real answer"), SEARCHED: _("Chance of any one code")}
    return special.get(question.design, _("Answers kept as they are"))


def _belief_label(question: Question, answer: str, prior: str) -> str:
    text = {
        CARDS: _("Belief in “%(answer)s” after a card that shows it, from %(prior)s"),
        SEARCHED: _("Belief in “%(answer)s” after the code that says most for it, from %(prior)s"),
    }.get(question.design, _("Belief in “%(answer)s” after its code, from %(prior)s"))
    return text % {"answer": answer, "prior": prior}


def _assumed(question: Question, prior: str) -> str:
    if guess_of(question):
        return _("At the shares of the search, for the least certain answer, at 95 % confidence.")
    return _("For a true share of %s, at 95 %% confidence.") % prior


def odds_sentence(*, question: Question) -> str:
    """The natural frequencies in the words of the respondents' page (its ui/many.js)."""
    columns, telling = draft_columns(question), telling_shares(question)
    base = _crowd(telling)
    if len(columns) > 2:
        return _odds_of_many(question, telling, base)
    labels = _two_answers(question)
    return " ".join(
        _("Of %(people)s people whose real answer is “%(answer)s”: %(parts)s.")
        % {"people": numbers.count(base), "answer": label, "parts": _parts(_counts(column, base))}
        for label, column in zip(labels, columns, strict=True)
    )


def _odds_of_many(question: Question, telling: Sequence[float], base: int) -> str:
    least, most = round(min(telling) * base), round(max(telling) * base)
    values = {"people": base, "others": len(telling) - 1}
    values |= {"kept": least, "most": most, "changed": base - least}
    if question.design == SEARCHED:
        # Rounded up, so that it is true of every answer and every code.
        others = len(draft_columns(question)[0]) - 1
        values |= {"people": 100, "most": math.ceil(100 * max(telling)), "others": others}
    shown = {name: numbers.count(value) for name, value in values.items()}
    return _odds_text(question.design, span=least < most) % shown


def _odds_text(design: str, *, span: bool) -> str:
    if design == SEARCHED:
        return _(
            "Of %(people)s people with the same real answer, at most %(most)s send the same code; "
            "the others send one of the other %(others)s codes."
        )
    if design == CARDS:
        return _(
            "Of %(people)s people with the same real answer, %(kept)s draw a card that shows it "
            "and %(changed)s one that does not."
        )
    if span:
        return _(
            "Of %(people)s people with the same real answer, %(kept)s to %(most)s send its own "
            "code; the others send another one."
        )
    return _(
        "Of %(people)s people with the same real answer, %(kept)s send its own code and "
        "%(changed)s one of the other %(others)s codes."
    )


def _two_answers(question: Question) -> list[str]:
    if not KINDS[question.kind].several:
        return categories(question)
    return [_("not ticked"), _("ticked")]


def _counts(column: Sequence[float], base: int) -> list[int]:
    """Whole people that add up to all of them: what is left goes to the largest remainders."""
    shares = [share * base for share in column]
    whole = [int(share) for share in shares]
    order = sorted(range(len(shares)), key=lambda code: whole[code] - shares[code])
    for code in order[: base - sum(whole)]:
        whole[code] += 1
    return whole


def _parts(counts: Sequence[int]) -> str:
    sent = _("%(count)s send %(code)s")
    pairs = zip(counts, report_codes(len(counts)), strict=True)
    return ", ".join(sent % {"count": numbers.count(count), "code": code} for count, code in pairs)


def budget_of(*, questions: Iterable[Question], budget: Decimal) -> dict[str, Any]:
    """What the questions use of the survey's budget."""
    total = question_epsilon_total(questions)
    left = budget - total
    values = {"total": total, "budget": budget, "left": abs(left)}
    text = (
        _("%(total)s of %(budget)s used, %(left)s over the budget: it cannot be launched.")
        if left < 0
        else _("%(total)s of %(budget)s used, %(left)s left.")
    )
    return {
        "total": text_of(total) if total else "0",
        "budget": text_of(budget),
        "over": left < 0,
        "text": text % {name: numbers.decimal(value) for name, value in values.items()},
        "strength": person_words(total) if total else "",
    }


def respondents(count: int) -> str:
    return numbers.crowd(count, MOST_RESPONDENTS)


def _kept(least: float, most: float) -> str:
    return numbers.from_to(numbers.percent(least), numbers.percent(most))


def _watched(question: Question) -> str:
    """The answer that precision and belief are said of."""
    if KINDS[question.kind].several:
        per_option = choice_of(question).per_option
        return _("ticked") if per_option else categories(question)[0]
    labels = categories(question)
    return labels[1 if question.kind == "yes_no" or len(labels) == 2 else 0]


def _crowd(shares: Sequence[float]) -> int:
    for base in _CROWDS:
        if all(0 < round(share * base) < base for share in shares if 0 < share < 1):
            break
    return base
