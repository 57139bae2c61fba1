"""The field of the licence at the author's desk, and what of it freezes."""

from collections.abc import Sequence

from surveys.features.data_licence import forms
from surveys.features.data_licence.settings import licence_of, set_licence
from surveys.features.parts import DeskPart, Facts, OwnField
from surveys.models import Question, Survey

_LABELS = dict(forms.CHOICES)


class LicenceAtDesk(DeskPart):
    survey_field = OwnField(
        forms.FIELD,
        forms.licence_field,
        read=licence_of,
        store=set_licence,
        text=lambda licence: str(_LABELS[licence]),
    )

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        licence = licence_of(survey)
        return [(str(forms.licence_field().label), [str(_LABELS[licence])])] if licence else []
