"""The demonstration: two logins and one survey whose respondents are simulated."""

import secrets
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import Group, User
from django.db import transaction

from surveys.authoring.simulation import ConditionalTruth, simulated_responses
from surveys.models import Launch, Question, Survey
from surveys.services.launches import launch_survey
from surveys.services.roles import AUTHORS

SLUG = "workplace-health"

SURVEY = {
    "slug": SLUG,
    "title": "Health and conduct at work",
    "introduction": (
        "A demonstration of Candor. Its first 2,000 respondents are simulated, so that the results "
        "can show the truth beside the estimate. You are welcome to add a response of your own."
    ),
    "consent": "Taking part is voluntary. You can stop at any time before you send.",
    "contact": "This is a demonstration on your own machine; nobody else receives anything.",
    "budget": Decimal("3"),
    "planned_n": 2000,
    "linkage": Survey.Linkage.TOGETHER,
    "cross_tables": [["bullied", "size"]],
    # So small that a visitor who answers sees the count change; a real survey keeps the default.
    "release_batch": 1,
    "results_public": True,
}

SIZES = [0.21, 0.28, 0.24, 0.27]
# No, yes, prefers not to say: within workplaces of each size.
BULLIED = [[0.88, 0.06, 0.06], [0.80, 0.14, 0.06], [0.70, 0.24, 0.06], [0.58, 0.36, 0.06]]
# The share of respondents who use a physical randomizer instead of the page.
PHYSICAL_SHARE = 0.15


def _marginal(groups: list[float], conditional_shares: list[list[float]]) -> list[float]:
    pairs = list(zip(groups, conditional_shares, strict=True))
    return [
        round(sum(group * shares[index] for group, shares in pairs), 6)
        for index in range(len(conditional_shares[0]))
    ]


# The questions, and the true share of each category among the simulated respondents.
QUESTIONS: list[tuple[dict[str, Any], list[float]]] = [
    (
        {
            "name": "bullied",
            "text": "In the past 12 months, has a colleague or superior bullied you?",
            "help_text": "Repeatedly humiliated, threatened or shut out, for example.",
            "prefer_not": True,
            "required": False,
            "physical_device": "two_dice",
            "epsilon": Decimal("1"),
        },
        _marginal(SIZES, BULLIED),
    ),
    (
        {
            "name": "substances",
            "kind": "multiple_choice",
            "design": "whole_set",
            "text": "In the past 30 days, what did you take to get through a workday?",
            "prefer_not": True,
            # Only the page can randomize a set of ticks, so users of dice skip the question.
            "required": False,
            "options": ["Alcohol", "Medicine that was not prescribed to me"],
            "epsilon": Decimal("1"),
        },
        [0.22, 0.14, 0.06],
    ),
    (
        {
            "name": "exhausted",
            "kind": "scale",
            "text": "How often are you too exhausted after work for anything else?",
            "options": [
                "Never",
                "Once a month",
                "Once a week",
                "Several times a week",
                "Every day",
            ],
            "prefer_not": True,
            "required": False,
            "physical_device": "phone_digits",
            "epsilon": Decimal("1"),
        },
        [0.12, 0.20, 0.30, 0.24, 0.11, 0.03],
    ),
    (
        {
            "name": "size",
            "kind": "single_choice",
            "text": "How many people work where you work?",
            "options": ["Fewer than 10", "10 to 49", "50 to 249", "250 or more"],
            "randomized": False,
        },
        SIZES,
    ),
    (
        {
            "name": "recommend",
            "text": "Would you recommend your workplace to a friend?",
            "randomized": False,
            "required": False,
        },
        [0.38, 0.62],
    ),
]


@transaction.atomic
def create_demo() -> dict[str, str]:
    """Create missing logins and the survey; returns the new passwords by login."""
    if User.objects.exists():
        return {}
    passwords = {name: secrets.token_urlsafe(12) for name in ("author", "admin")}
    User.objects.create_superuser("admin", password=passwords["admin"])
    author = User.objects.create_user("author", password=passwords["author"], is_staff=True)
    author.groups.add(Group.objects.get(name=AUTHORS))
    launch_demo(owner=author)
    return passwords


def launch_demo(*, owner: User) -> Launch:
    truth = {question["name"]: shares for question, shares in QUESTIONS}
    survey = Survey.objects.create(**SURVEY, owner=owner, simulated_truth=truth)
    for position, (question, _) in enumerate(QUESTIONS, start=1):
        Question.objects.create(survey=survey, position=position, **question)
    return launch_survey(survey=survey, actor=owner)


def demo_launch() -> Launch | None:
    """The demo survey's launch, while it is still the demo and still open."""
    survey = Survey.objects.accepting_responses().filter(slug=SLUG).first()
    return survey.current_launch() if survey is not None and survey.simulated_truth else None


def simulate(launch: Launch, count: int, *, seed: int) -> list[dict[str, dict[str, Any]]]:
    """Simulated responses with the truths of the demo, ready to be sent."""
    truth = launch.survey.simulated_truth
    if truth is None:
        raise ValueError("the demo's people have a truth")
    return simulated_responses(
        launch.parameters,
        truth,
        count,
        seed,
        conditional_truths={"bullied": ConditionalTruth("size", BULLIED)},
        physical_share=PHYSICAL_SHARE,
    )
