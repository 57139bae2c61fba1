"""The fields of the last screen at the author's desk, and what of it freezes."""

from collections.abc import Iterator, Sequence

import msgspec
from django.utils.translation import gettext as _

from surveys.features.closing_page import forms
from surveys.features.closing_page.author import WAYS, problems_of
from surveys.features.closing_page.settings import (
    USUAL_KEY,
    ClosingSettings,
    change_closing,
    closing_of,
)
from surveys.features.parts import DeskPart, Facts, OwnField, TypedSurvey
from surveys.models import Question, Survey


def _field(name: str) -> OwnField:
    def read(survey: Survey) -> str:
        text: str = getattr(closing_of(survey), name)
        return text

    def store(survey: Survey, typed: str) -> None:
        change_closing(survey, name, _settled(name, typed))

    return OwnField(f"{forms.PREFIX}{name}", forms.FIELDS[name], read, store)


def _settled(name: str, typed: str) -> str:
    return typed or (USUAL_KEY if name == "key" else "")


_FIELDS = tuple(map(_field, forms.FIELDS))


class ClosingPageAtDesk(DeskPart):
    survey_field, *further_fields = _FIELDS

    def is_typed(self, typed: TypedSurvey) -> bool:
        names = [name for name in forms.FIELDS if name.endswith(("_text", "_address"))]
        return any(typed.cleaned.get(f"{forms.PREFIX}{name}") for name in names)

    def survey_problems(self, typed: TypedSurvey) -> Iterator[tuple[str, str]]:
        values = {
            name: _settled(name, typed.cleaned.get(f"{forms.PREFIX}{name}") or "")
            for name in forms.FIELDS
        }
        for name, words in problems_of(msgspec.convert(values, ClosingSettings)):
            yield f"{forms.PREFIX}{name}", words

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        settings = closing_of(survey)
        values = {name: getattr(settings, name) for name in forms.FIELDS}
        facts = [
            (str(make().label), values[name].splitlines())
            for name, make in forms.FIELDS.items()
            if values[name] and name not in ("panel", "key")
        ]
        if any(values[f"{way}_address"] for way in WAYS):
            whose = [settings.panel, f"#{settings.key}=…", str(forms.LEARNS)]
            facts.append((_("The way back"), whose))
        return facts
