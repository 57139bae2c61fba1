"""Objects for tests: plain functions with explicit defaults, and one small cast of users."""

import json
import uuid
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from surveys.features.arms.words import with_sentence
from surveys.features.roster.changes import replace_roster
from surveys.features.tiers.models import Tier
from surveys.models import CoAuthor, Launch, Question, Survey
from surveys.services.launches import launch_survey

PASSWORD = "a long enough passphrase"
# Short names for what is set for features, of a question and of a survey.
OF_QUESTION = {
    "split_epsilon": ("arms", "split_epsilon"),
    "asked_directly": ("arms", "asked_directly"),
    "known_share": ("control_items", "share"),
    "help_box": ("support", "box"),
    "help_after_section": ("support", "after_section"),
    "section_title": ("sections", "title"),
    "section_text": ("sections", "text"),
    "section_together": ("sections", "together"),
    "section_random": ("sections", "random"),
    "section_moves": ("sections", "moves"),
    "section_apart": ("sections", "apart"),
    "battery": ("batteries", "number"),
    "battery_text": ("batteries", "text"),
    "battery_random": ("batteries", "random"),
    "option_order": ("option_orders", "by"),
    "option_order_last": ("option_orders", "last"),
    "option_order_kept": ("option_orders", "kept"),
}
OF_SURVEY = {
    "split_share": ("arms", "split"),
    "direct_share": ("arms", "direct"),
    "cross_tables": ("tables", "pairs"),
    "analyses": ("analyses", "analyses"),
    "weighting": ("analyses", "margins"),
    "pilot": ("pilots", "on"),
    "help_text": ("support", "text"),
    "quick_exit": ("support", "quick_exit"),
    "exit_address": ("support", "address"),
    "shared": ("shared_device", "use"),
    "quotas": ("quotas", "lines"),
    "thanks": ("closing_page", "complete_text"),
    "free_text_questions": ("free_texts", "questions"),
    "free_text_characters": ("free_texts", "characters"),
    "last_page_title": ("sections", "title"),
    "last_page_text": ("sections", "text"),
}


def with_features(values: dict[str, Any], names: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """The values of a survey or a question, what is set for features as it is stored."""
    features: dict[str, dict[str, Any]] = dict(values.get("features", {}))
    for key in names.keys() & values.keys():
        feature, name = names[key]
        value = str(values[key]) if isinstance(values[key], Decimal) else values[key]
        if key == "weighting":
            # As the document has it.
            value = value["margins"] if value else []
        features.setdefault(feature, {})[name] = value
    others = {key: value for key, value in values.items() if key not in names}
    return others | ({"features": features} if features else {})


def make_user(name: str, *, author: bool = False, superuser: bool = False) -> User:
    user = User.objects.create_user(
        name, password=PASSWORD, is_staff=author or superuser, is_superuser=superuser
    )
    if author:
        user.groups.add(Group.objects.get(name="Authors"))
    return user


def shared(survey: Survey, role: str) -> User:
    """An author who is a co-author of the survey, called after the role."""
    user = make_user(f"{role}-person", author=True)
    CoAuthor.objects.create(survey=survey, user=user, role=role)
    return user


def owner() -> User:
    return User.objects.filter(username="owner").first() or make_user("owner", author=True)


def make_survey(*, owned_by: User | None = None, **values: Any) -> Survey:
    """A draft with one sensitive yes/no question named q1.

    `tiers` are names with shares, `roster` the rows of its roster.
    """
    questions, tiers = values.pop("questions", None), values.pop("tiers", ())
    roster = values.pop("roster", ())
    defaults = {
        "title": "Health at work",
        "slug": "health",
        "introduction": "A short survey.",
        "consent": "Taking part is voluntary.",
        "contact": "survey@example.org",
        "budget": Decimal("3"),
        "budget_reason": "A test of many questions.",
        "precision_reason": "A test of few people.",
        "release_threshold": 1,
        "release_batch": 1,
        "owner": owned_by or owner(),
    }
    survey = Survey(**with_features({**defaults, **values}, OF_SURVEY))
    if any(each.get("asked_directly") for each in questions or ()):
        survey.consent = with_sentence(survey)
    survey.save()
    for number, question in enumerate([{}] if questions is None else questions, start=1):
        make_question(survey, number=number, **question)
    for position, (name, share) in enumerate(tiers):
        Tier.objects.create(survey=survey, position=position, name=name, share=Decimal(share))
    if roster:
        replace_roster(survey=survey, rows=roster)
    return survey


def make_question(survey: Survey, *, number: int | None = None, **values: Any) -> Question:
    number = number or survey.questions.count() + 1
    defaults = {
        "position": number,
        "name": f"q{number}",
        "kind": "yes_no",
        "text": "Have you ever used a drug at work?",
        "randomized": True,
        "epsilon": Decimal("1") if values.get("randomized", True) else None,
    }
    if Decimal(values.get("epsilon") or 0) > 4:
        defaults["epsilon_reason"] = "A test of weak protection."
    return Question.objects.create(
        survey=survey, **with_features({**defaults, **values}, OF_QUESTION)
    )


def launched(**values: Any) -> Launch:
    """A survey that is open, by its launch."""
    return launch_survey(survey=make_survey(**values), actor=None)


def response(launch: Launch, **values: Any) -> dict[str, Any]:
    """A valid response: report 0 to every device, under a new submission id."""
    reports = {
        device["id"]: _first_report(device["table"]) for device in launch.document["devices"]
    }
    return {
        "digest": launch.digest,
        "submission": str(uuid.uuid4()),
        "reports": reports,
        **values,
    }


def sent(client: Client, launch: Launch, body: dict[str, Any] | None = None, **options: Any) -> Any:
    """The answer to a response, a valid one if its content is not given, that comes as JSON."""
    text = json.dumps(response(launch) if body is None else body)
    address = reverse("responses", args=[launch.survey.slug])
    return client.post(address, text, **{"content_type": "application/json", **options})


def _first_report(table: dict[str, Any]) -> Any:
    return [0] * len(table["steps"]) if table["form"] == "chain" else 0
