"""Simulated respondents for the test fill and the demo. No real person is protected by this,
so an ordinary generator will do for the truths; the devices are the ones that would be launched.

A truth is a list of shares, one for each category. Those of a multiple choice are the shares of
people who tick each option, independently of each other; they need not add up to one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from msgspec.structs import replace

from surveys.kinds import KINDS
from surveys.parameters import PAGE, Parameters
from surveys.results.document import results_document

Truth = Mapping[str, Sequence[float]]
# Of questions that take a text.
Texts = Mapping[str, Sequence[str]]


# The id and the stratum of a device, the reports of all people, and who of them uses it.
Column = tuple[str, str, Sequence[Any], np.ndarray]


@dataclass(frozen=True, slots=True)
class ConditionalTruth:
    """The truth of a question given another question: one list of shares for each category."""

    group: str
    shares: Sequence[Sequence[float]]


def simulated_results(
    document: Parameters, digest: str, truth: Truth, n: int, texts: Texts | None = None
) -> dict[str, Any]:
    """The results document of `n` simulated respondents whose shares are `truth` by question.

    `texts`: of a question that takes a text those that occur. All of them use the page's devices,
    and no release threshold is applied.
    """
    generator = np.random.default_rng()
    questions = {question.id: question for question in document.questions}
    tallies = {}
    for device in document.devices:
        if device.stratum != PAGE:
            continue
        question = questions[device.questions[0]]
        tallies[device.id, device.stratum] = KINDS[question.kind].simulated_counts(
            question, device, truth[question.id], n, generator, (texts or {}).get(question.id, ())
        )
    everything = replace(document, release_threshold=1, tables=())
    return results_document(everything, digest, tallies, n, candidates=texts)


def simulated_responses(
    document: Parameters,
    truth: Truth,
    n: int,
    seed: int,
    *,
    conditional_truths: Mapping[str, ConditionalTruth] | None = None,
    physical_share: float = 0.0,
    texts: Texts | None = None,
) -> list[dict[str, dict[str, Any]]]:
    """Reports and strata of `n` simulated respondents, each device drawn with the system's
    randomness.

    `physical_share` of them use a physical randomizer wherever there is one.
    """
    generator = np.random.default_rng(seed)
    answers = _answers(document, truth, n, generator, conditional_truths or {})
    physical = generator.random(n) < physical_share
    columns: list[Column] = []
    for question in document.questions:
        devices, kind = document.devices_of(question), KINDS[question.kind]
        offered = {device.stratum for device in devices} - {PAGE}
        for device in devices:
            uses_device = physical == (device.stratum != PAGE) if offered else np.full(n, True)
            words = (texts or {}).get(question.id, ())
            reports = kind.draw_reports(question, device, answers[question.id], words)
            columns.append((device.id, device.stratum, reports, uses_device))
    return [_response(columns, person) for person in range(n)]


def _response(columns: Sequence[Column], person: int) -> dict[str, dict[str, Any]]:
    columns_used = [column for column in columns if column[3][person]]
    return {
        "reports": {name: reports[person] for name, _, reports, _ in columns_used},
        "strata": {name: stratum for name, stratum, _, _ in columns_used},
    }


def _answers(
    document: Parameters,
    truth: Truth,
    n: int,
    generator: np.random.Generator,
    conditional_truths: Mapping[str, ConditionalTruth],
) -> dict[str, np.ndarray]:
    """The true answers of all respondents, by question."""
    answers: dict[str, np.ndarray] = {}
    # A question that depends on another is drawn after it.
    for question in sorted(
        document.questions, key=lambda question: question.id in conditional_truths
    ):
        name, kind = question.id, KINDS[question.kind]
        if name not in conditional_truths:
            answers[name] = kind.draw_answers(question, truth[name], n, generator)
            continue
        groups = answers[conditional_truths[name].group]
        answers[name] = np.zeros(n, dtype=np.int64)
        for group, shares in enumerate(conditional_truths[name].shares):
            members = groups == group
            answers[name][members] = kind.draw_answers(
                question, shares, int(members.sum()), generator
            )
    return answers
