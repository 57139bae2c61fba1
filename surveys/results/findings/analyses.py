"""The finding of a fitted analysis: its clearest effect, predicted probabilities, coefficients."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.findings import comparisons
from surveys.results.findings.choice import NOTHING_CHOSEN
from surveys.results.findings.figures import Figure, Shown, share_figure, value_figure
from surveys.results.findings.finding import Finding
from surveys.results.findings.strips import Marks
from surveys.results.regression.figures import COEFFICIENTS, PREDICTIONS, coefficient_label
from surveys.results.regression.presentation import level_words
from surveys.results_document.fits import Effect, FitResults, PredictorResults


def analysis_finding(content: FitResults) -> Finding:
    """Return a sentence on the clearest effect, and a figure for each predictor."""
    figures = [_predicted(content, place) for place in range(len(content.predictors))]
    return Finding([_sentence(content)], figures)


def coefficient_figure(content: FitResults) -> Figure | None:
    """All coefficients but intercepts, on an axis with 0; None where none is finite."""
    known = [
        row for row in content.coefficients if row.question is not None and row.estimate is not None
    ]
    if not known:
        return None
    rows = []
    for row in known:
        digits = numbers.digits_of_error(row.standard_error)
        texts = (
            numbers.fixed_decimals(row.estimate, digits),
            numbers.span(row.interval, digits),
        )
        rows.append((coefficient_label(content, row), *texts, Marks(row.estimate, row.interval)))
    return value_figure(f"figure-{COEFFICIENTS}", COEFFICIENTS, rows, _("Predictor"))


def _predicted(content: FitResults, place: int) -> Figure:
    predictor = content.predictors[place]
    several = content.outcome.multinomial
    categories = content.outcome.categories if several else content.outcome.categories[1:]
    blocks = [
        (category if several else "", _levels(content, predictor, category))
        for category in categories
    ]
    key = f"{PREDICTIONS}:{place}"
    return share_figure(
        f"figure-{PREDICTIONS}-{place}", key, blocks, NOTHING_CHOSEN, predictor.text
    )


def _levels(content: FitResults, predictor: PredictorResults, category: str) -> Sequence[Shown]:
    return [
        Shown(level_words(row.label), row)
        for row in content.predictions
        if row.question == predictor.id and row.category == category
    ]


def _sentence(content: FitResults) -> str:
    known = [
        row for row in content.effects if row.estimate is not None and None not in row.interval
    ]
    telling = [row for row in known if not _holds_zero(row)]
    if not telling:
        ends = [abs(end) for row in known for end in row.interval if end is not None]
        return comparisons.no_effect_sentence(max(ends, default=None))
    clearest = max(telling, key=lambda row: abs(row.estimate or 0.0))
    against = next(each.reference for each in content.predictors if each.id == clearest.question)
    return comparisons.effect_sentence(
        clearest.category,
        (level_words(clearest.label), level_words(against)) if clearest.discrete else None,
        clearest.estimate or 0.0,
        (clearest.interval[0] or 0.0, clearest.interval[1] or 0.0),
    )


def _holds_zero(row: Effect) -> bool:
    low, high = row.interval
    return low is None or high is None or low <= 0 <= high
