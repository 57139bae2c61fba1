"""The fields of texts in one's own words at the author's desk, and what of them freezes."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.features.free_texts import forms
from surveys.features.free_texts.settings import USUAL_LENGTH, change_texts, texts_of
from surveys.features.parts import Confirmation, DeskPart, Facts, OwnField
from surveys.models import Question, Survey


class FreeTextsAtDesk(DeskPart):
    survey_field = OwnField(
        forms.QUESTIONS,
        forms.questions_field,
        read=lambda survey: texts_of(survey).questions,
        store=lambda survey, typed: change_texts(survey, questions=typed or ""),
    )
    further_fields = (
        OwnField(
            forms.CHARACTERS,
            forms.characters_field,
            read=lambda survey: texts_of(survey).characters,
            store=lambda survey, typed: change_texts(survey, characters=typed or USUAL_LENGTH),
        ),
    )

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        settings = texts_of(survey)
        if not settings.asked:
            return []
        most = ngettext(
            "%(count)s character at most.", "%(count)s characters at most.", settings.characters
        )
        lines = [*settings.asked, most % {"count": numbers.count(settings.characters)}]
        return [(_("Answered in people's own words"), lines)]

    def confirmation(self, survey: Survey, questions: Sequence[Question]) -> Confirmation | None:
        if not texts_of(survey).asked:
            return None
        lines = [str(forms.COST)]
        return Confirmation(_("Texts are read as they were written"), lines, forms.ReadTextsForm)
