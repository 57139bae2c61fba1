"""Simulated respondents for the test fill and the demo. No real person is protected by this,
so an ordinary generator will do for the truths; the devices are the ones that would be launched.

A truth is a list of shares, one for each category. Those of a multiple choice are the shares of
people who tick each option, independently of each other; they need not add up to one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec.structs import replace

import rr_engine
from surveys.kinds import KINDS
from surveys.parameters import (
    PAGE,
    Chain,
    Degradation,
    Device,
    Listed,
    Mixed,
    Parameters,
    Question,
    Same,
)
from surveys.parameters.exact import channel_of, drawing_channel
from surveys.parameters.rungs import device_at_rung
from surveys.results.document import results_document

Truth = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class ConditionalTruth:
    """The truth of a question given another question: one list of shares for each category."""

    group: str
    shares: Sequence[Sequence[float]]


def simulated_results(document: Parameters, digest: str, truth: Truth, n: int) -> dict[str, Any]:
    """The results document of `n` simulated respondents whose shares are `truth` by question.

    All of them use the page's devices, and no release threshold is applied. Of a survey with
    tiers `document` is what one of them sees.
    """
    generator = np.random.default_rng()
    questions = {question.id: question for question in document.questions}
    tallies = {}
    for device in document.devices:
        if device.stratum != PAGE:
            continue
        question = questions[device.questions[0]]
        shares = KINDS[question.kind].truth_shares(question, device, truth[question.id])
        counts = rr_engine.simulate_counts(channel_of(device, question), shares, n, generator)
        tallies[device.id, device.stratum] = [int(count) for count in counts]
    everything = replace(document, release_threshold=1, tables=())
    return results_document(everything, digest, tallies, n)


def simulated_responses(
    document: Parameters,
    truth: Truth,
    n: int,
    seed: int,
    *,
    conditional_truths: Mapping[str, ConditionalTruth] | None = None,
    physical_share: float = 0.0,
) -> list[dict[str, dict[str, Any]]]:
    """Reports and strata of `n` simulated respondents, each device drawn with the system's
    randomness.

    `physical_share` of them use a physical randomizer wherever there is one.
    """
    generator = np.random.default_rng(seed)
    answers = _answers(document, truth, n, generator, conditional_truths or {})
    physical = generator.random(n) < physical_share
    columns: list[tuple[str, str, np.ndarray, np.ndarray]] = []
    for question in document.questions:
        devices, kind = document.devices_of(question), KINDS[question.kind]
        offered = {device.stratum for device in devices} - {PAGE}
        for device in devices:
            uses_device = physical == (device.stratum != PAGE) if offered else np.full(n, True)
            truths = kind.truths(question, device, answers[question.id])
            reports = _draw_reports(device, question, truths, generator)
            columns.append((device.id, device.stratum, reports, uses_device))
    return [_response(columns, person) for person in range(n)]


def _draw_reports(
    device: Device, question: Question, truths: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """One report for each truth; of a chain a row with a code for each tier, the lowest first."""
    table = device.table
    if not isinstance(table, Chain):
        return rr_engine.randomize(drawing_channel(device, question), truths)
    highest = device_at_rung(device, len(table.steps) - 1)
    codes = [rr_engine.randomize(drawing_channel(highest, question), truths)]
    for step, degradation in reversed(list(zip(table.steps, table.degradations, strict=False))):
        codes.insert(0, _degrade(codes[0], degradation, len(step.reports), generator))
    return np.stack(codes, axis=1)


def _degrade(
    codes: np.ndarray, degradation: Degradation, size: int, generator: np.random.Generator
) -> np.ndarray:
    """The reports of a lower tier, one of `size` codes each, drawn from those of the tier above."""
    if isinstance(degradation, Same):
        return codes
    degraded = np.zeros_like(codes)
    for code in np.unique(codes):
        members = codes == code
        chances = _chances(degradation, int(code), size)
        degraded[members] = generator.choice(size, int(members.sum()), p=chances)
    return degraded


def _chances(degradation: Mixed | Listed, code: int, size: int) -> list[float]:
    """The chance of each lower report given one above; their integers may exceed a float."""
    if isinstance(degradation, Listed):
        entries = list(map(int, degradation.columns[code]))
    else:
        entries = [int(degradation.other)] * size
        entries[code] = int(degradation.kept)
    return [float(Fraction(entry, int(degradation.denominator))) for entry in entries]


def _response(
    columns: Sequence[tuple[str, str, np.ndarray, np.ndarray]], person: int
) -> dict[str, dict[str, Any]]:
    columns_used = [column for column in columns if column[3][person]]
    return {
        "reports": {name: reports[person].tolist() for name, _, reports, _ in columns_used},
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
