"""The mean, the quartiles and the figures of a number as texts, in its units."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.numbers.shares import WithInterval
from surveys.results_document.kinds import Mean, MeanOfBins, MeanOfOneBit, Number, Quantile
from surveys.results_document.questions import QuestionResults

_NAMES = {
    0.25: gettext_lazy("Lower quartile"),
    0.5: gettext_lazy("Median"),
    0.75: gettext_lazy("Upper quartile"),
}


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A number that was estimated; `outside`: beyond what can be, shown unchanged and marked."""

    label: str
    estimate: str
    outside: bool
    interval: str
    standard_error: str
    truth: str | None


@dataclass(frozen=True, slots=True)
class NumberView:
    """`figure`: the key of its figure; `more`: what else is known of a mean of one bit."""

    unit: str
    figure: str
    rows: list[NumberRow]
    sentences: list[str]
    binned: bool
    has_truth: bool


def number_view(
    question: QuestionResults, truth: Sequence[float] | None = None
) -> NumberView | None:
    """The numbers of a question that has been answered in numbers; None for any other.

    `truth`: the true shares of simulated respondents.
    """
    number = question.number
    if not number:
        return None
    mean = true_mean(number, truth)
    binned = number.distribution is not None
    return NumberView(
        unit=number.unit,
        figure=number_figure_key(question),
        rows=[
            _row(number, number.mean, mean),
            *(_row(number, found) for found in number.quantiles),
        ],
        sentences=_of_bins(number, number.mean)
        if isinstance(number.mean, MeanOfBins)
        else _of_one_bit(number, number.mean),
        binned=binned,
        has_truth=mean is not None,
    )


def true_mean(number: Number, truth: Sequence[float] | None) -> float | None:
    """The mean of simulated respondents from their shares at the two ends of the range.

    None where nobody was simulated, and of bins: where in a bin a number lies is not simulated.
    """
    if truth is None or number.distribution is not None:
        return None
    at_lower, at_upper = truth
    reach: float = number.upper - number.lower
    return float(number.lower + reach * at_upper / (at_lower + at_upper))


def number_figure_key(question: QuestionResults) -> str:
    """The key of its figure: that of the question where no shares are drawn."""
    return f"{question.id}:number" if question.categories else question.id


def number_digits(number: Number) -> int:
    """The decimals for all of its numbers: those of the standard error of the mean."""
    return numbers.digits_of_error(number.mean.standard_error)


def row_name(found: Mean | Quantile) -> str:
    """Return what a quantile is called, or the mean."""
    return str(_NAMES[found.chance]) if isinstance(found, Quantile) else _("Mean")


def with_unit(text: str, number: Number) -> str:
    return f"{text} {number.unit}".strip()


def _row(number: Number, found: Mean | Quantile, truth: float | None = None) -> NumberRow:
    digits, tells = number_digits(number), not tells_nothing(found, number)
    value = found.estimate if tells else None
    error = getattr(found, "standard_error", None) if tells else None
    too_few = _("Too few answers to say anything")
    return NumberRow(
        label=row_name(found),
        estimate=numbers.fixed_decimals(value, digits),
        outside=value is not None and not number.lower <= value <= number.upper,
        interval=numbers.span(found.interval, digits) if tells else too_few,
        standard_error=numbers.fixed_decimals(error, digits),
        truth=None if truth is None else numbers.fixed_decimals(truth, digits),
    )


def tells_nothing(found: WithInterval, number: Number) -> bool:
    """Whether the interval of a mean or a quantile is as wide as the whole range."""
    low, high = found.interval
    if low is None or high is None:
        return False
    return bool(high - low >= number.upper - number.lower)


def _of_one_bit(number: Number, mean: MeanOfOneBit) -> list[str]:
    digits = number_digits(number)
    at_any_time = _("The interval that stays valid however often you look: %(interval)s.") % {
        "interval": with_unit(numbers.span(mean.confidence_sequence, digits), number)
    }
    return [*_reported(mean), at_any_time, *_made_up(mean)]


def _reported(mean: MeanOfOneBit) -> list[str]:
    if mean.reported is None:
        return []
    text = _(
        "The second code was sent in %(share)s of the reports (%(count)s). That is all that is "
        "known: the shares of single answers, the median and how far the numbers lie apart are not."
    )
    values = {
        "share": numbers.percent(mean.reported_share, 1),
        "count": numbers.count(mean.reported),
    }
    return [text % values]


def _made_up(mean: MeanOfOneBit) -> list[str]:
    if mean.fakes is None:
        return []
    text = _(
        "%(fakes)s made-up reports would move the mean by half of its 95 %% interval; one of them "
        "weighs as much as %(weight)s honest answers."
    )
    values = {
        "fakes": numbers.count(round(mean.fakes)),
        "weight": numbers.fixed_decimals(mean.fake_weight, 1),
    }
    return [text % values]


def _of_bins(number: Number, mean: MeanOfBins) -> list[str]:
    digits = number_digits(number)
    median = next(found for found in number.quantiles if found.chance == 0.5)
    values = {
        "reach": with_unit(numbers.fixed_decimals(mean.discretisation, digits), number),
        "mean": with_unit(numbers.span(mean.interval_of_all, digits), number),
        "median": with_unit(numbers.span(median.even_interval, digits), number),
    }
    of_quartiles = _(
        "The intervals of the quartiles are of whole bins: no more is known of them. Where the "
        "numbers are spread evenly over a bin, which many people with one number, such as 0, "
        "are not, the median lies in %(median)s."
    )
    if None in mean.interval_of_all:
        return [of_quartiles % values]
    return [
        _(
            "The mean is that of the middles of the bins: where in them the numbers lie is not "
            "known. It can be up to %(reach)s away, however many answer: whatever the numbers are, "
            "it lies in %(mean)s at 95 %% confidence."
        )
        % values,
        of_quartiles % values,
    ]
