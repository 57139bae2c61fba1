"""The findings of arms, as localized texts for the results page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.features.arms.results_section import Arm, ArmDifference, Cheating, Comparison
from surveys.features.arms.section import NAME
from surveys.kinds import KINDS
from surveys.kinds.one_answer import DISAGREE
from surveys.parameters import PAGE, Parameters
from surveys.results_document.questions import QuestionResults

# The second of no and yes is what the question is about.
FOCAL, TWO = 1, 2
# A difference is stated as found where the p-value is below it.
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class ArmRow:
    """The share of one answer in one arm; without an answer where the arm tells nothing."""

    name: str
    n: str
    answer: str
    estimate: str
    interval: str


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    answer: str
    difference: str
    interval: str
    p: str


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """`rows`: of a question of several answers the difference of each."""

    title: str
    lines: list[str]
    rows: list[DifferenceRow]
    caption: str


@dataclass(frozen=True, slots=True)
class ArmsView:
    rows: list[ArmRow]
    comparisons: list[ComparisonView]


def arms_view(question: QuestionResults, parameters: Parameters) -> ArmsView | None:
    """Return what the arms of a question found, in words; None of one without arms."""
    arms: Sequence[Arm] = question.section(NAME)
    if not arms:
        return None
    labels = parameters.question(question.id).categories
    comparisons = [
        _direct_comparison(arm, labels) if arm.directly else _split_comparison(arm, arms[0], labels)
        for arm in arms
        if arm.stratum != PAGE
    ]
    # The share of yes says that of no as well, so one of them is shown.
    one = KINDS[question.kind].opposites and len(labels) == TWO
    shown = [FOCAL] if one else range(len(labels))
    rows = [row for arm in arms for row in _rows(arm, labels, shown)]
    return ArmsView(rows, comparisons)


def arm_name(arm: Arm) -> str:
    """How an arm is called among the arms of a question."""
    if arm.directly:
        return _("Asked directly")
    epsilon = numbers.epsilon(arm.epsilon or "0")
    if arm.stratum == PAGE:
        return _("Scrambled, ε = %s") % epsilon
    return _("Split sample, ε = %s") % epsilon


def _rows(arm: Arm, labels: Sequence[str], shown: Iterable[int]) -> Iterator[ArmRow]:
    """The answers that are shown; of an arm that tells nothing its number of people."""
    n = numbers.count(arm.n or arm.suppressed)
    if not arm.categories:
        yield ArmRow(arm_name(arm), n, "", numbers.UNKNOWN, numbers.UNKNOWN)
        return
    digits = numbers.common_digits(arm.categories)
    for index in shown:
        estimate, interval = numbers.share_texts(arm.categories[index], digits)
        yield ArmRow(arm_name(arm), n, labels[index], estimate, interval)


def _direct_comparison(arm: Arm, labels: Sequence[str]) -> ComparisonView:
    lines = [_who_was_asked(arm), *_held_back(arm)]
    comparison = arm.comparison
    if comparison is not None:
        lines += [_direct_finding(comparison, labels), *_caution(comparison), *_left_out(arm)]
    caption = _("Shares of the scrambled answers, less the direct ones, in percentage points")
    return ComparisonView(
        _("Scrambled and asked directly"), lines, _differences(comparison, labels), caption
    )


def _who_was_asked(arm: Arm) -> str:
    message = _(
        "Chance puts %(share)s in 100 people into an arm that is asked this question directly. "
        "Their answers to it enter no other number and no file of reports: people who are asked "
        "directly may hide the answer."
    )
    return message % {"share": numbers.count(arm.share)}


def _direct_finding(comparison: Comparison, labels: Sequence[str]) -> str:
    if not _is_evidence(comparison):
        return _nothing_found(comparison)
    if comparison.focal is None:
        message = _(
            "The shares differ (%(p)s). An answer that is hidden is given less often directly than "
            "scrambled."
        )
        return message % {"p": numbers.p_value(comparison.p_value)}
    row = comparison.differences[comparison.focal]
    if (row.difference or 0) > 0:
        message = _(
            "Scrambled, the share of “%(answer)s” is estimated %(points)s points higher than "
            "directly (95 %% interval: %(interval)s; %(p)s). Asked directly, fewer people said it."
        )
    else:
        message = _(
            "Scrambled, the share of “%(answer)s” is estimated %(points)s points lower than "
            "directly (95 %% interval: %(interval)s; %(p)s). Asked directly, more people said it, "
            "which hiding an answer does not explain."
        )
    return message % _in_points(comparison, comparison.focal, labels)


def _left_out(arm: Arm) -> list[str]:
    """Return who left it out, where everybody else had to answer it."""
    if arm.asked is None or arm.asked == arm.n:
        return []
    left = arm.asked - arm.n
    message = ngettext(
        "%(left)s of the %(asked)s people who were asked directly left it out, as they may: the "
        "share is that of the others.",
        "%(left)s of the %(asked)s people who were asked directly left it out, as they may: the "
        "share is that of the others.",
        left,
    )
    return [message % {"left": numbers.count(left), "asked": numbers.count(arm.asked)}]


def _split_comparison(arm: Arm, page: Arm, labels: Sequence[str]) -> ComparisonView:
    message = _(
        "Chance puts %(share)s in 100 people into a sample that answers with ε = %(epsilon)s "
        "instead of %(other)s; the estimates above pool both."
    )
    words = {
        "share": numbers.count(arm.share),
        "epsilon": numbers.epsilon(arm.epsilon or "0"),
        "other": numbers.epsilon(page.epsilon or "0"),
    }
    lines, comparison = [message % words, *_held_back(arm)], arm.comparison
    if comparison is not None:
        lines += [_split_finding(comparison, labels), *_caution(comparison)]
        lines += _cheating(comparison.cheating, labels)
    caption = _("Shares on the page, less those in the split sample, in percentage points")
    return ComparisonView(
        _("The two strengths of scrambling"), lines, _differences(comparison, labels), caption
    )


def _split_finding(comparison: Comparison, labels: Sequence[str]) -> str:
    if not _is_evidence(comparison):
        return _nothing_found(comparison)
    meaning = _(
        "Answers depend on how strongly they are scrambled, or some reports do not come from the "
        "device: respondents cannot bend it, as their browser draws."
    )
    if comparison.focal is None:
        differ = _("The shares differ (%s).") % numbers.p_value(comparison.p_value)
        return f"{differ} {meaning}"
    row = comparison.differences[comparison.focal]
    if (row.difference or 0) > 0:
        message = _(
            "The share of “%(answer)s” is estimated %(points)s points higher on the page than in "
            "the split sample (95 %% interval: %(interval)s; %(p)s)."
        )
    else:
        message = _(
            "The share of “%(answer)s” is estimated %(points)s points lower on the page than in "
            "the split sample (95 %% interval: %(interval)s; %(p)s)."
        )
    return f"{message % _in_points(comparison, comparison.focal, labels)} {meaning}"


def _cheating(cheating: Cheating | None, labels: Sequence[str]) -> list[str]:
    """Return what share of the reports would not come from the device."""
    if cheating is None or None in cheating.interval:
        return []
    message = _(
        "If some send “%(answer)s” whatever the device draws (from a changed page, or by a "
        "script), they are an estimated %(share)s of all (95 %% interval: %(interval)s). Test that "
        "nobody does: %(p)s."
    )
    digits = numbers.digits_for(cheating.interval)
    low, high = (numbers.percent(end, digits) for end in cheating.interval)
    words = {
        "answer": labels[0],
        "share": numbers.percent(cheating.maximum_likelihood, digits),
        "interval": numbers.from_to(low, high),
        "p": numbers.p_value(cheating.p_value),
    }
    return [message % words]


def _is_evidence(comparison: Comparison) -> bool:
    return comparison.p_value is not None and comparison.p_value < ALPHA


def _caution(comparison: Comparison) -> list[str]:
    """Return that a difference may be chance, where it is not clear enough for a note."""
    p = comparison.p_value
    if p is None or not DISAGREE <= p < ALPHA:
        return []
    message = _(
        "That can be chance: of 100 surveys in which nothing differs about %(count)s find as much."
    )
    return [message % {"count": numbers.count(round(100 * p))}]


def _held_back(arm: Arm) -> list[str]:
    if arm.waiting:
        message = ngettext(
            "%(n)s more has answered it and counts once a whole batch of them has come.",
            "%(n)s more have answered it and count once a whole batch of them has come.",
            arm.waiting,
        )
        return [message % {"n": numbers.count(arm.waiting)}]
    if arm.n:
        return []
    if not arm.suppressed:
        return [_("Nobody of them has answered it yet.")]
    return [
        _(
            "Fewer of them than the release threshold have answered it, so that only their number "
            "is shown."
        )
    ]


def _nothing_found(comparison: Comparison) -> str:
    """No difference, and how large one would have been found."""
    rows = comparison.differences
    told = rows if comparison.focal is None else [rows[comparison.focal]]
    sizes = [row.detectable for row in told if row.detectable is not None]
    words = _("No difference was found (%s).") % numbers.p_value(comparison.p_value)
    if not sizes:
        return words
    if max(sizes) >= 1:
        nothing = _("With so few people none would have been found, however large it is.")
        return f"{words} {nothing}"
    message = _(
        "A difference of %(points)s points or more would have been found in 80 of 100 surveys."
    )
    return f"{words} {message % {'points': numbers.points(max(sizes), _digits(told[0]))}}"


def _in_points(comparison: Comparison, focal: int, labels: Sequence[str]) -> dict[str, str]:
    row = comparison.differences[focal]
    digits, sign = _digits(row), -1 if (row.difference or 0) < 0 else 1
    # Both ends turn round with the sign.
    ends = sorted(sign * end for end in row.interval if end is not None)
    low, high = (numbers.points(end, digits) for end in ends or (None, None))
    return {
        "answer": labels[focal],
        "points": numbers.points(abs(row.difference or 0), digits),
        "interval": numbers.from_to(low, high),
        "p": numbers.p_value(comparison.p_value),
    }


def _digits(row: ArmDifference) -> int:
    return numbers.digits_for(row.interval)


def _differences(comparison: Comparison | None, labels: Sequence[str]) -> list[DifferenceRow]:
    """Return the differences of several answers; the one of two is in a sentence."""
    if comparison is None or comparison.focal is not None:
        return []
    return [
        DifferenceRow(
            answer=label,
            difference=numbers.points(row.difference, _digits(row)),
            interval=numbers.percent_span(row.interval, _digits(row)),
            p=numbers.p_in_column(row.p_value),
        )
        for label, row in zip(labels, comparison.differences, strict=True)
    ]
