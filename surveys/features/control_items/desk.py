"""The button that adds a control item, and the field of a question that makes it one."""

from typing import Any

from django.core.exceptions import ValidationError
from django.forms import Form
from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.authoring.features import selection_of
from surveys.features.control_items.forms import FIELD, fit_known_share, known_share_field
from surveys.features.control_items.pages import control_item
from surveys.features.control_items.settings import set_share, share_of
from surveys.features.parts import DeskPart, OwnField
from surveys.models import Question, Survey
from surveys.parameters.budget import text_of


def _shown_share(question: Question) -> str | None:
    share = share_of(question)
    return None if share is None else text_of(share)


def _store_share(question: Question, typed: Any) -> None:
    """Store a share as it was typed, or none where it is not one."""
    try:
        share = known_share_field().clean(typed)
    except ValidationError:
        share = None
    set_share(question, share)


class ControlItemsAtDesk(DeskPart):
    pages = {"control_item": ("control-item/", control_item)}
    question_field = OwnField(FIELD, known_share_field, read=_shown_share, store=_store_share)

    def tools(self, survey: Survey) -> list[Tool]:
        """Return a tool in a draft only, and in one where everybody is asked all its questions."""
        if not survey.is_draft or selection_of(survey):
            return []
        return [tool_of(survey, "control_item", _("Add a control item"), post=True)]

    def clean_question(self, form: Form, cleaned: dict[str, Any]) -> None:
        fit_known_share(form, cleaned)
