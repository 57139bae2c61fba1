"""What readers see of a question that is for some people: the shares among these."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.features.filters.results_section import OfAsked, ShareOfAsked
from surveys.kinds import KINDS
from surveys.parameters import Question
from surveys.results.findings.sentences import frequency
from surveys.results_document.parts import Share


@dataclass(frozen=True, slots=True)
class AskedRow:
    label: str
    estimate: str
    interval: str


@dataclass(frozen=True, slots=True)
class AskedView:
    """`about`: for how many people the question is."""

    about: str
    rows: list[AskedRow]


def asked_view(found: OfAsked) -> AskedView:
    digits = numbers.common_digits(found.categories)
    return AskedView(_about(found.asked), [_row(row, digits) for row in found.categories])


def _about(asked: Share) -> str:
    if numbers.tells_nothing(asked):
        return _("Too few answers to say for how many of the respondents the question is.")
    digits = numbers.digits_for(asked.interval)
    message = _(
        "The question is for an estimated %(share)s of the respondents (95 %% interval: "
        "%(interval)s); nobody knows for whom."
    )
    return message % {
        "share": numbers.percent(asked.estimate, digits),
        "interval": numbers.percent_span(asked.interval, digits),
    }


def _row(row: ShareOfAsked, digits: int) -> AskedRow:
    return AskedRow(row.label, *numbers.share_texts(row, digits))


def asked_sentence(found: OfAsked, question: Question) -> str:
    """Return the sentence on the answer that is the question's focus, that can be quoted."""
    row = _focus(found, question)
    low, high = row.interval
    if low is None or high is None or row.estimate is None or numbers.tells_nothing(row):
        return _("Too few answers to say anything about those whom the question is for.")
    if high < 0 or low > 1:
        return _("The reports do not fit the device: no share of “%(label)s” explains them.") % {
            "label": row.label
        }
    values = frequency(row.estimate, (low, high)).words | {"label": row.label}
    if low <= 0:
        text = _(
            "Of those whom it is for, at most %(most)s of %(crowd)s answered “%(label)s”; nobody "
            "at all fits the data, too."
        )
    elif high >= 1:
        text = _(
            "Of those whom it is for, at least %(least)s of %(crowd)s answered “%(label)s”; "
            "everybody fits the data, too."
        )
    else:
        text = _(
            "Of those whom it is for, about %(about)s of %(crowd)s answered “%(label)s”; anything "
            "from %(least)s to %(most)s fits the data."
        )
    return text % values


def _focus(found: OfAsked, question: Question) -> ShareOfAsked:
    if KINDS[question.kind].opposites:
        return found.categories[1]
    answers = found.categories[: question.answer_count]
    return max(answers, key=lambda row: row.estimate or 0.0)
