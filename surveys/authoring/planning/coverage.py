"""The coverage of the published intervals, by simulating a survey many times before launch."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rr_engine
from surveys.authoring.planning.simulated_strata import expected_people
from surveys.authoring.planning.simulation import simulated_people_asked
from surveys.kinds import KINDS
from surveys.kinds.kind import Trial
from surveys.parameters import PAGE, Parameters, Question, parts_of_all
from surveys.results.launch_strata import input_of

# Repetitions of all designs of a survey together; each has FEWEST to MOST of them.
WORK, FEWEST, MOST = 4_000, 100, 1_000
# Seconds after which no further question is begun, because the author waits for the page.
SECONDS = 4.0
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Coverage:
    """One share: `covered` of the simulated surveys held it in their interval; `margin` is half
    the intervals' mean width, `outside` the share of estimates below 0 or above 1.
    """

    truth: float
    covered: float
    covered_error: float
    margin: float
    outside: float


@dataclass(frozen=True, slots=True)
class CoverageOfSurvey:
    """Coverage of the first questions of the survey, or of all of them if there was time."""

    repetitions: int
    questions: dict[str, list[Coverage]]


def simulated_coverage(
    document: Parameters,
    truth: Mapping[str, Sequence[float]],
    n: int,
    rng: Any = None,
) -> CoverageOfSurvey:
    """Coverage of every share that the results would show, by question; page devices only, and
    the people who are asked by these.

    Questions beyond the time limit are left out, but never the first; so are those of which
    the page picks some, whose shares are pooled over all of these.
    """
    trials = {
        question.id: _trials(question, document, truth[question.id])
        for question in document.questions
        if has_coverage(question, document)
    }
    count = sum(len(designs) for designs in trials.values())
    repetitions = max(FEWEST, min(MOST, WORK // max(count, 1)))
    of_some = simulated_people_asked(document, truth, n, rng)
    deadline = time.monotonic() + SECONDS
    questions: dict[str, list[Coverage]] = {}
    for name, designs in trials.items():
        if questions and time.monotonic() > deadline:
            break
        people = _people(document, name, of_some, n)
        questions[name] = [
            row for trial in designs for row in _rows(*trial, document, people, repetitions, rng)
        ]
    return CoverageOfSurvey(repetitions, questions)


def has_coverage(question: Question, document: Parameters) -> bool:
    """Whether everybody is asked the question, and the page has a device for it."""
    return bool(document.devices_of(question, PAGE))


def _people(document: Parameters, name: str, of_some: Mapping[str, int], n: int) -> int:
    """How many of `n` people the page's own device of a question asks."""
    device = document.devices_of(document.question(name), PAGE)[0]
    return max(1, of_some.get(device.id, expected_people(document, device, n)))


def _trials(question: Question, document: Parameters, shares: Sequence[float]) -> list[Trial]:
    """Designs and true shares, estimated by the same method as the results."""
    devices = parts_of_all(document.devices_of(question, PAGE))
    covering = [device for device in devices if question.id in device.questions]
    inputs = [input_of(question, device, {}) for device in covering]
    return KINDS[question.kind].trials(question, inputs, shares)


def _rows(
    design: rr_engine.channels.Channel,
    shares: list[float],
    focal: list[int],
    prior: tuple[float, ...] | None,
    document: Parameters,
    n: int,
    repetitions: int,
    rng: Any,
) -> list[Coverage]:
    trial = rr_engine.planning.simulate_coverage(
        design,
        shares,
        n,
        repetitions=repetitions,
        level=LEVEL,
        rng=rng,
        population=document.population,
        prior=prior,
    )
    return [
        Coverage(
            truth=float(trial.truth[index]),
            covered=float(trial.coverage[index]),
            covered_error=float(trial.coverage_error[index]),
            margin=float(trial.width[index]) / 2,
            outside=float(trial.outside[index]),
        )
        for index in focal
    ]
