"""The three steps of a draft, each a page of its own."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.models import Survey

QUESTIONS, SETTINGS, LAUNCH = "questions", "settings", "launch"
_STEPS: dict[str, tuple[str, Promise]] = {
    QUESTIONS: ("surveys_survey_change", _("Questions")),
    SETTINGS: ("survey_settings", _("Settings")),
    LAUNCH: ("survey_launch", _("Check and launch")),
}


@dataclass(frozen=True, slots=True)
class Step:
    label: Promise
    url: str
    is_current: bool


def steps_of(survey: Survey, current: str = "") -> list[Step]:
    """Return the steps of a draft, of which a page may be one; none of a launched survey."""
    if not survey.is_draft:
        return []
    return [
        Step(label, reverse(f"admin:{route}", args=[survey.pk]), name == current)
        for name, (route, label) in _STEPS.items()
    ]
