"""What an author's browser sends from the pages of a draft."""

import json
from collections.abc import Mapping
from typing import Any

from django.test import Client
from django.urls import reverse

from surveys.admin.editor.question_figures import QuestionFigures, figures_of
from surveys.authoring.draft_merge import Values, is_unfinished, prints_of
from surveys.authoring.draft_parameters import questions_of
from surveys.devices import default_family
from surveys.drafts import Draft
from surveys.forms.edited_question import EditedQuestionForm, question_sheet
from surveys.kinds import KINDS
from surveys.models import Question, Survey
from tests.app.posted_fields import Fields
from tests.builders import make_survey, owner

ADD = reverse("admin:surveys_survey_add")
# What a new survey is given, but for what its pages set by themselves.
PLAIN = {
    "title": "Health at work",
    "slug": "health",
    "language": "en",
    "layout": "one",
    "budget": "3",
    "planned_n": "500",
    "population": "sample",
    "mode": "open",
    "linkage": "apart",
    "release_threshold": "20",
    "release_batch": "5",
}
QUESTION = {
    "text": "Have you ever used a drug at work?",
    "kind": "yes_no",
    "randomized": "True",
    "epsilon": "1",
    "required": "on",
}
SCRIPT = {"Accept": "application/json"}


def sign_in(client: Client, user: Any = None) -> Client:
    client.force_login(user or owner())
    return client


def page(survey: Survey, name: str = "change", *numbers: int) -> str:
    prefix = "surveys_survey" if name in ("change", "delete", "history") else "survey"
    return reverse(f"admin:{prefix}_{name}", args=[survey.pk, *numbers])


def question_page(question: Question, name: str = "question") -> str:
    return reverse(f"admin:survey_{name}", args=[question.survey_id, question.pk])


def started(client: Client) -> Survey:
    """A new draft, as the desk begins one."""
    before = set(Survey.objects.values_list("pk", flat=True))
    response = sign_in(client).post(ADD)
    assert response.status_code == 302
    return Survey.objects.exclude(pk__in=before).get()


def write_settings(client: Client, survey: Survey, **changes: Any) -> dict[str, Any]:
    """Type into the settings; None unticks a box. Return the answer to the page's script."""
    stored = Fields(client.get(page(survey, "settings")).text, "survey_form").seen
    data = _posted(changes, seen={name: stored[name] for name in changes if name in stored})
    response = client.post(page(survey, "settings"), data, headers=SCRIPT)
    assert response.status_code == 200, response.text
    return response.json()


def add_question(client: Client, survey: Survey, kind: str = "yes_no") -> Question:
    response = client.post(page(survey, "question_add"), {"kind": kind})
    assert response.status_code == 302
    return survey.questions.latest("pk")


def write_question(client: Client, question: Question, **changes: Any) -> dict[str, Any]:
    """Type into one question; None unticks a box. Return the answer to the page's script."""
    question.refresh_from_db()
    stored = prints_of(question_sheet(question).texts())
    data = _posted(changes, seen={name: stored[name] for name in changes if name in stored})
    response = client.post(question_page(question), data, headers=SCRIPT)
    assert response.status_code == 200, response.text
    return response.json()


def _posted(changes: Mapping[str, Any], seen: Mapping[str, str]) -> dict[str, Any]:
    typed = {name: value for name, value in changes.items() if value is not None}
    return {**typed, "seen": json.dumps(seen)}


def composed(client: Client, *questions: dict[str, Any], **changes: Any) -> tuple[Survey, Any]:
    """A new survey with plain questions, each changed in its own way; and all errors.

    Those of a question are under its number from 0, as in `0.name`.
    """
    survey = started(client)
    errors = {}
    if changes:
        errors |= write_settings(client, survey, **{**PLAIN, **changes})["errors"]
    else:
        # The same without the page, which takes longer than all else here.
        Survey.objects.filter(pk=survey.pk).update(**PLAIN)
    for number, question in enumerate(questions):
        typed = {"prefer_not": None, **QUESTION, "name": f"q{number + 1}", **question}
        kind = typed["kind"] if typed["kind"] in KINDS else "yes_no"
        row = add_question(client, survey, kind)
        answer = write_question(client, row, **typed)
        errors |= {f"{number}.{name}": texts for name, texts in answer["errors"].items()}
    survey.refresh_from_db()
    return survey, errors


def saved(client: Client, *questions: dict[str, Any], **changes: Any) -> Survey:
    """A new survey in which everything is right."""
    survey, errors = composed(client, *questions, **changes)
    assert not errors, errors
    return survey


def errors_of_new(
    client: Client, *questions: dict[str, Any], **changes: Any
) -> dict[str, list[str]]:
    """What is wrong with a new survey, which keeps it as it was typed."""
    survey, errors = composed(client, *questions, **changes)
    rows = [survey, *survey.questions.all()]
    unfinished = any(is_unfinished(row.typed) for row in rows)
    assert unfinished == bool(errors)
    return errors


def opened(client: Client, question: Question) -> Any:
    """The page of a draft with this question open."""
    response = client.get(question_page(question))
    assert response.status_code == 200
    return response


def typed_form(question: Question, **typed: Any) -> EditedQuestionForm:
    """The open question with other texts in it; None unticks a box. Nothing is stored."""
    (stored,) = [each for each in questions_of(question.survey) if each.pk == question.pk]
    sheet = question_sheet(stored)
    form = sheet.bound({**sheet.texts(), **_texts(typed)})
    assert isinstance(form, EditedQuestionForm)
    return form


def typed_figures(question: Question, **typed: Any) -> QuestionFigures:
    """What the open question says with other texts in it, of which nothing is stored."""
    form = typed_form(question, **typed)
    return figures_of(form, question.survey, questions_of(question.survey))


def _texts(typed: Mapping[str, Any]) -> Values:
    return {name: () if value is None else (str(value),) for name, value in typed.items()}


def stored_question(survey: Survey | None = None, **typed: Any) -> Question:
    """The one question of a draft, with the kind, answers, device and epsilon that are typed.

    Without a device it has the usual one of its kind; an epsilon that is none is not stored.
    """
    survey = survey or Survey.objects.first() or make_survey()
    question = survey.questions.get()
    for name in {"kind", "design"} & typed.keys():
        setattr(question, name, typed[name])
    question.options = [line for line in typed.get("options", "").split("\n") if line]
    question.prefer_not = bool(typed.get("prefer_not"))
    epsilon = typed_form(question, **typed).cleaned_data.get("epsilon")
    question.epsilon = epsilon or question.epsilon
    if "design" not in typed and question.kind in KINDS:
        question.design = default_family(Draft.of(question)).name
    question.save()
    return question


def post_table(client: Client, url: str, values: dict[str, Any], **options: Any) -> Any:
    """Send a table, and once more as it was shown."""
    answer = client.post(url, values)
    form = (answer.context or {}).get("form")
    if form is None or not form.initial.get("shown"):
        return answer
    rows = {name: form.initial[name] for name in ("rows", "shown")}
    return client.post(url, rows, **options)
