"""The field of values from the link at the author's desk, and links with each of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.features.link_values import forms
from surveys.features.link_values.author import problems_of
from surveys.features.link_values.section import frozen_values
from surveys.features.link_values.settings import set_values, typed_values, values_of
from surveys.features.link_values.words import links_of
from surveys.features.parts import DeskPart, Facts, FurtherLink, OwnField
from surveys.models import Question, Survey
from surveys.parameters import Parameters


class LinkValuesAtDesk(DeskPart):
    question_field = OwnField(forms.FIELD, forms.values_field, read=typed_values, store=set_values)

    def question_problems(self, asked: Sequence[Question]) -> Iterator[tuple[int, str, str]]:
        for question, words in problems_of(asked):
            yield list(asked).index(question), forms.FIELD, words

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        lines = [f"{x.name}: {', '.join(values_of(x))}" for x in questions if values_of(x)]
        return [(_("Answered by the link"), lines)] if lines else []

    def further_links(self, parameters: Parameters) -> Sequence[FurtherLink]:
        return links_of(parameters)

    def frozen_questions(
        self, survey: Survey, questions: Sequence[Question], parameters: Parameters
    ) -> Mapping[str, Mapping[str, Any]]:
        chips = {"chips": [_("From the link")]}
        return {each.question: chips for each in frozen_values(parameters)}
