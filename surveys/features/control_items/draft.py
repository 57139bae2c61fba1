"""A control item among the questions of a draft."""

from django.utils.translation import gettext as _

from surveys.drafts import AskedQuestion, Draft
from surveys.features.control_items.settings import is_control_item
from surveys.features.parts import DraftPart


class ControlItemInDraft(DraftPart):
    def why_alike(self, question: AskedQuestion | Draft) -> str:
        return _("it is a control item") if is_control_item(question) else ""
