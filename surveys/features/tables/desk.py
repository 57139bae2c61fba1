"""The field of cross-tables in the form of a survey."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.forms import Field
from django.utils.html import format_html
from django.utils.translation import gettext as _

from surveys.features.parts import DeskPart
from surveys.features.tables.forms import FIELD, problems_of_tables, tables_field
from surveys.features.tables.reading import table_text
from surveys.features.tables.settings import set_tables, tables_of
from surveys.models import Question, Survey


class TablesAtDesk(DeskPart):
    survey_field = FIELD

    def survey_fields(self) -> dict[str, Field]:
        return {FIELD: tables_field()}

    def survey_initial(self, survey: Survey) -> dict[str, Any]:
        return {FIELD: tables_of(survey)}

    def is_typed(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> bool:
        return FIELD in cleaned and bool(cleaned[FIELD].lines)

    def survey_problems(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> Iterator[tuple[str, str]]:
        if FIELD in cleaned:
            for message in problems_of_tables(cleaned, posted, survey):
                yield FIELD, message

    def save_survey(self, survey: Survey, cleaned: Mapping[str, Any]) -> None:
        set_tables(survey, cleaned[FIELD].pairs)
        survey.save(update_fields=["features"])

    def declared(self, survey: Survey) -> str:
        return table_text(tables_of(survey))

    def launch_facts(
        self, survey: Survey, questions: Sequence[Question]
    ) -> list[tuple[str, list[str]]]:
        lines: list[str] = [
            format_html("<code>{}</code> {} <code>{}</code>", outcome, _("by"), group)
            for outcome, group in tables_of(survey)
        ]
        return [(_("Cross-tables"), lines or [_("None: nothing is shown by subgroup.")])]
