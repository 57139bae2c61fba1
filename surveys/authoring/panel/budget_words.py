"""A proposal for a survey's budget in words, as the page shows it."""

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.authoring.budget_advice import Advice, is_coarse, people_for
from surveys.authoring.budget_split import Proposal, Share, value_of
from surveys.authoring.limits import COARSE_MARGIN
from surveys.authoring.panel.number_words import margin_words
from surveys.parameters.budget import text_of


def proposal_answer(advice: Advice) -> dict[str, Any]:
    """The proposal as plain JSON types.

    `fields` is what is written into the field of each question of a row, empty where it stays as it
    is; `budget` what is written into that of the budget, empty where it suffices. `confirm` is what
    its author says before anything becomes less precise, and `exits` what would not do that.
    """
    proposal = advice.proposal
    over = proposal.total > proposal.plan.budget
    return {
        "rows": [_row(share, advice) for share in proposal.shares],
        **_costs(advice),
        "summary": _summary(proposal),
        "total": _total(proposal),
        "budget": text_of(proposal.total) if over else "",
    }


def _costs(advice: Advice) -> dict[str, str]:
    """Return what the buttons say, and what else could be done where something gets worse."""
    count = len(advice.worse)
    if not count:
        return {"take": _("Fill these in"), "confirm": "", "exits": ""}
    take = ngettext(
        "Make %(count)s question less precise", "Make %(count)s questions less precise", count
    )
    confirm = ngettext(
        "%(count)s question becomes less precise than it is. I want that.",
        "%(count)s questions become less precise than they are. I want that.",
        count,
    )
    shown = {"count": numbers.count(count)}
    return {"take": take % shown, "confirm": confirm % shown, "exits": _exits(advice)}


def _exits(advice: Advice) -> str:
    proposal = advice.proposal
    used = sum((share.spender.epsilon for share in proposal.shares), Decimal(0))
    if used <= proposal.plan.budget:
        return _("Without a change nothing becomes less precise.")
    text = _(
        "The questions use %(used)s, so a budget of %(used)s keeps all as precise as they are; "
        "within the budget of %(budget)s about %(people)s respondents would."
    )
    values = {
        "used": numbers.decimal(used),
        "budget": numbers.decimal(proposal.plan.budget),
        "people": numbers.count(advice.people_for_all),
    }
    return text % values


def _row(share: Share, advice: Advice) -> dict[str, Any]:
    spender = share.spender
    parts = map(text_of, spender.parts(share.epsilon))
    is_changed = share.epsilon != spender.epsilon
    return {
        "keys": list(spender.keys),
        "fields": dict(zip(spender.keys, parts, strict=True)) if is_changed else {},
        "now": numbers.decimal(spender.epsilon),
        "proposed": numbers.decimal(share.epsilon),
        "margin_now": _margin(share, share.margin_before),
        "margin": _margin(share, share.margin),
        "note": " ".join(filter(None, (_note(share), _coarse_words(share, advice)))),
        "worse": share in advice.worse,
    }


def _coarse_words(share: Share, advice: Advice) -> str:
    """Return what would help a question that still finds nothing."""
    if not is_coarse(share):
        return ""
    text = _("Too coarse to find anything: ± 25 points take about %s respondents.")
    words = text % numbers.count(people_for(share, advice.proposal.plan.planned_n))
    if advice.others is None or (share.margin_before or 0) <= COARSE_MARGIN:
        return words
    without = _("Without such questions the others reach %s at most.")
    return f"{words} {without % numbers.margin(advice.others)}"


def _note(share: Share) -> str:
    """Return what there is to know about the epsilon; empty for that of a single question."""
    spender = share.spender
    if spender.held is not None:
        return ""
    if len(spender.keys) > 1:
        return _("sent together: one epsilon, the margin is the largest of theirs")
    return _("stays: its device is made for this epsilon") if spender.is_fixed else ""


def _margin(share: Share, margin: float | None) -> str:
    return numbers.UNKNOWN if margin is None else margin_words(share.spender.drafts[0], margin)


def _summary(proposal: Proposal) -> str:
    before, after = proposal.margins()
    if all(share.epsilon == share.spender.epsilon for share in proposal.shares):
        return _("No other split is clearly better than the one that you have.")
    goal = proposal.plan.goal
    values = {
        "before": numbers.margin(value_of(goal, before)),
        "after": numbers.margin(value_of(goal, after)),
    }
    if goal == "even":
        return _even_summary(before, after)
    if goal == "mean":
        return _("The average margin changes from %(before)s to %(after)s.") % values
    return _("The largest margin changes from %(before)s to %(after)s.") % values


def _even_summary(before: list[float], after: list[float]) -> str:
    factors = [new / old for old, new in zip(before, after, strict=True) if old]
    largest = max(factors, default=1.0)
    if largest > 1:
        words = _("Every margin grows by the same part, %s at most.")
        return words % numbers.percent(largest - 1, 0)
    words = _("Every margin that can shrinks by the same part, %s at most.")
    return words % numbers.percent(1 - min(factors, default=1.0), 0)


def _total(proposal: Proposal) -> str:
    total, budget = proposal.total, proposal.plan.budget
    values = {"total": numbers.decimal(total), "budget": numbers.decimal(budget)}
    if total > budget:
        text = _(
            "It takes %(total)s in all, and the budget is %(budget)s. Filling these in changes "
            "the budget too."
        )
        return text % values
    left = {**values, "left": numbers.decimal(Decimal(budget) - total)}
    return _("%(total)s of %(budget)s used, %(left)s left.") % left
