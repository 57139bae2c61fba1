"""What a wish takes that does not fit, in sentences, each with the wish to look at next."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.authoring.advice.exits import Exits
from surveys.authoring.advice.proposal import Proposal
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
    if exits.budget is not None:
        rows.append(_larger_budget(proposal, exits))
    if exits.margin is not None:
        text = (
            _("A margin of %(wider)s: all questions have it that are not left out.")
            if proposal.left_out
            else _("A margin of %(wider)s: all questions have it.")
        )
        words = text % {"wider": numbers.margin(exits.margin)}
        rows.append(Exit(words, {"margin": f"{100 * exits.margin:g}"}))
    return rows


def _larger_budget(proposal: Proposal, exits: Exits) -> Exit:
    values = {
        "budget": numbers.decimal(exits.budget or 0),
        "margin": numbers.margin(proposal.wish.margin),
        "person": numbers.decimal(proposal.wish.harm.person),
    }
    if exits.is_too_much:
        text = _(
            "No larger budget: %(margin)s for every question that can have it take %(budget)s, and "
            "%(person)s is the most where such harm is."
        )
        return Exit(text % values, {})
    text = _("A privacy budget of %(budget)s: %(margin)s for every question that can have it.")
    return Exit(text % values, {"budget": text_of(exits.budget or proposal.wish.budget)})
