"""The field that makes a survey a pilot, its pages, and what pages say of it and its pairs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.admin.utils import display_for_value
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.overview import Tool, tool_of
from surveys.admin.routes import Pages
from surveys.features.parts import DeskPart
from surveys.features.pilots import pages
from surveys.features.pilots.figures import pilot_words
from surveys.features.pilots.forms import FIELD, pilot_field
from surveys.features.pilots.settings import is_pilot, pilot_settings, set_pilot
from surveys.models import Question, Survey
from surveys.parameters import Parameters
from surveys.parameters.budget import spent

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class PilotsAtDesk(DeskPart):
    survey_field = FIELD

    @property
    def pages(self) -> Pages:
        return {
            "clusters": ("clusters/", pages.clusters),
            "clusters_start": ("clusters/start/", pages.clusters_start),
            "clusters_status": ("clusters/<int:run_id>/status.json", pages.clusters_status),
            "clusters_stop": ("clusters/<int:run_id>/stop/", pages.clusters_stop),
            "main_survey": ("clusters/main-survey/", pages.main_survey),
        }

    def survey_fields(self) -> dict[str, forms.Field]:
        return {FIELD: pilot_field()}

    def survey_initial(self, survey: Survey) -> dict[str, Any]:
        return {FIELD: is_pilot(survey)}

    def declared(self, survey: Survey) -> str:
        return display_for_value(is_pilot(survey), "", boolean=True)

    def store_survey(self, survey: Survey, cleaned: Mapping[str, Any]) -> None:
        set_pilot(survey, bool(cleaned.get(FIELD)))

    def ribbon_words(self, survey: Survey) -> "list[StrOrPromise]":
        """Return whether it is a pilot, and from which one of the same author it was made."""
        key, pilots = pilot_settings(survey).made_from, Survey.objects.none()
        if key is not None:
            pilots = Survey.objects.filter(pk=key, owner=survey.owner_id)
        return [
            *([_("Pilot")] if is_pilot(survey) else []),
            *map(_made_from, pilots.exclude(state=Survey.State.DELETED)),
        ]

    def frozen_question(
        self, survey: Survey, question: Question, parameters: Parameters
    ) -> dict[str, Any] | None:
        return _paired(question, parameters) if is_pilot(survey) else None

    def tools(self, survey: Survey) -> list[Tool]:
        if survey.is_draft or not is_pilot(survey):
            return []
        return [tool_of(survey, "clusters", _("Clusters"))]

    def launch_facts(
        self, survey: Survey, questions: Sequence[Question]
    ) -> list[tuple[str, list[str]]]:
        words = pilot_words(questions, survey.planned_n) if is_pilot(survey) else ""
        return [(_("Pilot"), [words])] if words else []


def _made_from(pilot: Survey) -> SafeString:
    address = reverse(pages.PAGE, args=[pilot.pk])
    words = _("Main survey of the pilot")
    return format_html('{} <a href="{}">{}</a>', words, address, pilot.title)


def _paired(question: Question, parameters: Parameters) -> dict[str, Any]:
    """A question of a pilot: no device of its own is drawn from."""
    most = spent(parameters.devices_of(parameters.question(question.name)))
    note = _(
        "Asked in a pair with one of the others, which chance picks. A report to a pair can reveal "
        "at most ε %(most)s about this answer; the question itself adds %(own)s."
    )
    values = {"most": numbers.epsilon(most), "own": numbers.decimal(question.known_epsilon)}
    return {
        "epsilon": values["own"],
        "device_label": _("in random pairs"),
        "device_note": note % values,
    }
