"""Yes or no."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.one_answer import OneAnswer


class YesNo(OneAnswer):
    name = "yes_no"
    label = _("Yes or no")
    control = "yes_no"
    opposites = True
    with_options = False

    def answer_labels(self, draft: AskedQuestion | Draft) -> list[str]:
        return [gettext("No"), gettext("Yes")]
