"""Cross-tables in the admin: the page on which they are picked, and what of them freezes."""

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.features.parts import DeskPart, Facts, TypedSurvey
from surveys.features.tables.pages import table_remove, tables
from surveys.features.tables.settings import tables_of
from surveys.models import Question, Survey


class TablesAtDesk(DeskPart):
    added_on = "tables"
    pages = {
        "tables": ("tables/", tables),
        "table_remove": ("tables/remove/", table_remove),
    }

    def is_typed(self, typed: TypedSurvey) -> bool:
        return bool(tables_of(typed.survey))

    def tools(self, survey: Survey) -> list[Tool]:
        return [tool_of(survey, "tables", _("Cross-tables"))] if survey.is_draft else []

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        lines: list[str] = [
            format_html("<code>{}</code> {} <code>{}</code>", outcome, _("by"), group)
            for outcome, group in tables_of(survey)
        ]
        return [(_("Cross-tables"), lines or [_("None: nothing is shown by subgroup.")])]
