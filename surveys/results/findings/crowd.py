"""The finding of a statistic of the crowd: its values as rows on one axis."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.findings import sentences
from surveys.results.findings.choice import NOTHING_CHOSEN
from surveys.results.findings.figures import Shown, share_figure, value_figure
from surveys.results.findings.finding import Finding
from surveys.results.findings.strips import Marks
from surveys.results_document.parts import Interval, Share

NAME = "figure-crowd"
# A label, its value, the standard error, and the interval.
Value = tuple[str, float | None, float | None, Interval]


def crowd_finding(
    values: Sequence[Value],
    *,
    in_percent: bool,
    groups: Sequence[str],
    outcomes: Sequence[str],
    unit: str,
) -> Finding:
    """Return the values of a statistic as rows; of a table a panel for each outcome."""
    if not in_percent:
        return Finding(
            [], [value_figure(NAME, "", [_row(each, unit) for each in values], _("Statistic"))]
        )
    shown = [
        Shown(label, Share(estimate=value, standard_error=None, interval=interval))
        for label, value, _error, interval in values
    ]
    if groups:
        blocks = [
            (
                outcome,
                [
                    Shown(group, shown[row * len(outcomes) + place].share)
                    for row, group in enumerate(groups)
                ],
            )
            for place, outcome in enumerate(outcomes)
        ]
        return Finding([], [share_figure(NAME, "", blocks, NOTHING_CHOSEN, _("Group"))])
    said = []
    if len(shown) == 1:
        said = [sentences.crowd_sentence(shown[0].share)]
    return Finding(said, [share_figure(NAME, "", [("", shown)], NOTHING_CHOSEN, _("Statistic"))])


def _row(value: Value, unit: str) -> tuple[str, str, str, Marks]:
    label, estimate, error, interval = value
    digits = numbers.digits_of_error(error)
    text = f"{numbers.fixed_decimals(estimate, digits)} {unit}".strip()
    return label, text, numbers.span(interval, digits), Marks(estimate, interval)
