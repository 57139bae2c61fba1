"""Filters of the survey list."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from surveys.models import Survey

SHOWN = (Survey.State.DRAFT, Survey.State.OPEN, Survey.State.CLOSED)


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(state.value, state.label) for state in SHOWN]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Survey]) -> QuerySet[Survey]:
        return queryset.filter(state=self.value()) if self.value() else queryset
