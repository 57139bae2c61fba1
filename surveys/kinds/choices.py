"""Single choice, and a scale."""

from django.utils.translation import gettext_lazy as _

from surveys.kinds.one_answer import OneAnswer


class SingleChoice(OneAnswer):
    name = "single_choice"
    label = _("Single choice")
    control = "list"


class Scale(OneAnswer):
    name = "scale"
    label = _("Scale, in order")
    control = "scale"
    ordered = True
