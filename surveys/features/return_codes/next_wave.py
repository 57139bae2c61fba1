"""The parameters of the next wave: the same questions, some of them at a higher epsilon."""

import dataclasses
from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.utils import translation
from django.utils.translation import gettext as _
from msgspec.structs import replace

from surveys import numbers
from surveys.authoring.relaxing import kept_device, relaxed_device
from surveys.devices import family_of
from surveys.drafts import Draft
from surveys.engine_words import EngineError, refusal, refusal_words
from surveys.exceptions import NotReadyError
from surveys.models import Launch
from surveys.models import Question as QuestionRow
from surveys.parameters import Device, Parameters, Question, coded, digest_of, is_joint
from surveys.parameters.budget import spent, text_of
from surveys.parameters.tables import Coded

# The epsilon of each question that is asked more exactly, by the question's id.
Epsilons = Mapping[str, Decimal]


def next_parameters(*, launch: Launch, epsilons: Epsilons) -> Parameters:
    """The wave after a launch, unchecked; raises NotReadyError with what stands against it.

    A question that is not in `epsilons` keeps its device, and its reports are sent again.
    """
    parameters = launch.parameters
    rows = {row.name: row for row in launch.survey.questions.all()}
    devices: list[Device] = []
    problems: list[str] = []
    for question in parameters.questions:
        try:
            with translation.override(parameters.language):
                devices += _next_devices(
                    rows[question.id], launch, question, epsilons.get(question.id)
                )
        except EngineError as error:
            problems.append(f"{question.id}: {refusal_words(refusal(error))}")
        except NotReadyError as error:
            problems += [f"{question.id}: {problem}" for problem in error.problems]
    if problems:
        raise NotReadyError(problems)
    return replace(
        parameters,
        wave=parameters.wave + 1,
        previous=digest_of(parameters),
        devices=tuple(devices),
    )


def _next_devices(
    row: QuestionRow, launch: Launch, question: Question, epsilon: Decimal | None
) -> list[Device]:
    current = launch.parameters.devices_of(question)
    # A joint device takes the place of its first question.
    first = [device for device in current if device.questions[0] == question.id]
    in_force = spent(current)
    if epsilon is None or epsilon == in_force:
        return [kept_device(device, launch.wave) for device in first]
    if epsilon < in_force:
        values = {"epsilon": numbers.decimal(epsilon), "least": numbers.epsilon(in_force)}
        message = _("An epsilon of %(epsilon)s is below %(least)s, at which it was asked before.")
        raise NotReadyError([message % values])
    if any(map(is_joint, current)):
        shown = numbers.decimal(epsilon)
        raise NotReadyError([refused_joint_words(launch.parameters, question.id, shown)])
    return _relaxed(row, current, epsilon, launch.wave)


def refused_joint_words(parameters: Parameters, name: str, epsilon: str) -> str:
    """Why a question that is sent with others is not asked at this epsilon."""
    message = _("An epsilon of %(epsilon)s cannot be asked for.") % {"epsilon": epsilon}
    (device,) = parameters.devices_of(parameters.question(name))
    return f"{message} {kept_joint_words(parameters, device)}"


def kept_joint_words(parameters: Parameters, device: Device) -> str:
    """Why joint questions keep their epsilon in all waves."""
    ids = [question.id for question in parameters.questions]
    message = _(
        "Questions %(questions)s are sent together. Whoever comes back sends the same report "
        "again, so their epsilon stays at %(epsilon)s."
    )
    values = {
        "questions": numbers.places([ids.index(name) for name in device.questions]),
        "epsilon": numbers.decimal(Decimal(device.epsilon or 0)),
    }
    return message % values


def _relaxed(
    row: QuestionRow, current: Sequence[Device], epsilon: Decimal, wave: int
) -> list[Device]:
    draft = dataclasses.replace(Draft.of(row), epsilon=epsilon)
    family = family_of(draft)
    if family.relaxed:
        message = _("Its device keeps its epsilon up to a delta only, and cannot be relaxed.")
        raise NotReadyError([message])
    if not all(isinstance(device.table, Coded) for device in current):
        message = _("Its reports can only be sent again: it keeps its epsilon in all waves.")
        raise NotReadyError([message])
    each = text_of(family.epsilon_of_each(draft))
    return [
        relaxed_device(device, family.sharper_table(draft, _waves(device)), each, wave)
        for device in current
    ]


def _waves(device: Device) -> list[Coded]:
    return [coded(table) for table in (*(one.table for one in device.earlier), device.table)]
