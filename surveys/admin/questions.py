"""The questions of a draft, on the survey's page."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from surveys.authoring.limits import MAX_QUESTIONS
from surveys.forms.question import MOST_FORMS, QuestionForm, QuestionFormSet
from surveys.models import Question


class QuestionInline(admin.StackedInline):
    model = Question
    form = QuestionForm
    formset = QuestionFormSet
    template = "admin/surveys/question/inline.html"
    extra = 0
    max_num = MAX_QUESTIONS
    fields = tuple(QuestionForm.Meta.fields)

    @property
    def media(self) -> forms.Media:
        """No scripts of the admin: our own module adds, moves and removes questions."""
        return forms.Media()

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        return super().get_formset(request, obj, absolute_max=MOST_FORMS, **kwargs)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).order_by("position", "pk")

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The widgets of the form, not the admin's."""
        return db_field.formfield(**kwargs)
