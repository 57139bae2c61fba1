"""The columns and the filter of the survey list."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.models import Survey
from surveys.moments import moment_text

if TYPE_CHECKING:
    from surveys.queries import CountedSurvey

NOTHING = numbers.UNKNOWN


class SurveyColumns:
    """Methods that `list_display` names; they read what `with_counts` brought along."""

    @admin.display(description=_("State"), ordering="state")
    def ribbon(self, survey: Survey) -> SafeString:
        return render_to_string("admin/surveys/survey/state.html", {"survey": survey})

    @admin.display(description=_("Responses"), ordering="received")
    def responses(self, survey: "CountedSurvey") -> str:
        return NOTHING if survey.is_draft else numbers.count(survey.received)

    @admin.display(description=_("Results updated"), ordering="updated_at")
    def updated(self, survey: "CountedSurvey") -> str:
        if survey.updated_at is None:
            return NOTHING
        return gettext("%s ago") % timesince(survey.updated_at, depth=1)

    @admin.display(description=_("Opens"), ordering="opens_at")
    def opens(self, survey: Survey) -> str:
        return _moment(survey.opens_at)

    @admin.display(description=_("Closes"), ordering="closes_at")
    def closes(self, survey: Survey) -> str:
        return _moment(survey.closes_at)

    @admin.display(description=_("Results"))
    def results_link(self, survey: Survey) -> str:
        return _link(survey, "results", gettext("Results"), gettext("Results of %s"))

    @admin.display(description=_("Form"))
    def respondent_link(self, survey: Survey) -> str:
        return _link(survey, "respond", f"/s/{survey.slug}/", gettext("Open the form of %s"))


def _moment(moment: datetime | None) -> str:
    if moment is None:
        return NOTHING
    return moment_text(moment, "SHORT_DATETIME_FORMAT")


def _link(survey: Survey, name: str, text: str, spoken: str) -> str:
    if survey.is_draft:
        return NOTHING
    address = reverse(name, args=[survey.slug])
    return format_html('<a href="{}" aria-label="{}">{}</a>', address, spoken % survey.title, text)


SHOWN = (Survey.State.DRAFT, Survey.State.OPEN, Survey.State.CLOSED)


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(state.value, state.label) for state in SHOWN]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Survey]) -> QuerySet[Survey]:
        return queryset.filter(state=self.value()) if self.value() else queryset
