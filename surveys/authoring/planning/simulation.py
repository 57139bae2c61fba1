"""Simulated respondents for the test fill and the demo. No real person is protected by this,
so an ordinary generator will do for the truths; the devices are the ones that would be launched.

A truth is a list of shares, one for each category. Those of a multiple choice are the shares of
people who tick each option, independently of each other; they need not add up to one.
Those of a number without bins are the shares at the two ends of its range that have its mean.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

import rr_engine
from rr_engine.device import RandomBytes
from surveys.authoring.planning.simulated_chains import chain_reports
from surveys.authoring.planning.simulated_conditions import people_asked
from surveys.authoring.planning.simulated_joint import joint_reports, joint_tallies, people_by_pick
from surveys.authoring.planning.simulated_networks import (
    SimulatedNetwork,
    answering_members,
    network_tally,
    simulated_network,
)
from surveys.authoring.planning.simulated_strata import (
    draw_strata,
    people_by_stratum,
    people_of_device,
    users_of_device,
)
from surveys.authoring.relaxing import degradation_of
from surveys.features import FEATURES
from surveys.kinds import KINDS
from surveys.parameters import (
    Chain,
    Device,
    Parameters,
    Question,
    Same,
    coded,
    is_drawn,
    is_joint,
    is_picked,
    picked_of,
)
from surveys.parameters.exact import design_of
from surveys.responses.spaces import Counts, space_of
from surveys.results.document import results_document
from surveys.results_document.document import Results

Truth = Mapping[str, Sequence[float]]
# The texts of the numbered true answers, of each question that takes a text.
Texts = Mapping[str, Sequence[str]]
# {"reports": by device, "strata": by device} of one respondent.
Response = dict[str, dict[str, Any]]
# The id and the stratum of a device, the reports of all people, and who of them uses it.
Column = tuple[str, str, Sequence[Any], np.ndarray]


@dataclass(frozen=True, slots=True)
class ConditionalTruth:
    """The truth of a question given others: an axis of `shares` for each of them, then its own."""

    groups: tuple[str, ...]
    shares: npt.ArrayLike


@dataclass(frozen=True, slots=True)
class SimulatedSurvey:
    """The results document, and the true network of each question about members."""

    results: Results
    networks: Mapping[str, SimulatedNetwork]


def simulated_survey(
    document: Parameters,
    digest: str,
    truth: Truth,
    n: int,
    texts: Texts | None = None,
    *,
    seed: int | None = None,
) -> SimulatedSurvey:
    """`n` simulated respondents whose shares are `truth` by question.

    `texts`: of a question that takes a text those that occur. All of them who are asked use the
    page's devices, those of a stratum of chance the devices of that, and no release threshold is
    applied. Of a survey of several versions `document` is what some readers see. Of one with
    members `n` of its members answer, the same for all questions; the truth of a question about
    them is the density, and of directed ties the share that is returned.
    Without a `seed` each call is another survey.
    """
    generator = np.random.default_rng(seed)
    questions = {question.id: question for question in document.questions}
    words = texts or {}
    asked = people_by_pick(document, n, generator)
    by_stratum = people_by_stratum(document, n, generator)
    of_some = people_asked(document, truth, n, generator)
    members = document.members.size if document.members else 0
    answered = answering_members(members, n, generator)
    networks: dict[str, SimulatedNetwork] = {}
    tallies: dict[tuple[str, str], Counts] = {}
    for device in document.devices:
        if not is_drawn(device):
            continue
        if is_joint(device):
            people = asked.get(device.stratum, n)
            tallies |= joint_tallies(device, truth, people, generator)
            continue
        question = questions[device.questions[0]]
        if KINDS[question.kind].about_members:
            network = simulated_network(question, truth[question.id], answered, generator)
            networks[question.id] = network
            tallies[device.key] = network_tally(device, network, generator)
            continue
        people = of_some.get(device.id, people_of_device(document, device, by_stratum, n))
        counts = KINDS[question.kind].simulated_counts(
            question, device, truth[question.id], people, generator, words.get(question.id, ())
        )
        tallies[device.key] = space_of(device).as_stored(counts)
    everything = replace(document, release_threshold=1, tables=())
    results = results_document(everything, digest, tallies, n, candidates=texts)
    return SimulatedSurvey(results, networks)


@dataclass(frozen=True, slots=True)
class SimulatedRespondents:
    """Respondents of known true answers, by question; who of them uses a physical randomizer
    wherever there is one; the places of the devices that the page picks for each; and where
    chance divides people the stratum of each one's.
    """

    answers: Mapping[str, np.ndarray]
    physical: np.ndarray
    picks: np.ndarray
    strata: tuple[str, ...] = ()


def simulated_people_asked(
    document: Parameters, truth: Mapping[str, Sequence[float]], n: int, seed: Any = None
) -> dict[str, int]:
    """Return how many of `n` people report to a device, by its id; see :func:`people_asked`."""
    return people_asked(document, truth, n, np.random.default_rng(seed))


def simulated_respondents(
    document: Parameters,
    truth: Truth,
    n: int,
    seed: int,
    *,
    conditional_truths: Mapping[str, ConditionalTruth] | None = None,
    physical_share: float = 0.0,
) -> SimulatedRespondents:
    """`n` respondents whose answers are drawn from `truth`.

    Of a survey with members they are its members, in their order: ValueError where they are not
    as many.
    """
    if document.members and n != document.members.size:
        raise ValueError(f"n must be {document.members.size}, the members of the survey, not {n}")
    generator = np.random.default_rng(seed)
    answers = _answers(document, truth, n, generator, conditional_truths or {})
    physical = generator.random(n) < physical_share
    picks = generator.integers(max(1, len(picked_of(document))), size=n)
    strata = draw_strata(document, n, generator)
    return SimulatedRespondents(answers, physical, picks, strata)


def simulated_responses(
    document: Parameters,
    respondents: SimulatedRespondents,
    *,
    texts: Texts | None = None,
    random_bytes: RandomBytes = os.urandom,
) -> list[Response]:
    """Return what they send.

    Each device is drawn with the system's randomness or that of `random_bytes`. `texts`: by
    question, what the answers to a short text number.
    """
    columns: list[Column] = []
    physical = respondents.physical
    picked = [device.stratum for device in picked_of(document)]
    for device in document.devices:
        question = document.question(device.questions[0])
        in_hand = any(not is_drawn(other) for other in document.devices_of(question))
        uses_device = np.full(len(physical), True)
        if is_picked(device):
            uses_device = respondents.picks == picked.index(device.stratum)
        elif in_hand:
            uses_device = physical != is_drawn(device)
        elif respondents.strata:
            uses_device = users_of_device(document, device, respondents.strata)
        words = (texts or {}).get(question.id, ())
        reports = _draw(question, device, respondents, words, random_bytes)
        columns.append((device.id, device.stratum, reports, uses_device))
    responses = [_response(columns, person) for person in range(len(physical))]
    conditions = [x for each in FEATURES.values() for x in each.answers.conditions(document)]
    for response in responses:
        for condition in conditions:
            if not condition.holds(response["reports"]):
                _leave_out(response, condition.devices)
    return responses


def simulated_returns(
    document: Parameters,
    respondents: SimulatedRespondents,
    before: Sequence[Response],
    wave: int,
    *,
    random_bytes: RandomBytes = os.urandom,
) -> list[Response]:
    """Return what the first of them send in this wave, after `before` in an earlier one.

    They have every device of the page. Each report is drawn from the earlier one and the same
    true answer, by the kernel of docs/protocol.md, with the system's randomness
    or that of `random_bytes`.
    """
    responses: list[Response] = [{"reports": {}, "strata": {}} for _person in before]
    for question in document.questions:
        for device in document.devices_of(question):
            answers = respondents.answers[question.id][: len(before)]
            truths = KINDS[question.kind].truths(question, device, answers).tolist()
            previous = [response["reports"][device.id] for response in before]
            for response, report in zip(
                responses, _relaxed(device, wave, previous, truths, random_bytes), strict=True
            ):
                response["reports"][device.id] = report
                response["strata"][device.id] = device.stratum
    return responses


def _draw(
    question: Question,
    device: Device,
    respondents: SimulatedRespondents,
    words: Sequence[str],
    random_bytes: RandomBytes,
) -> Sequence[Any]:
    if is_joint(device):
        answers = [respondents.answers[name] for name in device.questions]
        return joint_reports(device, answers, random_bytes)
    is_chain = isinstance(device.table, Chain)
    draw = chain_reports if is_chain else KINDS[question.kind].draw_reports
    return draw(question, device, respondents.answers[question.id], words, random_bytes)


def _relaxed(
    device: Device,
    wave: int,
    previous: Sequence[int],
    truths: Sequence[int],
    random_bytes: RandomBytes,
) -> list[int]:
    """The reports of a device after those of an earlier wave; direct answers are sent anew."""
    if device.direct:
        return list(truths)
    earlier = next(entry for entry in device.earlier if entry.wave == wave)
    if isinstance(earlier.degradation, Same):
        return list(previous)
    later = coded(device.table)
    channels = (
        degradation_of(earlier.degradation, later),
        design_of(coded(earlier.table)),
        design_of(later),
    )
    # A report drawn from a table of codes is one code.
    return [
        cast("int", rr_engine.relaxation.draw_relaxed(*channels, report, answer, random_bytes))
        for report, answer in zip(previous, truths, strict=True)
    ]


def _response(columns: Sequence[Column], person: int) -> Response:
    columns_used = [column for column in columns if column[3][person]]
    return {
        "reports": {name: reports[person] for name, _, reports, _ in columns_used},
        "strata": {name: stratum for name, stratum, _, _ in columns_used},
    }


def _leave_out(response: Response, devices: Iterable[str]) -> None:
    for part in response.values():
        for name in devices:
            part.pop(name, None)


def _answers(
    document: Parameters,
    truth: Truth,
    n: int,
    generator: np.random.Generator,
    conditional_truths: Mapping[str, ConditionalTruth],
) -> dict[str, np.ndarray]:
    """The true answers of all respondents, by question."""
    answers: dict[str, np.ndarray] = {}
    for question in _in_order(document.questions, conditional_truths):
        name, kind = question.id, KINDS[question.kind]
        if name not in conditional_truths:
            answers[name] = kind.draw_answers(question, truth[name], n, generator)
            continue
        conditional = conditional_truths[name]
        shares = np.asarray(conditional.shares, dtype=np.float64)
        given = np.array([answers[group] for group in conditional.groups], dtype=np.int64)
        answers[name] = np.zeros(n, dtype=np.int64)
        for group in np.ndindex(shares.shape[:-1]):
            members = (given == np.array(group)[:, None]).all(axis=0)
            answers[name][members] = kind.draw_answers(
                question, shares[group].tolist(), int(members.sum()), generator
            )
    return answers


def _in_order(
    questions: Iterable[Question], conditional_truths: Mapping[str, ConditionalTruth]
) -> list[Question]:
    """The questions, each after those that its truth depends on."""
    waiting, ordered = list(questions), list[Question]()
    while waiting:
        names = {question.id for question in waiting}
        ready = [
            question
            for question in waiting
            if question.id not in conditional_truths
            or names.isdisjoint(conditional_truths[question.id].groups)
        ]
        if not ready:
            raise ValueError(f"the truths of {', '.join(sorted(names))} depend on one another")
        ordered += ready
        waiting = [question for question in waiting if question not in ready]
    return ordered
