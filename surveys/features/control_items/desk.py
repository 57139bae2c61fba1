"""The button that adds a control item, and the field of a question that makes it one."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.forms import Field, Form
from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.admin.routes import Pages
from surveys.authoring.features import selection_of
from surveys.features.control_items.forms import FIELD, fit_known_share, known_share_field
from surveys.features.control_items.pages import control_item
from surveys.features.control_items.settings import set_share, share_of
from surveys.features.parts import DeskPart
from surveys.models import Question, Survey
from surveys.parameters.budget import text_of


class ControlItemsAtDesk(DeskPart):
    @property
    def pages(self) -> Pages:
        return {"control_item": ("control-item/", control_item)}

    def tools(self, survey: Survey) -> list[Tool]:
        """Return a tool in a draft only, and in one where everybody is asked all its questions."""
        if not survey.is_draft or selection_of(survey):
            return []
        return [tool_of(survey, "control_item", _("Add a control item"), post=True)]

    def question_fields(self) -> dict[str, Field]:
        return {FIELD: known_share_field()}

    def question_initial(self, question: Question) -> dict[str, Any]:
        share = share_of(question)
        return {FIELD: None if share is None else text_of(share)}

    def clean_question(self, form: Form, cleaned: dict[str, Any]) -> None:
        fit_known_share(form, cleaned)

    def store_question(self, question: Question, cleaned: Mapping[str, Any]) -> None:
        try:
            share = known_share_field().clean(cleaned.get(FIELD))
        except ValidationError:
            share = None
        set_share(question, share)
