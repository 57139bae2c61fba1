"""The texts about the site at the desk: of a survey, and of the site by whoever runs it."""

from collections.abc import Sequence
from functools import partial

from django.contrib import admin

from surveys.features.parts import DeskPart, Facts, OwnField, TypedSurvey
from surveys.features.privacy_notice import forms
from surveys.features.privacy_notice.author import NoticeForAuthors
from surveys.features.privacy_notice.models import SiteNotice
from surveys.features.privacy_notice.section import KEYS
from surveys.features.privacy_notice.settings import LABELS, change_text, own_texts
from surveys.models import Question, Survey


def _field(key: str) -> OwnField:
    def read(survey: Survey) -> str:
        text: str = getattr(own_texts(survey), key)
        return text

    def store(survey: Survey, typed: str) -> None:
        change_text(survey, key, typed)

    return OwnField(forms.field_name(key), partial(forms.text_field, key), read, store)


class NoticeAtDesk(DeskPart):
    survey_field = _field(KEYS[0])
    further_fields = tuple(map(_field, KEYS[1:]))

    def is_typed(self, typed: TypedSurvey) -> bool:
        return any(typed.cleaned.get(forms.field_name(key)) for key in KEYS)

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        frozen = NoticeForAuthors().freeze(survey, questions)
        return [(str(LABELS[key]), text.splitlines()) for key, text in frozen.items()]


@admin.register(SiteNotice)
class SiteNoticeAdmin(admin.ModelAdmin):
    """For superusers, and for staff with Django's permissions for this model."""

    form = forms.SiteNoticeForm
    list_display = ["__str__", *KEYS]
    actions = None
