"""The finding of a table: how the groups differ; and of joint questions, the combinations."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.kinds import KINDS
from surveys.results.findings import comparisons
from surveys.results.findings.choice import NOTHING_CHOSEN, Choice
from surveys.results.findings.figures import Shown, share_figure
from surveys.results.findings.finding import Finding
from surveys.results.joint_questions.figures import JOINT, MOST_DRAWN, answers_text
from surveys.results.tables.figures import GROUPS
from surveys.results.tables.recoding import labels_of
from surveys.results_document.questions import QuestionResults
from surveys.results_document.tables import GroupDifference, JointResults, TableResults
from surveys.results_document.weighted import WeightedTable

# The significance level: the false positive rate of a test is at most 5 %.
SIZE = 0.05


def table_finding(
    table: TableResults,
    questions: Mapping[str, QuestionResults],
    choice: Choice,
    weighted: WeightedTable | None = None,
) -> Finding:
    """Return how the groups differ, and the share of each answer within every group.

    Of a No and a Yes, and of two answers, only the second is drawn.
    """
    if not table.cells:
        return Finding([_("Too few people have answered both questions to compare the groups.")])
    outcomes: Sequence[str] = table.outcome_labels
    groups: Sequence[str] = table.group_labels
    shares: Sequence[Sequence[numbers.Estimated]] = table.conditional
    if weighted is not None:
        outcomes = labels_of(weighted.outcomes, questions[table.outcome].labels)
        groups = labels_of(weighted.groups, questions[table.group].labels)
        shares = weighted.conditional
    focus = _focus(table, questions, len(outcomes))
    places = range(len(outcomes)) if focus is None else [focus]
    blocks = [
        (
            outcomes[place],
            [Shown(group, row[place]) for group, row in zip(groups, shares, strict=True)],
        )
        for place in places
    ]
    name = f"figure-{table.id.replace(',', '-by-')}"
    figure = share_figure(name, f"{table.id}:{GROUPS}", blocks, choice, _("Group"))
    if weighted is not None:
        said = _weighted_words(weighted, outcomes, groups, focus)
    else:
        said = _words(table, focus)
    return Finding(said, [figure], weighted=weighted is not None)


def _focus(
    table: TableResults, questions: Mapping[str, QuestionResults], outcomes: int
) -> int | None:
    """The answer whose differences are told: Yes, or the second of two; None: the largest."""
    if outcomes == 2:
        return 1
    question = questions[table.outcome]
    # Rare answers may have been put together, so that another one is in its place.
    is_whole = table.outcome_labels == question.labels and outcomes == len(question.labels)
    return 1 if KINDS[question.kind].opposites and is_whole else None


def _words(table: TableResults, focus: int | None) -> list[str]:
    p = table.independence.p_value
    entries = [
        entry
        for entry in table.differences
        if focus in (None, entry.outcome) and _is_told(table, entry)
    ]
    if p is not None and p >= SIZE:
        ends = [abs(end) for entry in entries for end in entry.interval if end is not None]
        return comparisons.alike_sentences(max(ends, default=None), p)
    telling = [entry for entry in entries if _excludes_zero(entry)]
    if p is None or not telling:
        return comparisons.differing_sentences(None, p)
    largest = max(telling, key=lambda entry: abs(entry.value or 0.0))
    return comparisons.differing_sentences(_between(table, largest), p)


def _is_told(table: TableResults, entry: GroupDifference) -> bool:
    """Whether a difference and both its shares are shown, too."""
    shares = [table.conditional[group][entry.outcome] for group in entry.groups]
    return entry.value is not None and all(map(_is_known, shares))


def _is_known(share: numbers.Estimated) -> bool:
    return share.estimate is not None and not numbers.tells_nothing(share)


def _excludes_zero(entry: GroupDifference) -> bool:
    low, high = entry.interval
    return low is not None and high is not None and not low <= 0 <= high


def _between(table: TableResults, entry: GroupDifference) -> comparisons.Between:
    value, (low, high) = entry.value or 0.0, entry.interval
    first, second = entry.groups if value >= 0 else entry.groups[::-1]
    ends = (low or 0.0, high or 0.0) if value >= 0 else (-(high or 0.0), -(low or 0.0))
    shares = [table.conditional[group][entry.outcome].estimate or 0.0 for group in (first, second)]
    return comparisons.Between(
        label=table.outcome_labels[entry.outcome],
        first=table.group_labels[first],
        second=table.group_labels[second],
        first_share=shares[0],
        second_share=shares[1],
        interval=ends,
    )


def _weighted_words(
    table: WeightedTable, outcomes: Sequence[str], groups: Sequence[str], focus: int | None
) -> list[str]:
    """Of weighted shares there is no interval of a difference: both have their own."""
    p = table.independence.p_value
    if p is not None and p >= SIZE:
        return comparisons.alike_sentences(None, p)
    known = [
        place
        for place in range(len(outcomes))
        if focus in (None, place) and all(_is_known(row[place]) for row in table.conditional)
    ]
    if p is None or not known:
        return comparisons.differing_sentences(None, p)
    place = max(known, key=lambda place: _spread(table, place))
    order = sorted(range(len(groups)), key=lambda group: _share(table, group, place))
    first, second = [(groups[at], table.conditional[at][place]) for at in (order[-1], order[0])]
    return [comparisons.weighted_groups_sentence(outcomes[place], first, second, p)]


def _share(table: WeightedTable, group: int, outcome: int) -> float:
    return table.conditional[group][outcome].estimate or 0.0


def _spread(table: WeightedTable, outcome: int) -> float:
    shares = [_share(table, group, outcome) for group in range(len(table.conditional))]
    return max(shares) - min(shares)


def joint_finding(joint: JointResults, noise: str) -> Finding:
    """Return the combinations of answers with the largest estimates."""
    shown = [Shown(answers_text(cell, joint.labels), cell) for cell in joint.cells[:MOST_DRAWN]]
    name, key = f"figure-{joint.id}", f"{joint.id}:{JOINT}"
    return Finding([noise], [share_figure(name, key, [("", shown)], NOTHING_CHOSEN, _("Answers"))])
