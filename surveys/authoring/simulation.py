"""Simulated respondents: test fill before launch, and the demo. Nobody real is protected by this,
so an ordinary generator will do for the truths; the devices are the ones that would be launched.

A truth is a list of shares, one for each category. Those of a multiple choice are the shares of
people who tick each option, independently of each other; they need not add up to one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from msgspec.structs import replace

import rr_engine
from surveys.devices.designs import frozen_design
from surveys.parameters import PAGE, Device, Parameters, Question
from surveys.results.document import results_document

Truth = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Within:
    """The truth of a question that depends on another's: one list of shares for each category."""

    group: str
    shares: Sequence[Sequence[float]]


def simulated_results(document: Parameters, digest: str, truth: Truth, n: int) -> dict[str, Any]:
    """The results document of `n` simulated respondents whose shares are `truth` by question.

    Everybody uses the page's devices, and everything is shown, however few they are.
    """
    generator = np.random.default_rng()
    questions = {question.id: question for question in document.questions}
    tallies = {}
    for device in _page_devices(document):
        question = questions[device.questions[0]]
        shares = _device_shares(question, device, truth[question.id])
        counts = rr_engine.simulate_counts(frozen_design(device, question), shares, n, generator)
        tallies[device.id, device.stratum] = [int(count) for count in counts]
    everything = replace(document, release_threshold=1, tables=())
    return results_document(everything, digest, tallies, n)


def simulated_responses(
    document: Parameters,
    truth: Truth,
    n: int,
    seed: int,
    *,
    within: Mapping[str, Within] | None = None,
    own_share: float = 0.0,
) -> list[dict[str, dict[str, Any]]]:
    """Reports and strata of `n` simulated respondents, each device drawn with the system's
    randomness.

    `own_share` of them use a device of their own wherever there is one.
    """
    generator = np.random.default_rng(seed)
    answers = _answers(document, truth, n, generator, within or {})
    own = generator.random(n) < own_share
    columns: list[tuple[str, str, np.ndarray, np.ndarray]] = []
    for question in document.questions:
        devices = [one for one in document.devices if question.id in one.questions]
        offered = {device.stratum for device in devices} - {PAGE}
        for device in devices:
            here = own == (device.stratum != PAGE) if offered else np.full(n, True)
            truths = _device_truths(question, device, answers[question.id])
            reports = rr_engine.randomize(frozen_design(device, question), truths)
            columns.append((device.id, device.stratum, reports, here))
    return [_response(columns, person) for person in range(n)]


def _response(
    columns: Sequence[tuple[str, str, np.ndarray, np.ndarray]], person: int
) -> dict[str, dict[str, Any]]:
    used = [column for column in columns if column[3][person]]
    return {
        "reports": {name: int(reports[person]) for name, _, reports, _ in used},
        "strata": {name: stratum for name, stratum, _, _ in used},
    }


def _page_devices(document: Parameters) -> list[Device]:
    return [device for device in document.devices if device.stratum == PAGE]


# --- truths -------------------------------------------------------------------------------------


def _answers(
    document: Parameters,
    truth: Truth,
    n: int,
    generator: np.random.Generator,
    within: Mapping[str, Within],
) -> dict[str, np.ndarray]:
    """What everybody would say: a category, or for a multiple choice a row of ticks."""
    answers = {}
    # A question that depends on another comes after it.
    for question in sorted(document.questions, key=lambda one: one.id in within):
        name = question.id
        if question.several:
            answers[name] = _ticks(question, truth[name], n, generator)
        elif name in within:
            groups = answers[within[name].group]
            answers[name] = np.zeros(n, dtype=np.int64)
            for group, shares in enumerate(within[name].shares):
                there = groups == group
                answers[name][there] = _drawn(shares, int(there.sum()), generator)
        else:
            answers[name] = _drawn(truth[name], n, generator)
    return answers


def _drawn(shares: Sequence[float], n: int, generator: np.random.Generator) -> np.ndarray:
    chances = np.asarray(shares, dtype=float)
    return generator.choice(len(chances), size=n, p=chances / chances.sum())


def _ticks(
    question: Question, shares: Sequence[float], n: int, generator: np.random.Generator
) -> np.ndarray:
    """Who ticks what: whoever prefers not to say ticks that and nothing else."""
    ticks = generator.random((n, len(shares))) < _among_answering(question, shares)
    if question.prefer_not:
        ticks[:, -1] = generator.random(n) < shares[-1]
        ticks[ticks[:, -1], :-1] = False
    return ticks


def _among_answering(question: Question, shares: Sequence[float]) -> np.ndarray:
    """Shares among those who do not refuse, so that the ticks of all have the shares asked for."""
    asked = np.asarray(shares, dtype=float)
    answering = 1 - asked[-1] if question.prefer_not else 1.0
    return np.minimum(asked / answering, 1.0) if answering > 0 else np.zeros(len(asked))


# --- truths as one device sees them -------------------------------------------------------------


def _device_truths(question: Question, device: Device, answers: np.ndarray) -> np.ndarray:
    if not question.several:
        return answers
    if device.option is not None:
        return answers[:, device.option].astype(np.int64)
    options = answers.shape[1] - int(question.prefer_not)
    codes = answers[:, :options] @ (1 << np.arange(options))
    return np.where(answers[:, -1], 1 << options, codes) if question.prefer_not else codes


def _device_shares(question: Question, device: Device, shares: Sequence[float]) -> list[float]:
    if not question.several:
        return list(shares)
    if device.option is not None:
        ticked = shares[device.option]
        return [1 - ticked, ticked]
    return _subset_shares(question, shares)


def _subset_shares(question: Question, shares: Sequence[float]) -> list[float]:
    """Shares of all combinations of ticks, the refusal last."""
    refusing = shares[-1] if question.prefer_not else 0.0
    options = _among_answering(question, shares)[: len(shares) - int(question.prefer_not)]
    subsets = np.ones(1)
    for ticked in options:
        subsets = np.concatenate([subsets * (1 - ticked), subsets * ticked])
    answering = (subsets * (1 - refusing)).tolist()
    return [*answering, refusing] if question.prefer_not else answering
