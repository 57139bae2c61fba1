"""What a search has come to: whether anything is gained, and designs by what they are good for."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, inf
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.admin.figures.search_words import Point, Row, option_words, privacy_words
from surveys.admin.pages.workbench.points import device_words
from surveys.authoring.workbench.gain import (
    NOISE,
    Measures,
    breaks_bounds,
    closest,
    gained,
    is_more_precise,
    is_more_private,
    measures_now,
    picks_of,
)
from surveys.models import DesignSearch, Question

# Outcomes of a comparison with the device that the question has.
GAIN, NOTHING, BREAKS = "gain", "nothing", "breaks"


@dataclass(frozen=True, slots=True)
class Pick:
    """A design with the words for what it is good for; one may serve several purposes."""

    purposes: list[str]
    point: Point
    words: str


@dataclass(frozen=True, slots=True)
class Findings:
    """`rows`: the numbers of what the question has, and of what is compared with it.

    `gain`: the design that is better, if there is one. `missing`: the purposes that none serves.
    """

    outcome: str = ""
    sentence: str = ""
    rows: list[dict[str, str]] = field(default_factory=list)
    gain: Point | None = None
    picks: list[Pick] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def keep(self) -> bool:
        """Whether the author is told to keep what the question has."""
        return self.outcome == NOTHING

    @property
    def first(self) -> Point | None:
        """The design that is shown where none was chosen."""
        return self.gain or (self.picks[0].point if self.picks else None)


def findings_of(search: DesignSearch, question: Question, points: Sequence[Point]) -> Findings:
    """Return what the search has come to; empty until it has ended and where it found no design.

    Only designs that could be asked count: with an epsilon up to that of the site.
    """
    cap = float(settings.EPSILON_CAP)
    askable = [point for point in points if point.method and (point.row["epsilon"] or inf) <= cap]
    if not search.is_finished or not askable:
        return Findings()
    found = [Measures.of_member(point.row) for point in askable]
    now = measures_now(question, search.request)
    now = measures_now(question, search.request)
    picks, missing = _picks(askable, found, now, search.request)
    findings = Findings(picks=picks, missing=missing)
    if now is None:
        return findings
    row = {"name": _("What you have"), "words": f"{device_words(question)}: {_measure_words(now)}"}
    return _compared(replace(findings, rows=[row]), search, askable, found, now)


def _compared(
    findings: Findings,
    search: DesignSearch,
    points: Sequence[Point],
    found: Sequence[Measures],
    now: Measures,
) -> Findings:
    """Return the findings with what the comparison with the question's own device says."""
    best = gained(found, now)
    if best is not None:
        return replace(
            findings,
            outcome=GAIN,
            sentence=_gain_words(found[best], now, search.request["n"]),
            rows=[*findings.rows, _found_row(points[best])],
            gain=points[best],
        )
    if breaks_bounds(now, search.request):
        return replace(findings, outcome=BREAKS, sentence=_breaks_words(now, search.request))
    if search.state != DesignSearch.State.DONE:
        # A search that was stopped might still have found something.
        return replace(findings, rows=[])
    near = closest(found, now)
    return replace(
        findings,
        outcome=NOTHING,
        sentence=str(_NOTHING),
        rows=[*findings.rows, _found_row(None if near is None else points[near])],
    )


def _found_row(point: Point | None) -> dict[str, str]:
    words = str(_NONE_AS_PROTECTED) if point is None else option_words(point)
    return {"name": _("Found, giving away no more"), "words": words}


def _measure_words(each: Measures) -> str:
    row = {"privacy": each.privacy, "margin": each.margin, "epsilon": each.epsilon}
    return option_words(Point("", 0, "", row))


# --- sentences ------------------------------------------------------------------------------------


_NOTHING = gettext_lazy(
    "Nothing to gain: keep what you have. No design that was found is clearly more precise at the "
    "same protection, or clearly better protected at the same margin."
)
_NONE_AS_PROTECTED = gettext_lazy("None: every design that was found gives away more.")


