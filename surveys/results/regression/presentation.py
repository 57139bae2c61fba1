"""A fitted analysis as localized texts for its page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import exp
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.regression.fact_words import STANDARD_ERRORS, note_words, recoded_words
from surveys.results.regression.terms import LEFT_OUT, SCORES
from surveys.results_document.fits import (
    Calibration,
    Coefficient,
    Effect,
    FitResults,
    FitWeights,
    Prediction,
    WaldTest,
)

# The ratio of a larger logarithm is beyond every number that is written out.
_HUGE = 300.0

Shown = TypeVar("Shown", Effect, Prediction)


@dataclass(frozen=True, slots=True)
class Cell:
    """An estimate with its interval."""

    value: str
    interval: str


@dataclass(frozen=True, slots=True)
class CoefficientRow:
    label: str
    estimate: str
    error: str
    interval: str
    ratio: Cell | None
    p: str


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of one predictor; `against`: the level that the others are compared with."""

    text: str
    against: str
    rows: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Part:
    """The blocks of one category of the outcome; `category` is empty where there is one only."""

    category: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class CellRow:
    label: str
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class WaldRow:
    text: str
    statistic: str
    degrees: str
    p: str


@dataclass(frozen=True, slots=True)
class FitView:
    """The contents of the page of a fitted analysis, apart from its figures."""

    n: str
    left_out: str  # how many people are in no analysis of the release; empty if everybody is
    has_ratios: bool
    categories: Sequence[str]
    reference: str
    coefficients: Sequence[Part]
    effects: Sequence[Block]
    effect_categories: Sequence[str]
    predictions: Sequence[Block]
    prediction_categories: Sequence[str]
    tests: Sequence[WaldRow]
    facts: Sequence[tuple[str, str]]
    calibration: Sequence[tuple[str, str]]
    calibration_words: str
    weights: tuple[str, str] | None
    recoded: Sequence[str]
    notes: Sequence[str]


def fit_view(content: FitResults) -> FitView:
    outcome = content.outcome
    categories = outcome.categories
    shown = categories if outcome.multinomial else categories[1:]
    calibration = content.calibration
    return FitView(
        n=numbers.count(content.n),
        left_out=numbers.count(content.left_out) if content.left_out else "",
        has_ratios=content.link == "logit",
        categories=categories[1:],
        reference=categories[0],
        coefficients=[*_coefficients(content)],
        effects=_cell_blocks(content, content.effects, _points, compared=True),
        effect_categories=shown,
        predictions=_cell_blocks(content, content.predictions, _share, compared=False),
        prediction_categories=shown,
        tests=[_test_row(content, row) for row in content.tests],
        facts=[*_facts(content)],
        calibration=_calibration_rows(calibration) if calibration else [],
        calibration_words=_calibration_words(calibration) if calibration else "",
        weights=_weights(content.weights),
        recoded=recoded_words(content),
        notes=note_words(content.notes),
    )


def question_text(content: FitResults, name: str | None) -> str:
    """The text of a predictor; that of none is of the intercept."""
    texts = (each.text for each in content.predictors if each.id == name)
    return next(texts, _("Intercept"))


def level_words(label: str | float | None) -> str:
    """Return what a column of a predictor stands for, or one of its levels."""
    if label is None:
        return ""
    if label == SCORES:
        return _("for each point")
    if label == LEFT_OUT:
        return _("no answer")
    return label if isinstance(label, str) else numbers.decimal(round(label, 4))


def _coefficients(content: FitResults) -> Iterator[Part]:
    for category, rows in groupby(content.coefficients, lambda row: row.category):
        blocks = [
            Block(
                text=question_text(content, name),
                against=_against(content, name),
                rows=[_coefficient_row(row, content.link) for row in own],
            )
            for name, own in groupby(rows, lambda row: row.question)
        ]
        yield Part(category or "", blocks)


def _against(content: FitResults, name: str | None) -> str:
    found = (each.reference for each in content.predictors if each.id == name)
    return level_words(next(found, None))


