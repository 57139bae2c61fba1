"""Messages to the author about a searched table: its origin, and changes since the search."""

from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.devices.registry import SEARCHED
from surveys.devices.searched import answers_of_table
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import KINDS, categories, kind_of
from surveys.models import DesignSearch

# Numbers of answers that a search accepts: the engine accepts 14, but needs minutes for them and
# finds little.
LEAST_ANSWERS, MOST_ANSWERS = 2, 12


def can_be_searched(question: AskedQuestion | Draft) -> bool:
    """Whether the workbench can search for a device of this question."""
    kind = KINDS.get(question.kind)
    if kind is None or kind.several:
        return False
    return LEAST_ANSWERS <= len(categories(question)) <= MOST_ANSWERS


def problem_of(question: AskedQuestion | Draft) -> str:
    """Why the chosen searched table cannot be used; empty if it can."""
    draft = Draft.of(question)
    if not SEARCHED.is_chosen(draft) or not answers_of_table(draft):
        return ""
    return _wrong_number(draft) or SEARCHED.epsilon_problem(draft)


def relabelling_words(question_or_draft: AskedQuestion | Draft) -> str:
    """A message about answers renamed or moved since the search; empty if there are none."""
    question = Draft.of(question_or_draft)
    if not SEARCHED.is_chosen(question) or not SEARCHED.fits(question):
        return ""
    former_labels = list(question.design_parameters["labels"])
    if any(former_labels == labels for labels in _in_every_language(question)):
        return ""
    if any(sorted(former_labels) == sorted(labels) for labels in _in_every_language(question)):
        return _(
            "Its device was searched for these answers in another order. Put them back, or search "
            "again: each share was guessed for the answer in its place."
        )
    return _(
        "Its device was searched for answers with other names (%s). If they still mean the same, "
        "all is well; otherwise search again."
    ) % ", ".join(former_labels)


def origin_of(question: Draft) -> str:
    """When a chosen table was searched, and for which guess; empty for other devices."""
    if not SEARCHED.is_chosen(question):
        return ""
    guess = numbers.chosen_percents(question.design_parameters["search"]["prior"])
    runs = DesignSearch.objects.without_content()
    run = runs.filter(id=question.design_parameters.get("run") or 0).first()
    if run is None:
        return _("Searched for the shares %s.") % guess
    values = {"date": date_format(run.created_at, "DATE_FORMAT"), "shares": guess}
    source = _source(run.request.get("origin") or {})
    if source:
        text = _("Searched on %(date)s for the shares %(shares)s, estimated by %(source)s.")
        return text % {**values, "source": source}
    return _("Searched on %(date)s for the guessed shares %(shares)s.") % values


def _source(origin: dict[str, Any]) -> str:
    if origin.get("kind") != "survey":
        return ""
    title = _("“%s”") % origin.get("title", "")
    return f"{title}, {origin.get('question', '')}"


def _wrong_number(question: Draft) -> str:
    was = answers_of_table(question)
    if kind_of(question).several:
        return _("Its device was searched for one answer of %s: choose another device.") % was
    now = len(categories(question))
    if was == now:
        return ""
    text = _(
        "Its device was searched for %(was)s answers, and this question has %(now)s: search again "
        "or choose another device."
    )
    return text % {"was": was, "now": now}


def _in_every_language(question: Draft) -> list[list[str]]:
    """The labels in every language: Yes, No and the refusal change with the survey's language."""
    label_lists = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            label_lists.append(categories(question))
    return label_lists
