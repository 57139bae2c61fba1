"""Results of every sort that chance made: of few people and many, rare shares, and those near 1."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from surveys.authoring.planning.simulation import simulated_survey
from surveys.models import Launch
from surveys.parameters import Parameters
from surveys.responses.spaces import space_of
from surveys.results.document import results_document
from surveys.results.release import release_of
from surveys.results.weighted.presentation import computed_weighted, stored_weighted
from surveys.results_document.document import Results
from surveys.results_document.weighted import WeightedResults
from tests import tiers, waves
from tests.app.consistency import surveys
from tests.builders import launched
from tests.released import WITH_GROUP
from tests.rosters import launched_network, roster_rows
from tests.unchanged import chance as fixed_chance
from tests.unchanged.people import come_back, people_of

SEED = 29
EPSILONS = (Decimal("0.5"), Decimal(2), Decimal(8))
THRESHOLD = 10


@dataclass(frozen=True)
class Found:
    parameters: Parameters
    results: Results
    weighted: WeightedResults | None = None


Sort = Callable[[random.Random], Iterator[Found]]


def _asked(epsilon: Decimal, question: Mapping[str, Any], **values: Any) -> Launch:
    own = {"name": "q1", **question}
    if own.get("randomized", True):
        own["epsilon"] = epsilon
    return launched(
        slug=f"asked-{epsilon}-{values.get('population', '')}".replace(".", "-"),
        questions=[own],
        budget=Decimal(10),
        release_threshold=THRESHOLD,
        **values,
    )


def _people(chance: random.Random) -> int:
    """From six to a hundred thousand."""
    return round(10 ** chance.uniform(0.8, 5))


def _reported(question: Mapping[str, Any], times: int = 4) -> Sort:
    """Results of one question from any counts of reports, likely under the device or not."""

    def found(chance: random.Random) -> Iterator[Found]:
        for epsilon in EPSILONS:
            for population in ("sample", "fixed"):
                launch = _asked(epsilon, question, population=population)
                for _ in range(times):
                    yield _of_counts(launch, _people(chance), chance)

    return found


def _of_counts(launch: Launch, people: int, chance: random.Random) -> Found:
    tallies = {}
    for device in launch.parameters.devices:
        weights = [chance.expovariate(1) ** 3 for _ in range(space_of(device).size)]
        counts = [math.floor(people * weight / sum(weights)) for weight in weights]
        if chance.random() < 0.2:
            # All reports alike.
            counts = [0] * len(counts)
        counts[chance.randrange(len(counts))] += people - sum(counts)
        tallies[device.key] = counts
    results = results_document(launch.parameters, launch.digest, tallies, people)
    return Found(launch.parameters, results)


def _simulated(
    launch: Callable[[], Launch],
    parameters: Callable[[Launch], Sequence[Parameters]],
    truth: Callable[[Parameters, random.Random], Mapping[str, Sequence[float]]],
    people: Callable[[random.Random], int],
    times: int = 4,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> Sort:
    def found(chance: random.Random) -> Iterator[Found]:
        made = launch()
        for document in parameters(made):
            for _ in range(times):
                shares, n, seed = truth(document, chance), people(chance), chance.randrange(2**32)
                survey = simulated_survey(document, made.digest, shares, n, texts, seed=seed)
                yield Found(document, survey.results)

    return found


def _shares(parameters: Parameters, chance: random.Random) -> dict[str, list[float]]:
    """Any shares of the answers, some of them rare; of a roster density and reciprocity."""
    found = {}
    for question in parameters.questions:
        size = len(question.categories) + len(surveys.TEXTS.get(question.id, ()))
        weights = [chance.expovariate(1) ** 3 for _ in range(size)]
        found[question.id] = [weight / sum(weights) for weight in weights]
        if question.control == "roster":
            found[question.id] = [chance.random() ** 2, chance.random()]
    return found


def _text_survey() -> Launch:
    return launched(questions=[surveys.WORDS], planned_n=600, budget=Decimal(10))


def _at_steps(launch: Launch) -> list[Parameters]:
    return [launch.parameters_at(step) for step in range(len(launch.parameters.tiers))]


def _in_waves(_chance: random.Random) -> Iterator[Found]:
    """A group of questions, of which half of the people are asked again."""
    fixed_chance.begin("waves")
    for people in (24, 90):
        first = waves.coded_launch(
            slug=f"waves-{people}", questions=WITH_GROUP, budget=Decimal(7), results_public=True
        )
        second = come_back(
            first, lambda launch: waves.next_wave(launch, team="2"), people_of(first, people), 20
        )
        yield Found(second.parameters, release_of(second).content)


def _weighted(_chance: random.Random) -> Iterator[Found]:
    for number, people in enumerate((30, 60, 200)):
        launch = surveys.weighted(people, slug=f"weighted-{number}")
        release = release_of(launch)
        weighted = computed_weighted(stored_weighted(release))
        assert weighted is not None
        yield Found(launch.parameters, release.content, weighted)


ANSWERS = ["Low", "Middle", "High"]
SORTS: Mapping[str, Sort] = {
    "yes or no": _reported({}),
    "a refusal": _reported({"prefer_not": True}),
    "direct": _reported({"randomized": False}, times=2),
    "a choice": _reported({"kind": "single_choice", "options": list("ABCDE")}, times=3),
    "a scale": _reported({"kind": "scale", "options": ANSWERS, "prefer_not": True}, times=3),
    "a direct scale": _reported(
        {"kind": "scale", "options": ANSWERS, "randomized": False}, times=2
    ),
    "options": _reported(
        {"kind": "multiple_choice", "options": ["Pills", "Drinks"], "design": "per_option"}, times=3
    ),
    "a set": _reported(
        {"kind": "multiple_choice", "options": ["Theft", "Fraud"], "design": "whole_set"}, times=3
    ),
    "a mean": _reported(surveys.HOURS, times=3),
    "quantiles": _reported({**surveys.AGE, "design": "k_rr"}, times=3),
    "texts": _simulated(
        _text_survey, lambda launch: [launch.parameters], _shares, _people, 12, surveys.TEXTS
    ),
    "a network": _simulated(
        lambda: launched_network(roster_rows(30)),
        lambda launch: [launch.parameters],
        _shares,
        lambda chance: chance.randint(2, 30),
        6,
    ),
    "tiers": _simulated(tiers.tiered, _at_steps, _shares, _people, 4),
    "waves": _in_waves,
    "weighted": _weighted,
}
