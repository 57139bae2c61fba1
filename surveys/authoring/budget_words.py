"""A proposal for a survey's budget in words, as the page shows it."""

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.budget_split import Proposal, Share, Spender, value_of
from surveys.authoring.number_words import margin_words
from surveys.parameters.budget import text_of


def proposal_answer(proposal: Proposal) -> dict[str, Any]:
    """The proposal as plain JSON types.

    `fields` is what is written into the field of each question of a row, empty where it stays as it
    is; `budget` what is written into that of the budget, empty where it suffices.
    """
    over = proposal.total > proposal.plan.budget
    return {
        "rows": [_row(share) for share in proposal.shares],
        "summary": _summary(proposal),
        "total": _total(proposal),
        "budget": text_of(proposal.total) if over else "",
    }


def _row(share: Share) -> dict[str, Any]:
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
        "note": _note(spender),
    }


def _note(spender: Spender) -> str:
    """What there is to know about its epsilon; empty for that of a single question."""
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
    if goal == "mean":
        return _("The average margin changes from %(before)s to %(after)s.") % values
    return _("The largest margin changes from %(before)s to %(after)s.") % values


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
