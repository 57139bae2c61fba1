"""The questions that are posted with the form of a survey."""

from collections.abc import Iterable, Mapping
from typing import Any

from surveys.authoring.limits import MAX_QUESTIONS
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


def posted_prefixes(data: Mapping[str, Any]) -> list[str]:
    """Return the prefixes of the posted questions that stay."""
    total = str(data[f"{PREFIX}-TOTAL_FORMS"])
    count = min(int(total), MAX_QUESTIONS) if total.isdecimal() else 0
    entries = [f"{PREFIX}-{index}" for index in range(count)]
    return [entry for entry in entries if not data.get(f"{entry}-DELETE")]


def posted_numbers(data: Mapping[str, Any], prefixes: Iterable[str], field: str) -> list[int]:
    """Return what these questions post in a field, without what is no number of a question."""
    values = [str(data.get(f"{prefix}-{field}", "")) for prefix in prefixes]
    numbers = [int(value) for value in values if value.isdecimal() and len(value) < 4]
    return [number for number in numbers if 1 <= number <= MAX_QUESTIONS]


def _question(data: Mapping[str, Any], entry: str, name: str) -> Question | None:
    form = DeviceForm(data, prefix=entry)
    if not form.is_valid():
        return None
    form.instance.name = name
    return form.instance
