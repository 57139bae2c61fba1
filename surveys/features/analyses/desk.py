"""The pages of analyses and margins in the admin."""

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.features.analyses import margin_pages
from surveys.features.analyses import pages as views
from surveys.features.analyses.page_views import frozen_lines
from surveys.features.analyses.settings import Declared, declared
from surveys.features.parts import DeskPart, Facts
from surveys.models import Question, Survey


class AnalysesAtDesk(DeskPart):
    added_on = "analyses"
    pages = {
        "analyses": ("analyses/", views.analyses),
        "analysis_new": ("analyses/new/", views.analysis_new),
        "analysis_remove": ("analyses/remove/", views.analysis_remove),
        "margin": ("analyses/margin/", margin_pages.margin),
        "margin_remove": ("analyses/margin/remove/", margin_pages.margin_remove),
        "margins_template": ("analyses/margins.csv", margin_pages.margins_template),
    }

    def tools(self, survey: Survey) -> list[Tool]:
        """Return the page; in a draft it also says what analyses need."""
        has_any = declared(survey) != Declared()
        return [tool_of(survey, "analyses", _("Analyses"))] if survey.is_draft or has_any else []

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        labels = (_("Declared analyses"), _("Weights"))
        return [
            (label, [format_html("<bdi>{}</bdi>", line) for line in lines])
            for label, lines in zip(labels, frozen_lines(survey, questions), strict=True)
            if lines
        ]