def _gain_words(found: Measures, now: Measures, n: int) -> str:
    if is_more_precise(found, now):
        return _precision_words(found, now, n)
    if is_more_private(found, now):
        values = {"found": privacy_words(found.privacy), "now": privacy_words(now.privacy)}
        text = _(
            "Something to gain: at no larger margin the best guess of an answer is wrong %(found)s "
            "of the time instead of %(now)s."
        )
        return text % values
    values = {
        "found": numbers.epsilon_rounded_up(found.epsilon),
        "now": numbers.epsilon_rounded_up(now.epsilon),
    }
    return _("Something to gain: at no larger margin ε is %(found)s instead of %(now)s.") % values


def _precision_words(found: Measures, now: Measures, n: int) -> str:
    # Variances fall with the number of respondents.
    needed = ceil(n * (found.margin / now.margin) ** 2 - NOISE)
    values = {
        "found": numbers.margin(found.margin),
        "now": numbers.margin(now.margin),
        "n": numbers.count(n),
        "needed": numbers.count(needed),
    }
    if values["found"] == values["now"]:
        text = _(
            "Something to gain: %(now)s with %(needed)s respondents instead of %(n)s. The best "
            "guess of an answer is wrong at least as often, and ε is no larger."
        )
        return text % values
    text = _(
        "Something to gain: %(found)s instead of %(now)s with %(n)s respondents, or the same "
        "margin with %(needed)s of them. The best guess of an answer is wrong at least as often, "
        "and ε is no larger."
    )
    return text % values


def _breaks_words(now: Measures, request: Row) -> str:
    delta, epsilon = request["delta"], request["epsilon"]
    values = {
        "belief": numbers.percent(now.worst_posterior, 1),
        "delta": numbers.chosen_percent(delta),
        "epsilon": numbers.epsilon_rounded_up(now.epsilon),
    }
    if now.worst_posterior > float(delta) + NOISE:
        text = _(
            "What you have gives away more than this search allowed: after one report somebody may "
            "be %(belief)s sure of an answer, and %(delta)s is the most that was asked for. The "
            "designs below keep to it."
        )
        return text % values
    text = _(
        "What you have gives away more than this search allowed: its ε is %(epsilon)s, and "
        "%(most)s is the most that was asked for. The designs below keep to it."
    )
    return text % {**values, "most": numbers.decimal(epsilon)}


# --- designs by what they are good for ------------------------------------------------------------


def _picks(
    points: Sequence[Point], found: Sequence[Measures], now: Measures | None, request: Row
) -> tuple[list[Pick], list[str]]:
    epsilon = _epsilon_of(now, request)
    picks = picks_of(found, epsilon, now.margin if now else None)
    epsilon_text = numbers.epsilon_rounded_up(epsilon)
    margin_text = numbers.margin(now.margin) if now else ""
    purposes = [
        (picks.precise, _("The most precise with ε %s at most") % epsilon_text),
        (picks.protective, _("The best protected with %s at most") % margin_text),
        (picks.between, _("Between the two, where the front bends")),
    ]
    missing = []
    if picks.precise is None:
        missing.append(_("No design that was found has an ε of %s at most.") % epsilon_text)
    elif now and picks.protective is None:
        text = _("No design that was found is as precise as what you have, %s.")
        missing.append(text % margin_text)
    served: dict[int, list[str]] = {}
    for place, purpose in purposes:
        if place is not None:
            served.setdefault(place, []).append(purpose)
    chosen = [
        Pick(words, points[place], option_words(points[place])) for place, words in served.items()
    ]
    return chosen, missing


def _epsilon_of(now: Measures | None, request: Row) -> float:
    """The epsilon of the question, or that of the search where it allowed less."""
    limits: list[Any] = [now.epsilon if now else None, request["epsilon"]]
    return min([float(limit) for limit in limits if limit], default=float(settings.EPSILON_CAP))
