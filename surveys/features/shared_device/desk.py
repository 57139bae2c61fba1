"""The field of shared devices at the author's desk, and what of it freezes."""

from collections.abc import Sequence

from surveys.features.parts import DeskPart, Facts, OwnField
from surveys.features.shared_device import forms
from surveys.features.shared_device.settings import set_sharing, sharing_of
from surveys.models import Question, Survey

_LABELS = dict(forms.CHOICES)


class SharedDeviceAtDesk(DeskPart):
    survey_field = OwnField(
        forms.FIELD,
        forms.sharing_field,
        read=sharing_of,
        store=set_sharing,
        text=lambda use: str(_LABELS[use]),
    )

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        use = sharing_of(survey)
        if not use:
            return []
        return [(str(forms.sharing_field().label), [str(_LABELS[use]), str(forms.COST)])]
