"""Messages to the author about a searched table: its origin, and what no longer fits it."""

from typing import Any

from django.conf import settings
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of
from surveys.models import DesignSearch


def wrong_number_words(draft: Draft, answers: int) -> str:
    """Return that a table for so many answers does not fit the question; empty where it does."""
    if kind_of(draft).several:
        return _("Its device was searched for one answer of %s: choose another device.") % answers
    now = len(categories(draft))
    if answers == now:
        return ""
    text = _(
        "Its device was searched for %(was)s answers, and this question has %(now)s: search again "
        "or choose another device."
    )
    return text % {"was": answers, "now": now}


def relabelling_words(draft: Draft) -> str:
    """Return that answers were renamed or moved since the search; empty if they were not."""
    searched = list(draft.design_parameters["labels"])
    labels_by_language = _labels_by_language(draft)
    if searched in labels_by_language:
        return ""
    if sorted(searched) in map(sorted, labels_by_language):
        return _(
            "Its device was searched for these answers in another order. Put them back, or search "
            "again: each share was guessed for the answer in its place."
        )
    return _(
        "Its device was searched for answers with other names (%s). If they still mean the same, "
        "all is well; otherwise search again."
    ) % ", ".join(searched)


def origin_words(draft: Draft) -> str:
    """Return when the table was searched, and for which guess."""
    stored = draft.design_parameters
    guess = numbers.chosen_percents(stored["search"]["prior"])
    run = DesignSearch.objects.without_content().filter(id=stored.get("run") or 0).first()
    if run is None:
        return _("Searched for the shares %s.") % guess
    day = date_format(timezone.localtime(run.created_at), "DATE_FORMAT")
    values = {"date": day, "shares": guess}
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


def _labels_by_language(draft: Draft) -> list[list[str]]:
    """Yes, No and the refusal are called differently when the survey's language changes."""
    labels = []
    for language, _name in settings.RESPONDENT_LANGUAGES:
        with translation.override(language):
            labels.append(categories(draft))
    return labels
