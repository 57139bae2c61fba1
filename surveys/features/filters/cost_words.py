"""Texts for authors on what a filter costs."""

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.drafts import Draft
from surveys.features.filters.draft import takes_not_applicable
from surveys.features.filters.figures import asked_figures, margin_asked_of_all
from surveys.features.filters.settings import filter_of_question

# Guesses of the part of the respondents that a question is for.
FEW, HALF = 0.1, 0.5


def cost_words(draft: Draft) -> str:
    """Return what is known of those whom a question is for; empty where everybody is asked."""
    settings = filter_of_question(draft)
    if not (settings.only_if and draft.randomized and takes_not_applicable(draft)):
        return ""
    few, half = (asked_figures(draft, share) for share in (FEW, HALF))
    margins = {
        "reported": (few.reported, half.reported),
        "unasked": (few.unasked, half.unasked),
        "all": (margin_asked_of_all(draft),),
    }
    if any(margin is None for margins_of in margins.values() for margin in margins_of):
        return ""
    shown = {
        f"{name}_{place}": numbers.margin(margin or 0.0)
        for name, margins_of in margins.items()
        for place, margin in enumerate(margins_of)
    }
    people = {
        "planned": numbers.count(draft.planned_n),
        "few": numbers.chosen_percent(FEW),
        "half": numbers.chosen_percent(HALF),
        "few_people": numbers.count(few.people),
        "half_people": numbers.count(half.people),
    }
    sentences = [_now(unasked=settings.unasked), _otherwise(unasked=settings.unasked), _of_all()]
    return " ".join(sentences) % {**shown, **people}


def _now(*, unasked: bool) -> str:
    if unasked:
        return _(
            "If the question is for %(few)s of %(planned)s respondents (%(few_people)s), the "
            "margin among these is %(unasked_0)s; if for %(half)s (%(half_people)s), %(unasked_1)s."
        )
    return _(
        "If the question is for %(few)s of %(planned)s respondents (%(few_people)s), the margin "
        "among these is %(reported_0)s; if for %(half)s (%(half_people)s), %(reported_1)s."
    )


def _otherwise(*, unasked: bool) -> str:
    if unasked:
        return _("If everybody else reported “does not apply”: %(reported_0)s and %(reported_1)s.")
    return _(
        "If everybody else were left out, as they may be where all that is compared is sent as it "
        "is: %(unasked_0)s and %(unasked_1)s."
    )


def _of_all() -> str:
    return _("Asked of everybody: %(all_0)s.")
