"""The findings of a control item, as localized texts for the results page."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.features.control_items.results_section import KEY, ControlFound, Corrected
from surveys.parameters import Parameters
from surveys.results_document.questions import QuestionResults

# Below it a test counts as evidence.
EVIDENCE = 0.05


@dataclass(frozen=True, slots=True)
class CorrectedRow:
    """Another question; `first` is its estimate as it stands on its own card."""

    name: str
    text: str
    first: str
    estimate: str
    interval: str


@dataclass(frozen=True, slots=True)
class ControlView:
    lines: list[str]
    caption: str
    rows: list[CorrectedRow]


def control_view(
    question: QuestionResults,
    others: Mapping[str, QuestionResults],
    parameters: Parameters,
) -> ControlView | None:
    """Return the view of a control item; `others`: all questions of the release, by id."""
    control: ControlFound | None = question.section(KEY)
    if control is None:
        return None
    yes = parameters.question(question.id).categories[1]
    caption = _("If as many did not follow the device there, the share of “%(yes)s” would be") % {
        "yes": yes
    }
    rows = [
        _row(each, others[each.question])
        for each in control.corrected
        if others[each.question].categories
    ]
    return ControlView([_what_it_is(control, yes), _share(control), _test(control)], caption, rows)


def _what_it_is(control: ControlFound, yes: str) -> str:
    message = _(
        "This is a control item: “%(yes)s” is true of %(known)s of all people, so what came in "
        "tells how many respondents do not follow the device."
    )
    return message % {"yes": yes, "known": numbers.chosen_percent(control.known)}


def _share(control: ControlFound) -> str:
    message = _(
        "An estimated %(share)s of the respondents (95 %% interval: %(interval)s) do not follow "
        "the device, if their reports are random."
    )
    digits = numbers.digits_for(control.interval)
    low, high = (numbers.percent(end, digits) for end in control.interval)
    return message % {
        "share": numbers.percent(control.maximum_likelihood, digits),
        "interval": numbers.from_to(low, high),
    }


def _test(control: ControlFound) -> str:
    test = _("Test that everybody follows it: %(p)s.") % {"p": numbers.p_value(control.p_value)}
    if "implausible" in control.notes:
        meaning = _(
            "The reports do not fit: neither people who follow the device nor reports at random "
            "explain them."
        )
    elif control.p_value < EVIDENCE:
        meaning = _(
            "If everybody followed it, so many unexpected reports would be rare: some respondents "
            "do not."
        )
    else:
        meaning = _("The reports give no reason to doubt that everybody follows it.")
    return f"{test} {meaning}"


def _row(corrected: Corrected, other: QuestionResults) -> CorrectedRow:
    digits = numbers.digits_for(corrected.interval)
    return CorrectedRow(
        name=corrected.question,
        text=other.text,
        first=numbers.percent(other.categories[1].estimate, digits),
        estimate=numbers.percent(corrected.estimate, digits),
        interval=numbers.percent_span(corrected.interval, digits),
    )
