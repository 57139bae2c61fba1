"""A kind of question outside the product: yes, no, or not sure.

It is the example of docs/extending.md.
"""

from django.utils.translation import gettext

from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.one_answer import OneAnswer
from tests.app.contract.worded import worded


class YesNoNotSure(OneAnswer):
    name = "yes_no_not_sure"
    label = worded("Yes, no or not sure", "Ja, nein oder unsicher")
    control = "list"
    with_options = False

    def answer_labels(self, draft: AskedQuestion | Draft) -> list[str]:
        return [gettext("No"), gettext("Yes"), str(worded("Not sure", "Unsicher"))]

    def focal_category(self, answers: int) -> int:
        """Yes, whatever answers follow it."""
        return 1
