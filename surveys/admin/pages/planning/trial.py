"""Test fill: simulated respondents with a chosen truth, and how well it is recovered."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.page import render_page, survey_page, to_change_page
from surveys.authoring.planning.coverage import simulated_coverage
from surveys.authoring.planning.coverage_rows import coverage_rows
from surveys.authoring.planning.recovery_rates import recovery_of
from surveys.authoring.planning.simulation import simulated_survey
from surveys.devices.tie_bits import expected_ties
from surveys.drafts import Draft
from surveys.exceptions import NotReadyError
from surveys.features import used_features
from surveys.features.parts import Moment
from surveys.forms.planning.trial import TrialForm
from surveys.kinds import KINDS, kind_of
from surveys.kinds.short_text import stand_ins
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.services.launches import parameters_to_serve

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# The answers of all questions together: each is a field, estimated while the author waits.
MOST_ANSWERS = 2_000
# Names on the lists of all members, over all questions about members: two of 1,000 members.
MOST_NAMES = 2_000_000
# Texts that occur in a test fill, of those that are looked for; and without a list.
MOST_TEXTS, SOME_TEXTS = 20, 5


@survey_page("GET", "POST")
def trial(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    try:
        served_parameters = parameters_to_serve(survey=survey)
    except NotReadyError as error:
        model_admin.message_user(request, error.message, "ERROR")
        return to_change_page(survey)
    parameters = served_parameters.parameters
    texts = _texts_to_try(survey, parameters)
    if problem := _too_long(parameters):
        model_admin.message_user(request, problem, "ERROR")
        return to_change_page(survey)
    form = TrialForm(
        request.POST or None,
        parameters=parameters,
        texts=texts,
        ties=_ties_to_try(survey),
        answering=survey.planned_n,
    )
    recovery = coverage = None
    if form.is_valid():
        truth, n = form.truth(), form.cleaned_data["respondents"]
        seen = form.seen(parameters)
        filled = simulated_survey(seen, served_parameters.digest, truth, n, texts)
        recovery = recovery_of(filled.results, truth, filled.networks)
        coverage = coverage_rows(seen, simulated_coverage(seen, truth, n))
    context: dict[str, Any] = {
        "title": _("Test fill"),
        "form": form,
        "recovery": recovery,
        "coverage": coverage,
        "notes": [
            words
            for feature in used_features(parameters)
            for words in feature.desk.words(survey, Moment.TRIED)
        ],
    }
    return render_page(model_admin, request, survey, "trial.html", **context)


def _texts_to_try(survey: Survey, parameters: Parameters) -> dict[str, list[str]]:
    """The first candidates of each question that takes a text, or texts made up for it."""
    listed = dict(survey.questions.values_list("name", "candidates"))
    return {
        question.id: listed.get(question.id, [])[:MOST_TEXTS] or stand_ins(SOME_TEXTS)
        for question in parameters.questions
        if KINDS[question.kind].free_text
    }


def _ties_to_try(survey: Survey) -> dict[str, Decimal]:
    """How many ties a member is expected to have, by question about members."""
    return {
        question.name: min(expected_ties(Draft.of(question)), Decimal(question.members - 1))
        for question in survey.questions.all()
        if kind_of(question).about_members and question.members
    }


def _too_long(parameters: Parameters) -> str:
    """Why the fill would take too long; empty where it would not."""
    count = sum(len(question.categories) for question in parameters.questions)
    if count > MOST_ANSWERS:
        message = _(
            "A test fill takes surveys with up to %(most)s answers to choose from, over all "
            "questions; this one has %(count)s. Clone it and try a part of it."
        )
        return message % {"most": numbers.count(MOST_ANSWERS), "count": numbers.count(count)}
    members = parameters.members.size if parameters.members else 0
    asked = sum(KINDS[question.kind].about_members for question in parameters.questions)
    pairs = asked * members * (members - 1)
    if pairs > MOST_NAMES:
        message = _(
            "A test fill takes surveys in which up to %(most)s names are ticked or not, by all "
            "members and over all questions; in this one %(count)s are. Clone it, keep fewer of "
            "the questions about the members, and upload the members there."
        )
        return message % {"most": numbers.count(MOST_NAMES), "count": numbers.count(pairs)}
    return ""
