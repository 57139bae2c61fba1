"""What the codes of `reports.csv` are, one line a report: for programs that want labels."""

import csv
import io
from collections.abc import Sequence
from itertools import compress, zip_longest

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.parameters import CARDS, Device, Parameters, Question, columns_of
from surveys.parameters.cards import cards_shown

HEADER = (
    "variable",
    "stratum",
    "family",
    "code",
    "report",
    "shows",
    "question",
    "option",
    "answer",
    "likeliest_from",
)
# Between the answers of a card.
BETWEEN = " | "
# A spreadsheet takes a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def codebook(parameters: Parameters) -> str:
    """Every device's reports in their order, and beside them its true answers in theirs.

    `shows` is the answer itself where answers are sent as they are, the answers on a card, and
    empty where a letter stands for none. `answer` is the true answer in this place of the device's
    table, and `likeliest_from` names the true answers that send this report most often. Words
    that no author wrote are in the survey's language.
    """
    questions = {question.id: question for question in parameters.questions}
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HEADER)
    with translation.override(parameters.language):
        for device in parameters.devices:
            for row in _rows(questions[device.questions[0]], device):
                writer.writerow(map(spreadsheet_safe, row))
    return text.getvalue()


def _rows(question: Question, device: Device) -> list[tuple[str | int, ...]]:
    """One a report; where a table has more answers than reports, the rest of them follow."""
    answers = true_answers(question, device)
    option = "" if device.option is None else question.categories[device.option]
    columns = zip_longest(
        range(len(device.table.reports)),
        device.table.reports,
        labels_of(question, device),
        answers,
        likeliest_from(device, answers),
        fillvalue="",
    )
    head = (device.id, device.stratum, device.family)
    return [
        (*head, code, report, shows, question.text, option, answer, likeliest)
        for code, report, shows, answer, likeliest in columns
    ]


def spreadsheet_safe(cell: str | int) -> str | int:
    """The cell as no spreadsheet takes it for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def true_answers(question: Question, device: Device) -> list[str]:
    """What the columns of a device's table stand for, in their order, in the active language.

    Of a device over all combinations every set of ticks is spelled out: bit i of its place is
    option i, and a refusal comes last.
    """
    labels, size = question.categories, device.table.truths
    if not question.several:
        return list(labels)
    if device.option is not None:
        return [_("not ticked"), _("ticked")]
    options = labels[:-1] if question.prefer_not else labels
    sets = [
        [label for place, label in enumerate(options) if number >> place & 1]
        for number in range(2 ** len(options))
    ]
    spelled = [BETWEEN.join(ticked) or _("None of these") for ticked in sets]
    return [*spelled, *labels[len(options) :]][:size]


def likeliest_from(device: Device, answers: Sequence[str]) -> list[str]:
    """Of each report the true answers that send it most often; empty where all do alike.

    Chances that differ by less than a millionth are one chance, rounded to integers.
    """
    tie = device.table.denominator / 1e6
    named = []
    for entries in zip(*columns_of(device.table), strict=True):
        least, most = min(entries), max(entries)
        near = [most - least > tie >= most - entry for entry in entries]
        named.append(BETWEEN.join(compress(answers, near)))
    return named


def labels_of(question: Question, device: Device) -> list[str]:
    """What stands behind the letter of each report, if anything does."""
    labels = question.categories
    if device.look == CARDS:
        cards = cards_shown(device.table)
        return [BETWEEN.join(labels[answer] for answer in card) for card in cards]
    if device.direct and device.option is None:
        return list(labels)
    return [""] * len(device.table.reports)
