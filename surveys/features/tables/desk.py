"""The field of cross-tables in the form of a survey."""

from collections.abc import Iterator, Sequence

from django.utils.html import format_html
from django.utils.translation import gettext as _

from surveys.features.parts import DeskPart, Facts, OwnField, TypedSurvey
from surveys.features.settings import write_settings
from surveys.features.tables.forms import FIELD, TypedTables, problems_of_tables, tables_field
from surveys.features.tables.reading import table_text
from surveys.features.tables.section import NAME
from surveys.features.tables.settings import DeclaredTables, tables_of
from surveys.models import Question, Survey


def _store(survey: Survey, typed: TypedTables) -> None:
    write_settings(survey, NAME, DeclaredTables(typed.pairs))


class TablesAtDesk(DeskPart):
    survey_field = OwnField(FIELD, tables_field, read=tables_of, store=_store, text=table_text)

    def survey_problems(self, typed: TypedSurvey) -> Iterator[tuple[str, str]]:
        if FIELD in typed.cleaned:
            for message in problems_of_tables(typed):
                yield FIELD, message

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        lines: list[str] = [
            format_html("<code>{}</code> {} <code>{}</code>", outcome, _("by"), group)
            for outcome, group in tables_of(survey)
        ]
        return [(_("Cross-tables"), lines or [_("None: nothing is shown by subgroup.")])]
