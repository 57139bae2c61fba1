"""The finding of a question: what its kind has, as a sentence and figures."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.features import FEATURES
from surveys.kinds import KINDS
from surveys.parameters import Parameters, Question
from surveys.results.findings import sentences
from surveys.results.findings.choice import NOTHING_CHOSEN, Choice
from surveys.results.findings.figures import (
    Figure,
    Histogram,
    Panel,
    Row,
    Shown,
    share_figure,
)
from surveys.results.findings.finding import Finding, Headline
from surveys.results.findings.networks import network_finding
from surveys.results.findings.rankings import ranking_finding
from surveys.results.findings.strips import (
    NOWHERE,
    Axis,
    Marks,
    axis_svg,
    bars_svg,
    number_axis,
    strip_svg,
)
from surveys.results.kinds.number_presentation import (
    number_digits,
    number_figure_key,
    row_name,
    tells_nothing,
    true_mean,
)
from surveys.results.kinds.text_presentation import drawn_rows
from surveys.results.tables.recoding import labels_of
from surveys.results_document.kinds import Mean, Number, Quantile
from surveys.results_document.parts import Interval
from surveys.results_document.questions import QuestionResults
from surveys.results_document.weighted import WeightedQuestion, WeightedShare


def question_finding(
    question: QuestionResults,
    parameters: Parameters,
    choice: Choice,
    weighted: WeightedQuestion | None = None,
    truth: Sequence[float] | None = None,
) -> Finding:
    """Return the sentence and the figures of a question, in the active language.

    `weighted`: its weighted numbers, where these are chosen and there are any. `truth`: the true
    shares of simulated respondents.
    """
    frozen = parameters.question(question.id)
    finding = _finding(question, frozen, choice, weighted, truth)
    if finding.weighted:
        return finding
    further = [words for x in FEATURES.values() for words in x.results.sentences(question, frozen)]
    return replace(finding, sentences=[*finding.sentences, *further])


def _finding(
    question: QuestionResults,
    frozen: Question,
    choice: Choice,
    weighted: WeightedQuestion | None,
    truth: Sequence[float] | None,
) -> Finding:
    name = f"figure-{question.id}"
    if question.network:
        return network_finding(question, name)
    if question.texts:
        return _texts(question, name)
    if question.ranking:
        return ranking_finding(question, name, choice, truth)
    if question.number:
        return _number(question, name, weighted, truth)
    if not question.categories:
        return Finding([_("Too few people have answered this question to show anything.")])
    return _categories(question, name, frozen, choice, weighted, truth)


# --- shares of answers --------------------------------------------------------------------------


def _categories(
    question: QuestionResults,
    name: str,
    frozen: Question,
    choice: Choice,
    weighted: WeightedQuestion | None,
    truth: Sequence[float] | None,
) -> Finding:
    shown = _shown(question, weighted, truth)
    focus = _focus(question, frozen, shown)
    figure = share_figure(name, question.id, [("", shown)], choice, _("Answer"))
    mean = _score(question, weighted)
    if mean is not None:
        sentence, headline = mean
    else:
        sentence = _share_sentence(question, focus, weighted=weighted is not None)
        headline = Headline(focus.marks)
    return Finding([sentence], [figure], headline, weighted is not None, focus.size)


def _shown(
    question: QuestionResults, weighted: WeightedQuestion | None, truth: Sequence[float] | None
) -> list[Shown]:
    if weighted is not None:
        labels = labels_of(weighted.answers, question.labels)
        return list(map(Shown, labels, weighted.categories))
    truths: Sequence[float | None] = truth or [None] * len(question.categories)
    rows = zip(question.categories, truths, strict=True)
    return [Shown(row.label, row, true) for row, true in rows]


def _focus(question: QuestionResults, frozen: Question, shown: Sequence[Shown]) -> Shown:
    """The answer that the sentence is about: Yes, or that of the largest share."""
    if KINDS[question.kind].opposites and len(shown) == len(question.labels):
        return shown[1]
    answers = shown[: max(len(shown) - frozen.other_count, 1)] if len(shown) > 2 else shown
    return max(answers, key=lambda row: row.size)


def _share_sentence(question: QuestionResults, focus: Shown, *, weighted: bool) -> str:
    share, label = focus.share, focus.label
    if share.estimate is not None and focus.fixed:
        return sentences.fixed_sentence(label, share.estimate)
    if share.estimate is not None and share.interval == (share.estimate, share.estimate):
        return sentences.counted_sentence(label, share.estimate)
    several = KINDS[question.kind].several
    return sentences.share_sentence(label, share, several=several, weighted=weighted)


def _score(
    question: QuestionResults, weighted: WeightedQuestion | None
) -> tuple[str, Headline] | None:
    """The mean score of a scale; None where it tells nothing or is fixed by a margin."""
    plain = question.mean
    if not plain or not KINDS[question.kind].ordered:
        return None
    value, error, interval = plain.value, plain.standard_error, plain.interval
    if weighted is not None:
        mean = weighted.mean
        if mean is None or mean.fixed:
            return None
        value, error, interval = mean.estimate, mean.standard_error, mean.interval
    (low, high), possible = interval, (float(plain.lowest), float(plain.highest))
    if value is None or low is None or high is None or high - low >= possible[1] - possible[0]:
        return None
    sentence = sentences.mean_sentence(
        value, interval, error, possible, score=True, weighted=weighted is not None
    )
    marks = Marks(value, interval)
    return sentence, Headline(marks, number_axis(*possible, [marks]))


# --- numbers ------------------------------------------------------------------------------------

Found = Mean | Quantile | WeightedShare


def _number(
    question: QuestionResults,
    name: str,
    weighted: WeightedQuestion | None,
    truth: Sequence[float] | None,
) -> Finding:
    number = question.number
    possible = (float(number.lower), float(number.upper))
    is_weighted = weighted is not None and weighted.mean is not None
    mean: Mean | WeightedShare = number.mean
    if weighted is not None and weighted.mean is not None:
        mean = weighted.mean
    # The truth is that of the people who were simulated, without weights.
    true = None if is_weighted else true_mean(number, truth)
    found: list[tuple[str, Found, float | None]] = [(row_name(number.mean), mean, true)]
    if not is_weighted:
        found += [(row_name(quantile), quantile, None) for quantile in number.quantiles]
    marks = [_number_marks(each, number, truth) for _label, each, truth in found]
    axis = number_axis(*possible, marks, number.unit)
    sentence = sentences.mean_sentence(
        mean.estimate,
        mean.interval,
        mean.standard_error,
        possible,
        unit=number.unit,
        weighted=is_weighted,
    )
    rows = [_number_row(*each, number, axis, name) for each in found]
    histogram = None if is_weighted else _histogram(question)
    figure = Figure(
        name=name,
        key=number_figure_key(question),
        heading=_("Number"),
        unit=number.unit,
        scale=axis,
        axis=axis_svg(axis, name),
        panels=[Panel("", rows)],
        histogram=histogram,
        bars=bars_svg(axis, histogram.edges, histogram.shares) if histogram else None,
    )
    return Finding([sentence], [figure], Headline(marks[0], axis), is_weighted)


def _number_marks(found: Found, number: Number, truth: float | None) -> Marks:
    if tells_nothing(found, number):
        return Marks(None, NOWHERE, truth=truth)
    inner: Interval = getattr(found, "interval_50", NOWHERE)
    return Marks(found.estimate, found.interval, inner, truth)


def _number_row(
    label: str, found: Found, truth: float | None, number: Number, axis: Axis, name: str
) -> Row:
    error = getattr(found, "standard_error", None)
    digits = numbers.digits_of_error(error) if error else number_digits(number)
    nothing, marks = tells_nothing(found, number), _number_marks(found, number, truth)
    estimate = None if nothing else found.estimate
    span = numbers.span(found.interval, digits)
    return Row(
        label=label,
        estimate=numbers.fixed_decimals(estimate, digits),
        interval=_("Too few answers to say anything") if nothing else span,
        outside=estimate is not None and not number.lower <= estimate <= number.upper,
        marks=marks,
        strip=strip_svg(axis, marks, name),
        is_known=estimate is not None,
    )


def _histogram(question: QuestionResults) -> Histogram | None:
    distribution = question.number.distribution
    if distribution is None:
        return None
    rows = question.categories[: len(distribution.boundaries) - 1]
    shares = [Marks(row.estimate, row.interval) for row in rows]
    return Histogram(distribution.boundaries, shares)


# --- texts --------------------------------------------------------------------------------------


def _texts(question: QuestionResults, name: str) -> Finding:
    drawn = drawn_rows(question)
    found = [(row.label, row) for row in drawn]
    sentence = sentences.texts_sentence(found, question.texts.list.size)
    if not drawn:
        return Finding([sentence])
    shown = [Shown(row.label, row) for row in drawn]
    figure = share_figure(name, question.id, [("", shown)], NOTHING_CHOSEN, _("Text"))
    return Finding([sentence], [figure], Headline(shown[0].marks), size=shown[0].size)
