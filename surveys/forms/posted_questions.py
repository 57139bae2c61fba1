"""The questions that are posted with the form of a survey."""

from collections.abc import Mapping
from typing import Any

from surveys.authoring.limits import MAX_QUESTIONS
from surveys.forms.fields.groups import posted_numbers
from surveys.forms.panel_forms import DeviceForm
from surveys.models import Question, Survey

PREFIX = "questions"


def posted_questions(data: Mapping[str, Any], survey: Survey) -> dict[str, Question | None]:
    """The questions by name as this form would save them; None for one that is not valid yet."""
    if f"{PREFIX}-TOTAL_FORMS" not in data:
        questions = survey.questions.all() if survey.pk else []
        return {question.name: question for question in questions}
    prefixes = posted_prefixes(data)
    prefixes_by_name = {str(data.get(f"{entry}-name", "")).strip(): entry for entry in prefixes}
    return {name: _question(data, entry, name) for name, entry in prefixes_by_name.items() if name}


def has_groups(data: Mapping[str, Any], survey: Survey) -> bool:
    """Whether this form would save questions that are sent together; of a launch none change."""
    if f"{PREFIX}-TOTAL_FORMS" not in data:
        stored = survey.pk and survey.is_draft
        return bool(stored and survey.questions.filter(group__isnull=False).exists())
    return bool(posted_numbers(data, posted_prefixes(data)))


def posted_prefixes(data: Mapping[str, Any]) -> list[str]:
    """Return the prefixes of the posted questions that stay."""
    total = str(data[f"{PREFIX}-TOTAL_FORMS"])
    count = min(int(total), MAX_QUESTIONS) if total.isdecimal() else 0
    entries = [f"{PREFIX}-{index}" for index in range(count)]
    return [entry for entry in entries if not data.get(f"{entry}-DELETE")]


def _question(data: Mapping[str, Any], entry: str, name: str) -> Question | None:
    form = DeviceForm(data, prefix=entry)
    if not form.is_valid():
        return None
    form.instance.name = name
    return form.instance
