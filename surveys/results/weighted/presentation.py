"""Weighted results as localized texts for the results page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.features import weighting_of
from surveys.models import WeightedShares
from surveys.results.regression.refusals import refusal_text
from surveys.results.release import Release
from surveys.results.shown_shares import ShownShare
from surveys.results.tables.recoding import labels_of
from surveys.results_document.questions import QuestionResults
from surveys.results_document.tables import TableResults
from surveys.results_document.weighted import (
    WeightedQuestion,
    WeightedResults,
    WeightedShare,
    WeightedTable,
    WeightedTest,
    read_weighted,
)


@dataclass(frozen=True, slots=True)
class WeightedRow(ShownShare[WeightedShare]):
    """A weighted share, or one that the margins fix."""

    @property
    def estimate(self) -> str:
        if self.share.fixed:
            return numbers.percent(self.share.estimate, self.digits)
        return numbers.share_text(self.share, self.digits)

    @property
    def interval(self) -> str:
        if self.share.fixed:
            return _("fixed by the margin")
        return numbers.interval_text(self.share, self.digits)


@dataclass(frozen=True, slots=True)
class WeightedCell:
    """An answer in a group of a table: its share of the group, and of everybody."""

    within: WeightedRow
    joint: WeightedRow


@dataclass(frozen=True, slots=True)
class WeightedGroup:
    label: str
    cells: list[WeightedCell]


@dataclass(frozen=True, slots=True)
class Weights:
    """The cost of the weights; `earlier`: they rest on so many responses, fewer than the page."""

    design_effect: str
    effective_n: str
    earlier: str | None


@dataclass(frozen=True, slots=True)
class WeightedView:
    """The weighted numbers of one question, of which there may be shares, or a mean, or both."""

    rows: Sequence[WeightedRow] = ()
    mean: str = ""


@dataclass(frozen=True, slots=True)
class WeightingView:
    """How far the weighting of a release is.

    `refusal`: why there are no weights. `failed`: the last attempt broke down. Without any of these
    they are still to be computed.
    """

    weights: Weights | None = None
    refusal: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class WeightedTableView:
    n: str
    outcomes: Sequence[str]
    groups: list[WeightedGroup]
    test: str


def stored_weighted(release: Release) -> WeightedShares | None:
    """The row of a release's launch and step; None where nothing is weighted."""
    if weighting_of(release.parameters) is None:
        return None
    return WeightedShares.objects.filter(launch=release.launch, step=release.step).first()


def computed_weighted(stored: WeightedShares | None) -> WeightedResults | None:
    """The weighted numbers, if there are any that this version can read."""
    return read_weighted(stored.content) if stored else None


def weighting_view(release: Release) -> WeightingView | None:
    """How far the weighting is; None where nothing is released, or the launch has no margins."""
    stored = stored_weighted(release)
    if stored is None or release.content is None:
        return None
    content, failed = computed_weighted(stored), bool(stored.failed)
    if content is None:
        return WeightingView(refusal=refusal_text(stored.refusal), failed=failed)
    return WeightingView(_weights(stored, content, release), failed=failed)


def weighted_views(release: Release) -> dict[str, WeightedView]:
    """The weighted numbers by question; empty where there are none."""
    content = computed_weighted(stored_weighted(release))
    if content is None or release.content is None:
        return {}
    return {
        question.id: _view(found, question)
        for question in release.content.questions
        if (found := content.questions.get(question.id))
        and (question.categories or question.number)
    }


def weighted_table_views(release: Release) -> dict[str, WeightedTableView]:
    """The weighted tables by name: of those whose cells are shown, once they are computed."""
    content = computed_weighted(stored_weighted(release))
    if content is None or release.content is None:
        return {}
    labels = {question.id: question.labels for question in release.content.questions}
    return {
        table.id: _table_view(found, table, labels)
        for table in release.content.tables
        if table.cells and (found := content.tables.get(table.id))
    }


def _weights(stored: WeightedShares, content: WeightedResults, release: Release) -> Weights:
    earlier = stored.revision < release.revision
    return Weights(
        design_effect=numbers.fixed_decimals(content.design_effect, 2),
        effective_n=numbers.count(round(content.effective_n)),
        earlier=numbers.count(stored.responses) if earlier else None,
    )


def _view(found: WeightedQuestion, question: QuestionResults) -> WeightedView:
    labels = labels_of(found.answers, question.labels)
    return WeightedView(
        rows=_rows(labels, found.categories, _digits(found.categories)),
        mean=_mean(found.mean, question),
    )


def _digits(shares: Sequence[WeightedShare]) -> int:
    """One decimal where the shares were declared, and were not estimated."""
    estimated = [share for share in shares if not share.fixed]
    return numbers.common_digits(estimated) if estimated else 1


def _rows(labels: Sequence[str], shares: Sequence[WeightedShare], digits: int) -> list[WeightedRow]:
    pairs = zip(labels, shares, strict=True)
    return [WeightedRow(label, share, digits) for label, share in pairs]


def _mean(mean: WeightedShare | None, question: QuestionResults) -> str:
    if mean is None or mean.estimate is None:
        return ""
    digits = numbers.digits_of_error(mean.standard_error)
    unit = question.number.unit if question.number else ""
    if mean.fixed:
        fixed = _("Weighted mean %s, fixed by the margin")
        return fixed % numbers.fixed_decimals(mean.estimate, digits)
    values = {
        "mean": f"{numbers.fixed_decimals(mean.estimate, digits)} {unit}".strip(),
        "interval": numbers.span(mean.interval, digits),
        "error": numbers.fixed_decimals(mean.standard_error, digits),
    }
    words = _("Weighted mean %(mean)s, 95 %% interval %(interval)s, standard error %(error)s")
    return words % values


def _table_view(
    found: WeightedTable, table: TableResults, labels: Mapping[str, Sequence[str]]
) -> WeightedTableView:
    outcomes = labels_of(found.outcomes, labels[table.outcome])
    groups = labels_of(found.groups, labels[table.group])
    of_group, of_all = (
        numbers.common_digits([share for row in rows for share in row])
        for rows in (found.conditional, found.cells)
    )
    return WeightedTableView(
        n=numbers.count(found.n),
        outcomes=outcomes,
        groups=[
            WeightedGroup(group, list(map(WeightedCell, within, joint)))
            for group, within, joint in zip(
                groups,
                [_rows(outcomes, row, of_group) for row in found.conditional],
                [_rows(outcomes, row, of_all) for row in found.cells],
                strict=True,
            )
        ],
        test=_test(found.independence),
    )


def _test(test: WeightedTest) -> str:
    if test.p_value is None:
        return _("The people are too few for a weighted test of association.")
    words = _("Weighted test of association: F = %(statistic)s with %(freedom)s, %(p)s.")
    freedom = (test.numerator_freedom, test.denominator_freedom)
    return words % {
        "statistic": numbers.fixed_decimals(test.statistic, 2),
        "freedom": _("%(first)s and %(second)s degrees of freedom")
        % dict(zip(("first", "second"), map(numbers.count, freedom), strict=True)),
        "p": numbers.p_value(test.p_value),
    }
