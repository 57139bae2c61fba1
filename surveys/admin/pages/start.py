"""The way to a new survey: blank, from a file, or from a template that is read before its use."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils import translation
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.page import attempt, author_of, to_change_page
from surveys.admin.survey_list import how_many_questions
from surveys.authoring.addresses import free_address
from surveys.authoring.checks.strength_findings import words_of_question
from surveys.authoring.features import epsilon_of_person
from surveys.authoring.panel.total_words import total_words
from surveys.authoring.planning.figures import focal_margin
from surveys.devices.joint_margin import report_epsilon
from surveys.drafts import Draft
from surveys.kinds import categories, is_about_members, kind_of
from surveys.models import Question
from surveys.services.definitions import import_definition, unsaved_draft, unsaved_questions
from surveys.survey_templates import SurveyTemplate, languages_of, template_in, templates_in

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

TEMPLATES = "admin/surveys/survey"


@dataclass(frozen=True, slots=True)
class Card:
    """A template on the list of all; `facts` says how many questions it has."""

    template: SurveyTemplate
    facts: str


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question of a template as an author reads it, with its answers in its own language.

    `protection`: what a report of it can reveal. `margin`: how well its share will be known.
    """

    question: Question
    kind: str
    answers: list[str]
    protection: str
    margin: str


@dataclass(frozen=True, slots=True)
class Summary:
    """All that the numbers of a template are: its questions, their sum, and the worst margin."""

    rows: list[QuestionRow]
    count: str
    spent: str
    meaning: str
    accuracy: str


def start(model_admin: "SurveyAdmin", request: HttpRequest) -> HttpResponse:
    """Show what a survey can begin with."""
    _check_access(model_admin, request)
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET"])
    cards = [*map(_card_of, templates_in(translation.get_language() or ""))]
    return _rendered(model_admin, request, "start.html", title=_("Start a survey"), cards=cards)


def template_page(model_admin: "SurveyAdmin", request: HttpRequest, name: str) -> HttpResponse:
    """Show what a template has and means, or make a draft of it."""
    _check_access(model_admin, request)
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "POST"])
    chosen = request.POST if request.method == "POST" else request.GET
    language = chosen.get("language") or translation.get_language() or ""
    try:
        template, languages = template_in(name, language), languages_of(name)
    except KeyError:
        raise Http404 from None
    summary = summary_of(template, author_of(request))
    if request.method == "POST":
        return _use(model_admin, request, template, summary)
    named = [(code, label) for code, label in settings.LANGUAGES if code in languages]
    return _rendered(
        model_admin,
        request,
        "template.html",
        title=template.label,
        template=template,
        summary=summary,
        languages=named,
    )


def summary_of(template: SurveyTemplate, owner: User) -> Summary:
    """Return the questions of a template and what all of them mean together; nothing is stored."""
    survey = unsaved_draft(template.definition, owner)
    questions = unsaved_questions(template.definition, survey)
    sensitive = [question for question in questions if question.randomized]
    total = epsilon_of_person(survey, questions)
    spent = _("A total epsilon of %(total)s, of a budget of %(budget)s.")
    values = {"total": numbers.decimal(total), "budget": numbers.decimal(survey.budget)}
    return Summary(
        rows=[_row(question, survey.planned_n, survey.language) for question in questions],
        count=how_many_questions(len(questions), len(sensitive)),
        spent=spent % values,
        meaning=total_words(questions, total),
        accuracy=_accuracy(sensitive, survey.planned_n),
    )


def _use(
    model_admin: "SurveyAdmin", request: HttpRequest, template: SurveyTemplate, summary: Summary
) -> HttpResponse:
    address = free_address(template.definition.address)
    definition = msgspec.structs.replace(template.definition, address=address)
    with attempt(request) as outcome:
        imported = import_definition(definition=definition, owner=author_of(request))
    if not outcome.succeeded:
        # Such as a site that allows less epsilon than the template has.
        return redirect("admin:survey_template", template.name)
    made = _("Made from the template “%s”.") % template.label
    model_admin.log_addition(request, imported.survey, made)
    parts = (_("This draft is made from a template."), summary.spent, summary.meaning)
    words = " ".join([*parts, summary.accuracy])
    model_admin.message_user(request, words, "SUCCESS")
    adapt = render_to_string(f"{TEMPLATES}/adapt.html", {"template": template})
    model_admin.message_user(request, adapt, "WARNING")
    for sentence in imported.changed:
        model_admin.message_user(request, sentence, "WARNING")
    return to_change_page(imported.survey)


def _row(question: Question, planned_n: int, language: str) -> QuestionRow:
    epsilon = report_epsilon(question) if question.randomized else None
    with translation.override(language):
        answers = [] if is_about_members(question) else categories(question)
    return QuestionRow(
        question=question,
        kind=str(kind_of(question).label),
        answers=answers,
        protection=words_of_question(question, epsilon) if epsilon else "",
        margin=_margin_words(question, planned_n),
    )


def _margin_words(question: Question, planned_n: int) -> str:
    if not question.randomized:
        return ""
    if is_about_members(question):
        return _("How well the network will be known depends on how many members it has.")
    margin = _margin(question, planned_n)
    if margin is None:
        return ""
    values = {"margin": numbers.margin(margin), "n": numbers.count(planned_n)}
    return _("%(margin)s with %(n)s respondents") % values


def _accuracy(questions: Sequence[Question], planned_n: int) -> str:
    """Return how well the least certain of these questions will be known."""
    margins = [margin for each in questions if (margin := _margin(each, planned_n)) is not None]
    if not margins:
        return ""
    sentence = _("With %(n)s respondents each share will be known to %(margin)s or better.")
    return sentence % {"n": numbers.count(planned_n), "margin": numbers.margin(max(margins))}


def _margin(question: Question, planned_n: int) -> float | None:
    """Return the margin that the panel shows beside its epsilon; None of a network."""
    has_one = kind_of(question).has_margin and question.randomized
    return focal_margin(Draft.of(question), planned_n) if has_one else None


def _card_of(template: SurveyTemplate) -> Card:
    questions = template.definition.questions
    sensitive = sum(question.randomized for question in questions)
    return Card(template, how_many_questions(len(questions), sensitive))


def _check_access(model_admin: "SurveyAdmin", request: HttpRequest) -> None:
    if not model_admin.has_add_permission(request):
        raise PermissionDenied


def _rendered(
    model_admin: "SurveyAdmin", request: HttpRequest, page: str, **context: Any
) -> HttpResponse:
    frame = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "media": model_admin.media,
    }
    return TemplateResponse(request, f"{TEMPLATES}/{page}", frame | context)
