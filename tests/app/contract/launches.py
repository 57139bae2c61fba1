"""Launches of the cases, and responses to them."""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from surveys.features import FEATURES
from surveys.models import Launch
from surveys.parameters import PAGE, Device, Parameters, Question
from surveys.responses.spaces import Counts
from tests.app.contract.cases import QUESTION, Case, question_of, survey_of
from tests.app.contract.draws import counted, every_report, expected_counts
from tests.builders import launched
from tests.released import answer

PEOPLE, SEED = 300, 20_250
# With two answers and with 56 reports alike, so many let every report come in more than once.
ROUNDS = 2
TEXTS = {
    "title": "Der Weg zur Arbeit",
    "introduction": "Eine kurze Umfrage.",
    "consent": "Die Teilnahme ist freiwillig.",
    "contact": "umfrage@example.org",
    "results_public": True,
}

Answers = npt.NDArray[np.int64]


def launch_of(case: Case, language: str = "de", **values: Any) -> Launch:
    """An open launch of the case in one of the site's languages; its author's texts are German."""
    question = {**question_of(case.draft()), "text": "Wie kommen Sie zur Arbeit?"}
    return launched(questions=[question], language=language, **TEXTS, **survey_of(case), **values)


def frozen_of(case: Case, language: str = "de") -> Launch:
    """The same for tests that read what was frozen, and no row: the rows go with the first test."""
    return _frozen_with(case, language, FEATURES.revision)


@functools.cache
def _frozen_with(case: Case, language: str, _revision: int) -> Launch:
    """Of the features that are there: another set of them has documents of another type."""
    slug = f"{language}-{case}".replace("_", "-")[:64]
    return launch_of(case, language, slug=slug)


def devices_of(case: Case, parameters: Parameters) -> tuple[Device, ...]:
    """The devices of the case: those of the page, or the physical randomizer."""
    devices = parameters.devices
    return tuple(device for device in devices if (device.stratum != PAGE) == case.physical)


def send_every_report(case: Case, launch: Launch) -> dict[tuple[str, str], Counts]:
    """Send responses with every report of every device; returns the counts."""
    devices = devices_of(case, launch.parameters)
    reports = {device.id: every_report(device.table) for device in devices}
    count = ROUNDS * max(map(len, reports.values()))
    rows = [{name: all_[row % len(all_)] for name, all_ in reports.items()} for row in range(count)]
    answer(launch, rows, **{device.id: device.stratum for device in devices})
    return {
        device.key: counted(device.table, [row[device.id] for row in rows]) for device in devices
    }


# --- expected counts ----------------------------------------------------------------------------


def answers_of(case: Case, question: Question) -> Answers:
    """True answers of simulated people, with the default shares."""
    percent = case.kind.default_shares(len(question.categories), refusal=question.prefer_not)
    shares = [float(share) / 100 for share in percent]
    return case.kind.draw_answers(question, shares, PEOPLE, np.random.default_rng(SEED))


def shares_of(answers: Answers, categories: int) -> list[float]:
    """The share of people who gave each answer, or ticked it."""
    if answers.ndim == 2:
        return answers.mean(axis=0).tolist()
    return (np.bincount(answers, minlength=categories) / len(answers)).tolist()


def expected_tallies(
    case: Case, parameters: Parameters, answers: Answers
) -> Mapping[tuple[str, str], Counts]:
    """The expected counts of reports times the denominator, which are whole numbers."""
    question = parameters.question(QUESTION)
    return {
        device.key: expected_counts(device, case.kind.truths(question, device, answers))
        for device in devices_of(case, parameters)
    }


def numbers_of(results: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The results of the only question."""
    (question,) = results["questions"]
    return question["categories"]
