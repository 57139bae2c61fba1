"""The demonstration: a survey of workplaces, and respondents of whom some come back."""

import secrets
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
from django.contrib.auth.models import User
from scipy.special import expit

from surveys.authoring.planning.simulation import (
    ConditionalTruth,
    SimulatedRespondents,
    simulated_respondents,
    simulated_responses,
    simulated_returns,
)
from surveys.features.parts import DemoPart, Filling
from surveys.features.return_codes.changes import launch_next_wave
from surveys.features.return_codes.section import KEY, PSEUDONYMOUS, new_code
from surveys.models import AnalysisFit, Launch, Question, Survey, WeightedShares
from surveys.services import release_fits
from surveys.services.analysis_fits import ANALYSIS
from surveys.services.launches import launch_survey
from surveys.services.weighted_results import WEIGHTS

SLUG = "workplace-health"

SURVEY = {
    "slug": SLUG,
    "title": "Health and conduct at work",
    "introduction": (
        "A demonstration of Candor. Its first 1,500 respondents are simulated, so that the results "
        "can show the truth beside the estimate; 500 of them have answered a second wave as well. "
        "Answer as somebody new, or come back as one of the others: two of their return codes "
        "were printed when Candor was started."
    ),
    "consent": "Taking part is voluntary. You can stop at any time before you send.",
    "contact": "This is a demonstration on your own machine; nobody else receives anything.",
    "budget": Decimal("3"),
    "planned_n": 2000,
    "mode": PSEUDONYMOUS,
    "linkage": Survey.Linkage.TOGETHER,
    "cross_tables": [["bullied", "size"]],
    "analyses": [
        {
            "name": "Who is bullied",
            "outcome": "bullied",
            "event": [1],
            "link": "logit",
            "predictors": [
                {"question": "size", "scored": False},
                {"question": "age", "scored": True},
            ],
            "weighted": False,
        },
        {
            "name": "Whether the bullied would recommend their workplace",
            "outcome": "recommend",
            "event": [1],
            "link": "logit",
            "predictors": [{"question": "bullied", "scored": False}],
            "weighted": True,
        },
    ],
    # The population: more small workplaces and older people than among the respondents.
    "weighting": {
        "margins": [
            {"question": "size", "shares": ["0.3", "0.28", "0.2", "0.22"]},
            {"question": "age", "shares": ["0.22", "0.32", "0.33", "0.13"]},
        ]
    },
    # As authors are told to: whoever looks before and after an answer learns nothing of it.
    "release_batch": 5,
    "results_public": True,
}

SIZES = [0.21, 0.28, 0.24, 0.27]
AGES = [0.31, 0.33, 0.25, 0.11]
# The log odds of being bullied: in the smallest workplaces at the age numbered 0, what other sizes
# add, and what each older age adds.
INTERCEPT, OF_SIZE, OF_AGE = -1.1, np.array([0.0, 0.6, 1.2, 1.8]), -0.6
RATHER_NOT = 0.1
# No and yes, among those who are not bullied, who are, and who prefer not to say.
RECOMMEND = np.array([[0.25, 0.75], [0.8, 0.2], [0.55, 0.45]])
# The hours of unpaid overtime: how far the mean is from the lowest number to the highest.
OVERTIME = 0.22
# The epsilons of what the second wave asks more exactly; the ticks of a list are asked as before.
SECOND_WAVE = {
    "bullied": Decimal("1.2"),
    "exhausted": Decimal("0.7"),
    "overtime": Decimal("0.5"),
}
# The share of respondents who answer the second wave as well.
RETURNING_SHARE = 1 / 3
# Codes to try: of simulated respondents who have not come back.
CODES_TO_TRY = 2
CODES = "codes"


def _bullied() -> npt.NDArray[np.float64]:
    """The shares of no, yes and "prefer not to say", by size of the workplace and age."""
    yes = expit(INTERCEPT + OF_SIZE[:, None] + OF_AGE * np.arange(len(AGES)))
    return np.stack([1 - RATHER_NOT - yes, yes, np.full_like(yes, RATHER_NOT)], axis=-1)


BULLIED = _bullied()
BULLIED_OF_ALL = np.einsum("s,a,sac->c", SIZES, AGES, BULLIED)
CONDITIONAL_TRUTHS = {
    "bullied": ConditionalTruth(("size", "age"), BULLIED),
    "recommend": ConditionalTruth(("bullied",), RECOMMEND),
}


def _rounded(shares: npt.NDArray[np.float64]) -> list[float]:
    return [round(share, 6) for share in shares.tolist()]


