"""The field that makes a survey a pilot, its pages, and what pages say of it and its pairs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.contrib.admin.utils import display_for_value
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.overview import Tool, tool_of
from surveys.features.parts import DeskPart, Facts, Moment, OwnField
from surveys.features.pilots import pages as views
from surveys.features.pilots.figures import pilot_words
from surveys.features.pilots.forms import FIELD, pilot_field
from surveys.features.pilots.settings import is_pilot, pilot_settings, set_pilot
from surveys.models import Question, Survey
from surveys.parameters import Parameters
from surveys.parameters.budget import spent

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def _yes_or_no(on: bool) -> str:
    return display_for_value(on, "", boolean=True)


class PilotsAtDesk(DeskPart):
    survey_field = OwnField(FIELD, pilot_field, read=is_pilot, store=set_pilot, text=_yes_or_no)
    pages = {
        "clusters": ("clusters/", views.clusters),
        "clusters_start": ("clusters/start/", views.clusters_start),
        "clusters_status": ("clusters/<int:run_id>/status.json", views.clusters_status),
        "clusters_stop": ("clusters/<int:run_id>/stop/", views.clusters_stop),
        "main_survey": ("clusters/main-survey/", views.main_survey),
    }

    def words(self, survey: Survey, moment: Moment) -> "Iterator[StrOrPromise]":
        """Yield whether it is a pilot, and from which one of the same author it was made."""
        if moment is not Moment.RIBBON:
            return
        if is_pilot(survey):
            yield _("Pilot")
        key = pilot_settings(survey).made_from
        if key is not None:
            yield from map(_made_from, Survey.objects.filter(pk=key, owner=survey.owner_id))

    def frozen_questions(
        self, survey: Survey, questions: Sequence[Question], parameters: Parameters
    ) -> Mapping[str, Mapping[str, Any]]:
        asked = [each for each in questions if each.randomized] if is_pilot(survey) else []
        return {question.name: _paired(question, parameters) for question in asked}

    def tools(self, survey: Survey) -> list[Tool]:
        if survey.is_draft or not is_pilot(survey):
            return []
        return [tool_of(survey, "clusters", _("Clusters"))]

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        words = pilot_words(questions, survey.planned_n) if is_pilot(survey) else ""
        return [(_("Pilot"), [words])] if words else []


def _made_from(pilot: Survey) -> SafeString:
    address = reverse(views.PAGE, args=[pilot.pk])
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
