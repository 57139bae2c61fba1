"""What a wish takes that does not fit, in sentences, each with the wish to look at next."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.authoring.advice.exits import Exits
from surveys.authoring.advice.proposal import Proposal
from surveys.authoring.limits import COARSE_MARGIN
from surveys.parameters.budget import text_of


@dataclass(frozen=True, slots=True)
class Exit:
    """`changes`: the values of the wish's form to be changed; empty where it has no such value."""

    words: str
    changes: dict[str, str]


def exit_rows(proposal: Proposal, exits: Exits) -> list[Exit]:
    """Return what would do, with its price."""
    margin = numbers.margin(proposal.wish.margin)
    rows = []
    if exits.people is not None:
        text = _("About %(people)s respondents: %(margin)s for every question.")
        words = text % {"people": numbers.count(exits.people), "margin": margin}
        rows.append(Exit(words, {"planned_n": str(exits.people)}))
    if exits.useful_people is not None:
        text = _("About %(people)s respondents: every question is useful, with %(margin)s or less.")
        words = text % {
            "people": numbers.count(exits.useful_people),
            "margin": numbers.margin(COARSE_MARGIN),
        }
        changes = {
            "planned_n": str(exits.useful_people),
            "margin": f"{100 * COARSE_MARGIN:g}",
        }
        rows.append(Exit(words, changes))
    if exits.without:
        text = ngettext(
            "Without question %(numbers)s: %(margin)s for all others.",
            "Without the questions %(numbers)s: %(margin)s for all others.",
            len(exits.without),
        )
        words = text % {
            "numbers": numbers.places([number - 1 for number in exits.without]),
            "margin": margin,
        }
        rows.append(Exit(words, {}))
    rows += _budgets(exits, margin, numbers.decimal(proposal.wish.harm.person))
    if exits.margin is not None:
        text = (
            _("A margin of %(wider)s: every question that is not left out has it.")
            if proposal.left_out
            else _("A margin of %(wider)s: every question has it.")
        )
        words = text % {"wider": numbers.margin(exits.margin)}
        rows.append(Exit(words, {"margin": f"{100 * exits.margin:g}"}))
    return rows


def _budgets(exits: Exits, margin: str, person: str) -> Iterator[Exit]:
    """Yield the larger budgets that would do, or that none may."""
    if exits.budget is not None:
        text = _("A privacy budget of %(budget)s: %(margin)s for every question.")
        words = text % {"budget": numbers.decimal(exits.budget), "margin": margin}
        yield Exit(words, {"budget": text_of(exits.budget)})
    if exits.budget_of_kept is not None:
        text = _(
            "A privacy budget of %(budget)s, without the questions that are left out: %(margin)s "
            "for all others."
        )
        words = text % {"budget": numbers.decimal(exits.budget_of_kept), "margin": margin}
        yield Exit(words, {})
    if exits.too_much is not None:
        text = _(
            "No larger budget: it would have to be %(budget)s, and %(person)s is the most at this "
            "level of harm."
        )
        values = {"budget": numbers.decimal(exits.too_much), "person": person}
        yield Exit(text % values, {})
