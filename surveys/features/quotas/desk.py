"""The field of quotas at the author's desk, what of it freezes, and the page of their progress."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.overview import Tool, tool_of
from surveys.features.parts import DeskPart, Facts, Moment, OwnField
from surveys.features.quotas import forms
from surveys.features.quotas.author import quotas_of_draft
from surveys.features.quotas.pages import full_words, overshoot_words, quotas
from surveys.features.quotas.settings import lines_of, set_lines
from surveys.models import Question, Survey


class QuotasAtDesk(DeskPart):
    survey_field = OwnField(forms.FIELD, forms.lines_field, read=lines_of, store=set_lines)
    pages = {"quotas": ("quotas/", quotas)}

    def tools(self, survey: Survey) -> list[Tool]:
        is_shown = not survey.is_draft and bool(lines_of(survey))
        return [tool_of(survey, "quotas", _("Quotas"))] if is_shown else []

    def words(self, survey: Survey, moment: Moment) -> Iterator[str]:
        if moment is Moment.RIBBON and not survey.is_draft and lines_of(survey):
            yield full_words(survey)

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        wanted = quotas_of_draft(survey, questions)
        if not wanted:
            return []
        lines = [line.strip() for line in lines_of(survey).splitlines() if line.strip()]
        return [
            (_("Quotas"), [*lines, overshoot_words(survey.release_batch)]),
            (_("Responses wanted at most"), [numbers.count(sum(x.wanted for x in wanted))]),
        ]