def _coefficient_row(row: Coefficient, link: str) -> CoefficientRow:
    error = row.standard_error
    digits = numbers.digits_of_error(error)
    has_ratio = link == "logit" and row.question is not None
    return CoefficientRow(
        label=level_words(row.label),
        estimate=numbers.fixed_decimals(row.estimate, digits),
        error=numbers.fixed_decimals(error, digits),
        interval=numbers.span(row.interval, digits),
        ratio=_ratio(row) if has_ratio else None,
        p=numbers.p_in_column(row.p_value),
    )


def _ratio(row: Coefficient) -> Cell:
    """The odds ratio, with the digits that its own error allows."""
    error, (low, high) = row.standard_error, row.interval
    if row.estimate is None or error is None or low is None or high is None:
        return Cell(numbers.UNKNOWN, numbers.UNKNOWN)
    ratio, low, high = (exp(max(-_HUGE, min(end, _HUGE))) for end in (row.estimate, low, high))
    digits = numbers.digits_of_error(ratio * error)
    return Cell(numbers.fixed_decimals(ratio, digits), numbers.span((low, high), max(digits, 1)))


def _cell_blocks(
    content: FitResults, rows: Sequence[Shown], cell: Callable[[Shown], Cell], *, compared: bool
) -> list[Block]:
    """Return a block for each predictor, with a row for each of its levels."""
    blocks = []
    for predictor in content.predictors:
        by_label: dict[Any, list[Cell]] = {}
        for row in rows:
            if row.question == predictor.id:
                by_label.setdefault(row.label, []).append(cell(row))
        cells = [CellRow(level_words(label), own) for label, own in by_label.items()]
        against = level_words(predictor.reference) if compared else ""
        blocks.append(Block(predictor.text, against, cells))
    return blocks


def _points(row: Effect) -> Cell:
    """An average marginal effect in percentage points."""
    digits = numbers.digits_for(row.interval)
    span = numbers.percent_span(row.interval, digits)
    return Cell(numbers.points(row.estimate, digits), span)


def _share(row: Prediction) -> Cell:
    return Cell(*numbers.share_texts(row, numbers.digits_for(row.interval)))


def _test_row(content: FitResults, row: WaldTest) -> WaldRow:
    return WaldRow(
        text=question_text(content, row.question),
        statistic=numbers.fixed_decimals(row.statistic, 2),
        degrees=numbers.count(row.degrees),
        p=numbers.p_in_column(row.p_value),
    )


def _facts(content: FitResults) -> Iterator[tuple[str, str]]:
    """The diagnostics that are one number or one word."""
    kind = STANDARD_ERRORS.get(content.standard_errors, content.standard_errors)
    yield _("Standard errors"), str(kind)
    # Weighted answers have a pseudo-likelihood, which nothing may be compared by.
    if not content.weights:
        yield _("Log-likelihood"), numbers.fixed_decimals(content.log_likelihood, 2)
        null = content.null_log_likelihood
        yield _("Log-likelihood without predictors"), numbers.fixed_decimals(null, 2)
    comparison = content.comparison
    if comparison:
        yield "AIC", numbers.fixed_decimals(comparison.aic, 1)
        yield "BIC", numbers.fixed_decimals(comparison.bic, 1)
        yield _("McFadden's R²"), numbers.fixed_decimals(comparison.mcfadden, 3)
    settled = _("yes, after %s iterations") if content.converged else _("no, after %s iterations")
    yield _("Converged"), settled % numbers.count(content.iterations)


def _calibration_rows(calibration: Calibration) -> list[tuple[str, str]]:
    pairs = zip(calibration.fitted, calibration.observed, strict=True)
    return [(numbers.percent(mean, 1), numbers.percent(share, 1)) for mean, share in pairs]


def _calibration_words(calibration: Calibration) -> str:
    return _("χ² = %(statistic)s on %(degrees)s degrees of freedom, %(p)s") % {
        "statistic": numbers.fixed_decimals(calibration.statistic, 2),
        "degrees": numbers.count(calibration.degrees),
        "p": numbers.p_value(calibration.p_value),
    }


def _weights(weights: FitWeights | None) -> tuple[str, str] | None:
    """The design effect, and the number of people that the weighted ones are worth."""
    if weights is None:
        return None
    effect = numbers.fixed_decimals(weights.design_effect, 2)
    return effect, numbers.count(round(weights.effective_n))