# The questions, and the true share of each category among the simulated respondents.
QUESTIONS: list[tuple[dict[str, Any], list[float]]] = [
    (
        {
            "name": "bullied",
            "text": "In the past 12 months, has a colleague or superior bullied you?",
            "help_text": "Repeatedly humiliated, threatened or shut out, for example.",
            "prefer_not": True,
            "required": False,
            "epsilon": Decimal("1"),
        },
        _rounded(BULLIED_OF_ALL),
    ),
    (
        {
            "name": "substances",
            "kind": "multiple_choice",
            "design": "whole_set",
            "text": "In the past 30 days, what did you take to get through a workday?",
            "prefer_not": True,
            "required": False,
            "options": ["Alcohol", "Medicine that was not prescribed to me"],
            "epsilon": Decimal("0.6"),
        },
        [0.22, 0.14, 0.06],
    ),
    (
        {
            "name": "exhausted",
            "kind": "scale",
            "design": "cards",
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
            "epsilon": Decimal("0.6"),
        },
        [0.12, 0.20, 0.30, 0.24, 0.11, 0.03],
    ),
    (
        {
            "name": "overtime",
            "kind": "bounded_number",
            "design": "one_bit",
            "text": "In a typical week, how many hours do you work that nobody pays you for?",
            "scale": {"lower": "0", "upper": "20", "step": "0.5", "unit": "hours", "bins": []},
            "epsilon": Decimal("0.4"),
        },
        [1 - OVERTIME, OVERTIME],
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
            "name": "age",
            "kind": "scale",
            "text": "How old are you?",
            "options": ["Under 30", "30 to 44", "45 to 59", "60 or older"],
            "randomized": False,
        },
        AGES,
    ),
    (
        {
            "name": "recommend",
            "text": "Would you recommend your workplace to a friend?",
            "randomized": False,
            "required": False,
        },
        _rounded(BULLIED_OF_ALL @ RECOMMEND),
    ),
]


def launch_demo(*, owner: User) -> Launch:
    truth = {question["name"]: shares for question, shares in QUESTIONS}
    survey = Survey.objects.create(**SURVEY, owner=owner, simulated_truth=truth)
    for position, (question, _) in enumerate(QUESTIONS, start=1):
        Question.objects.create(survey=survey, position=position, **question)
    return launch_survey(survey=survey, actor=owner)


def demo_launch() -> Launch | None:
    """The demo survey's launch, while it is still the demo and still open."""
    surveys = Survey.objects.accepting_responses()
    survey = surveys.filter(slug=SLUG, mode=PSEUDONYMOUS).first()
    return survey.current_launch() if survey is not None and survey.simulated_truth else None


def launch_second_wave(launch: Launch) -> Launch:
    """Ask the same respondents again, as the author of a survey does."""
    survey = launch.survey
    return launch_next_wave(survey=survey, epsilons=SECOND_WAVE, actor=survey.owner)


def fit_all(launch: Launch) -> None:
    """Have workers fit and weight every response that has come, to the last tenth."""
    revision = Launch.objects.values_list("revision", flat=True).get(pk=launch.pk)
    release_fits.ask_all(ANALYSIS, AnalysisFit.objects.filter(launch=launch), revision)
    release_fits.ask_all(WEIGHTS, WeightedShares.objects.filter(launch=launch), revision)


def respondents_of(launch: Launch, count: int, *, seed: int) -> SimulatedRespondents:
    """Respondents with the truths of the demo, the same in every wave."""
    truth = launch.survey.simulated_truth
    if truth is None:
        raise ValueError("the demo's people have a truth")
    return simulated_respondents(
        launch.parameters,
        truth,
        count,
        seed,
        conditional_truths=CONDITIONAL_TRUTHS,
    )


class PeopleWhoComeBack(DemoPart):
    def launch(self, owner: User) -> None:
        launch_demo(owner=owner)

    def fill(self, filling: Filling) -> None:
        launch = demo_launch()
        if launch is not None and launch.wave == 1:
            _fill(launch, filling)

    def lines(self, url: str, filling: Filling) -> list[str]:
        lines = []
        if Survey.objects.filter(slug=SLUG).exclude(state=Survey.State.DRAFT).exists():
            lines += [f"  respondents   {url}/s/{SLUG}/"]
            lines += [f"  results       {url}/s/{SLUG}/results/"]
        for code in filling.kept(CODES, []):
            lines += [f"  return code   {code}  (of a simulated respondent, to come back with)"]
        return lines


def _fill(first: Launch, filling: Filling) -> None:
    """Two waves: the first topped up to all respondents, and some of them come back.

    Only this run knows the return codes of those whom it sends. A fill that was interrupted goes on
    with others, of whom some come back.
    """
    count = max(filling.respondents - first.receipts.count(), 0)
    returning = round(count * RETURNING_SHARE)
    people = respondents_of(first, count, seed=secrets.randbits(32))
    keys = [{KEY.name: new_code()} for _ in range(count)]
    filling.say(
        f"Sending {count + returning} simulated responses to the demo survey, in two waves ..."
    )
    responses = simulated_responses(first.parameters, people)
    filling.send(first, responses, keys)
    second = launch_second_wave(first)
    before = responses[:returning]
    returns = simulated_returns(second.parameters, people, before, first.wave)
    # Whoever comes back takes a report out of the batch that waits, and the rest is too small.
    filling.wait(first)
    filling.send(second, returns, keys[:returning])
    fit_all(second)
    if unused := keys[returning : returning + CODES_TO_TRY]:
        filling.keep(CODES, [key[KEY.name] for key in unused])
