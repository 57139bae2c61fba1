"""The fields of batteries at the author's desk, their page, and what freezes of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.features.batteries import forms
from surveys.features.batteries.allowed import batteries_in
from surveys.features.batteries.figures import battery_label
from surveys.features.batteries.pages import batteries, battery_change
from surveys.features.batteries.settings import change_item, item_of
from surveys.features.parts import DeskPart, Facts, OwnField
from surveys.models import Question, Survey
from surveys.parameters import Parameters


def _choices(question: Question) -> list[tuple[str | int, str]]:
    """Return the batteries of its survey, and a free one."""
    others = Question.objects.filter(survey=question.survey_id)
    numbers = (item_of(other).number for other in others.only("features"))
    return forms.number_choices(number for number in numbers if number)


class BatteriesAtDesk(DeskPart):
    added_on = "batteries"
    pages = {
        "batteries": ("batteries/", batteries),
        "battery_change": ("batteries/<int:number>/", battery_change),
    }
    question_field = OwnField(
        forms.NUMBER,
        forms.number_field,
        read=lambda question: item_of(question).number or None,
        store=lambda question, typed: change_item(question, number=typed or 0),
        choices=_choices,
    )
    further_question_fields = (
        OwnField(
            forms.TEXT,
            forms.text_field,
            read=lambda question: item_of(question).text,
            store=lambda question, typed: change_item(question, text=typed or ""),
        ),
        OwnField(
            forms.RANDOM,
            forms.random_field,
            read=lambda question: item_of(question).random,
            store=lambda question, typed: change_item(question, random=bool(typed)),
        ),
    )
    above_template = "features/batteries/above.html"

    def frozen_questions(
        self, survey: Survey, questions: Sequence[Question], parameters: Parameters
    ) -> Mapping[str, Mapping[str, Any]]:
        return {
            question.name: {
                "chips": [_("Battery %s") % battery.number],
                "label_above": "" if place else battery.text,
            }
            for battery in batteries_in(questions)
            for place, question in enumerate(battery.questions)
        }

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        labels = [
            f"{battery_label(battery)}: {battery.text}" for battery in batteries_in(questions)
        ]
        return [(_("Batteries"), labels)] if labels else []
