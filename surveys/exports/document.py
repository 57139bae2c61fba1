"""The frozen parameters for exports: the one place of this room that knows their layout."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from surveys.kinds import KINDS
from surveys.models import Launch, Survey
from surveys.parameters import Device, Parameters, Question, coded, columns_of
from surveys.parameters.cards import shown_by

# Between the answers of a card.
BETWEEN = " | "


@dataclass(frozen=True, slots=True)
class ExportedDevice:
    """One device with the words for its reports and true answers, in the active language.

    `reports` are its letters; `shows` has for each report the answer itself where answers are sent
    as they are, the answers on a card, and nothing where a letter stands for none. `likeliest_from`
    names the true answers that send a report most often.
    """

    id: str
    stratum: str
    family: str
    question: str
    option: str
    reports: tuple[str, ...]
    shows: tuple[str, ...]
    answers: tuple[str, ...]
    likeliest_from: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        return self.id, self.stratum


def exported_devices(parameters: Parameters) -> list[ExportedDevice]:
    """The devices in the order of the document; one in several strata occurs several times."""
    questions = {question.id: question for question in parameters.questions}
    return [_export_device(questions[device.questions[0]], device) for device in parameters.devices]


def has_cards(parameters: Parameters) -> bool:
    return any(shown_by(device) is not None for device in parameters.devices)


def keeps_people_together(parameters: Parameters) -> bool:
    return parameters.linkage == Survey.Linkage.TOGETHER.value


def language_of(launch: Launch) -> str:
    """The language of the texts in a file that no author wrote."""
    return launch.parameters.language


def _export_device(question: Question, device: Device) -> ExportedDevice:
    answers = _true_answers(question, device)
    return ExportedDevice(
        id=device.id,
        stratum=device.stratum,
        family=device.family,
        question=question.text,
        option="" if device.option is None else question.categories[device.option],
        reports=coded(device.table).reports,
        shows=tuple(_shows(question, device)),
        answers=tuple(answers),
        likeliest_from=tuple(_likeliest_from(device, answers)),
    )


def _true_answers(question: Question, device: Device) -> list[str]:
    """The true answers that the columns of a device's table stand for, in their order."""
    return KINDS[question.kind].truth_labels(question, device, BETWEEN)


def _likeliest_from(device: Device, answers: Sequence[str]) -> list[str]:
    """For each report the true answers that send it most often; empty if all do equally often.

    Probabilities that differ by less than a millionth are equal but for rounding to integers.
    """
    table = coded(device.table)
    tie = table.denominator / 1e6
    randomized_reports = []
    for entries in zip(*columns_of(table), strict=True):
        lowest, highest = min(entries), max(entries)
        is_likeliest = [highest - lowest > tie >= highest - entry for entry in entries]
        randomized_reports.append(BETWEEN.join(compress(answers, is_likeliest)))
    return randomized_reports


def _shows(question: Question, device: Device) -> list[str]:
    labels = question.categories
    cards = shown_by(device)
    if cards is not None:
        return [BETWEEN.join(labels[answer] for answer in card) for card in cards]
    if device.direct and device.option is None:
        return list(labels)
    return [""] * len(coded(device.table).reports)
