"""The button that adds a control item, and the field of a question that makes it one."""

from typing import Any

from django.core.exceptions import ValidationError
from django.forms import Form
from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.authoring.features import selection_of
from surveys.features.control_items.forms import FIELD, known_share_field
from surveys.features.control_items.pages import control_item
from surveys.features.control_items.section import YES_NO
from surveys.features.control_items.settings import set_share, share_text
from surveys.features.feature import draw_fields
from surveys.features.parts import DeskPart, OwnField
from surveys.kinds import KINDS
from surveys.models import Question, Survey


def _store_share(question: Question, typed: Any) -> None:
    """Store a share as it was typed, or none where it is not one."""
    try:
        share = known_share_field().clean(typed)
    except ValidationError:
        share = None
    set_share(question, share)


class ControlItemsAtDesk(DeskPart):
    added_by = "control_item"
    pages = {"control_item": ("control-item/", control_item)}
    question_field = OwnField(FIELD, known_share_field, read=share_text, store=_store_share)

    def tools(self, survey: Survey) -> list[Tool]:
        """Return a tool in a draft only, and in one where everybody is asked all its questions."""
        if not survey.is_draft or selection_of(survey):
            return []
        return [tool_of(survey, "control_item", _("Add a control item"), post=True)]

    def clean_question(self, form: Form, cleaned: dict[str, Any]) -> None:
        """Forget what is typed for another question, and add what does not go with an item."""
        kind = KINDS.get(cleaned.get("kind") or "")
        if kind is None or kind.control != YES_NO or cleaned.get("randomized") is False:
            form.errors.pop(FIELD, None)
            cleaned[FIELD] = None
        if cleaned.get(FIELD) is None:
            return
        if cleaned.get("prefer_not"):
            message = _("A control item is answered with yes or no: take the refusal away.")
            form.add_error("prefer_not", message)
        for name in draw_fields():
            if cleaned.get(name) is not None:
                form.add_error(name, _("A control item is sent on its own: choose no group."))
