"""What an author is told of a searched table: where it comes from, and what no longer fits it."""

from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.devices.constructors import table_epsilon
from surveys.devices.designs import SEARCHED, answers_of_table, has_table
from surveys.kinds import KINDS, categories
from surveys.models import DesignSearch, Question

# Numbers of answers that a search takes: the engine takes 14, but needs minutes for them, and then
# finds little.
LEAST_ANSWERS, MOST_ANSWERS = 2, 12


def can_be_searched(question: Question) -> bool:
    """Whether the workbench has something to search for."""
    kind = KINDS.get(question.kind)
    if kind is None or kind.several:
        return False
    return LEAST_ANSWERS <= len(categories(question)) <= MOST_ANSWERS


def problem_of(question: Question) -> str:
    """Why the searched table that was chosen cannot serve; empty if it can."""
    if question.design != SEARCHED or not answers_of_table(question):
        return ""
    return _wrong_number(question) or epsilon_problem(question)


def epsilon_problem(question: Question) -> str:
    """Said at the epsilon: the table is what it is, and promises no more."""
    least = table_epsilon(question.design_parameters["table"])
    if question.epsilon is None or question.epsilon >= least:
        return ""
    text = _(
        "The searched table has an epsilon of %s. Give at least that, or search again for a "
        "smaller one."
    )
    return text % numbers.decimal(least)


def relabelled(question: Question) -> str:
    """That answers were renamed or moved since the search; empty if they were not."""
    if question.design != SEARCHED or not has_table(question):
        return ""
    then = list(question.design_parameters["labels"])
    if any(then == labels for labels in _in_every_language(question)):
        return ""
    if any(sorted(then) == sorted(labels) for labels in _in_every_language(question)):
        return _(
            "Its device was searched for these answers in another order. Put them back, or search "
            "again: each share was guessed for the answer in its place."
        )
    return _(
        "Its device was searched for answers with other names (%s). If they still mean the same, "
        "all is well; otherwise search again."
    ) % ", ".join(then)


def origin_of(question: Question) -> str:
    """When a stored table was searched, and for which guess."""
    guess = numbers.chosen_percents(question.design_parameters["search"]["prior"])
    runs = DesignSearch.objects.without_content()
    found = runs.filter(id=question.design_parameters.get("run")).first()
    if found is None:
        return _("Searched for the shares %s.") % guess
    values = {"date": date_format(found.created_at, "DATE_FORMAT"), "shares": guess}
    source = _source(found.request.get("origin") or {})
    if source:
        text = _("Searched on %(date)s for the shares %(shares)s, estimated by %(source)s.")
        return text % {**values, "source": source}
    return _("Searched on %(date)s for the guessed shares %(shares)s.") % values


def _source(origin: dict[str, Any]) -> str:
    if origin.get("kind") != "survey":
        return ""
    title = _("“%s”") % origin.get("title", "")
    return f"{title}, {origin.get('question', '')}"


def _wrong_number(question: Question) -> str:
    was = answers_of_table(question)
    if KINDS[question.kind].several:
        return _("Its device was searched for one answer of %s: choose another device.") % was
    now = len(categories(question))
    if was == now:
        return ""
    text = _(
        "Its device was searched for %(was)s answers, and this question has %(now)s: search again "
        "or choose another device."
    )
    return text % {"was": was, "now": now}


def _in_every_language(question: Question) -> list[list[str]]:
    """Yes, No and the refusal are called differently when the survey's language changes."""
    found = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found.append(categories(question))
    return found
