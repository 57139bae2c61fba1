"""The posts that an author's browser sends from the change page."""

from typing import Any
from unittest import mock

from django.template.response import SimpleTemplateResponse
from django.test import Client
from django.urls import reverse

from surveys.models import Survey
from tests.builders import owner

ADD = reverse("admin:surveys_survey_add")
PLAIN = {
    "title": "Health at work",
    "slug": "health",
    "language": "en",
    "layout": "one",
    "introduction": "",
    "consent": "",
    "contact": "",
    "opens_at": "",
    "closes_at": "",
    "budget": "3",
    "budget_reason": "",
    "precision_reason": "",
    "planned_n": "500",
    "population": "sample",
    "cross_tables": "",
    "mode": "open",
    "linkage": "apart",
    "release_threshold": "20",
    "release_batch": "5",
    "embed_origins": "",
}
QUESTION = {
    "position": "1",
    "text": "Have you ever used a drug at work?",
    "help_text": "",
    "kind": "yes_no",
    "options": "",
    "randomized": "True",
    "epsilon": "1",
    "epsilon_reason": "",
    "required": "on",
    "name": "q1",
}


def sign_in(client: Client, user: Any = None) -> Client:
    client.force_login(user or owner())
    return client


def page(survey: Survey, name: str = "change") -> str:
    prefix = "surveys_survey" if name in ("change", "delete", "history") else "survey"
    return reverse(f"admin:{prefix}_{name}", args=[survey.pk])


def form_data(*questions: dict[str, Any], initial: int = 0, **changes: Any) -> dict[str, Any]:
    """The data of the whole form; each of `questions` is a change to one plain question."""
    data: dict[str, Any] = {**PLAIN, **changes}
    data["questions-TOTAL_FORMS"] = str(len(questions))
    data["questions-INITIAL_FORMS"] = str(initial)
    data["questions-MIN_NUM_FORMS"], data["questions-MAX_NUM_FORMS"] = "0", "200"
    for index, question in enumerate(questions):
        entry = {**QUESTION, "name": f"q{index + 1}", "position": str(index + 1), **question}
        data |= {f"questions-{index}-{name}": str(value) for name, value in entry.items()}
    return {name: value for name, value in data.items() if value is not None}


def errors_of(response: Any) -> dict[str, list[str]]:
    """All errors of the page: the survey's fields, and the questions' as `0.name`."""
    context = response.context or response.context_data
    messages_by_field = dict(context["adminform"].form.errors)
    for inline in context["inline_admin_formsets"]:
        for index, errors in enumerate(inline.formset.errors):
            messages_by_field |= {f"{index}.{name}": messages for name, messages in errors.items()}
    return messages_by_field


def post_new(client: Client, *questions: dict[str, Any], **changes: Any) -> Any:
    """The answer to a new survey."""
    return sign_in(client).post(ADD, form_data(*questions, **changes))


def saved(client: Client, *questions: dict[str, Any], **changes: Any) -> Survey:
    """A new survey, which is the only one."""
    answer = post_new(client, *questions, **changes)
    assert answer.status_code == 302, errors_of(answer)
    return Survey.objects.get()


def refused(client: Client, *questions: dict[str, Any], **changes: Any) -> Any:
    """The answer to a new survey, of which nothing is kept."""
    answer = post_new(client, *questions, **changes)
    assert answer.status_code == 200
    assert not Survey.objects.exists()
    return answer


def errors_of_refused(
    client: Client, *questions: dict[str, Any], **changes: Any
) -> dict[str, list[str]]:
    """The errors of a new survey, of which nothing is kept.

    The page with them is not made, which would take longer than all else; `refused` has it.
    """
    with mock.patch.object(SimpleTemplateResponse, "rendered_content", ""):
        return errors_of(refused(client, *questions, **changes))


def post_table(client: Client, url: str, values: dict[str, Any], **options: Any) -> Any:
    """Send a table, and once more as it was shown."""
    answer = client.post(url, values)
    form = (answer.context or {}).get("form")
    if form is None or not form.initial.get("shown"):
        return answer
    rows = {name: form.initial[name] for name in ("rows", "shown")}
    return client.post(url, rows, **options)
