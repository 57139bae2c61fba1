"""Clusters of a pilot's questions, and what a main survey with these would cost and tell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from math import prod

from django.conf import settings
from django.utils.translation import gettext as _

import rr_engine
from surveys import numbers
from surveys.authoring.limits import REFUSED_ABOVE, WARNED_ABOVE
from surveys.devices.joint import family_of_sizes, joint_sizes
from surveys.devices.joint_margin import join_questions
from surveys.drafts import Draft
from surveys.engine_words import EngineError
from surveys.features import FEATURES
from surveys.features.parts import DrawWords
from surveys.features.pilots.dependence import Row, attributes_of, estimates_of, graph_of
from surveys.models import Question
from surveys.parameters import Parameters
from surveys.parameters.budget import text_of

# Clusters as lists of the questions' names, in the order of the survey.
Names = list[list[str]]
BEST = "best"
METHODS = (BEST, "pic", "hierarchical", "spectral")
# Digits of an epsilon that the row of a question takes.
STEP = Decimal("0.0001")
Z_95 = 1.959963984540054
# Cells of pairs times answers to merge, up to which a merger is looked for while an author waits.
MOST_MERGED = 5_000_000


@dataclass(frozen=True, slots=True)
class Merger:
    """The loss from merging answers down to the planned number of people.

    `merged`: for each question the labels that would be one answer. `lost` and `before` are the
    mutual information of its answers with those of the other questions, in bits.
    """

    cells: int
    merged: list[tuple[str, list[list[str]]]]
    lost: float
    before: float


@dataclass(frozen=True, slots=True)
class ClusterFigures:
    """One cluster of a plan. Margins are half widths of 95 % intervals; None of what it has not."""

    number: int
    questions: list[Question]
    cells: int
    epsilon: Decimal
    people_per_cell: float
    answer_margin: float | None
    pair_margin: float | None
    cell_margin: float | None
    too_many: str
    warning: str
    merger: Merger | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A main survey as it would be made: its questions in their order, and what stands against it.

    `kept`: the share of the dependence that was found which is within clusters.
    """

    questions: list[Question]
    clusters: list[ClusterFigures]
    kept: float
    problems: list[str]


def propose(
    content: Row, parameters: Parameters, *, n: int, method: str = BEST, k: int | None = None
) -> Names:
    """Clusters by a method: `k` of them, or else as keep the most and leave ten people a cell.

    Where no division does, one person a cell; where none does this either, each by itself.
    """
    graph = graph_of(content, parameters)
    if k is not None:
        by = "pic" if method == BEST else method
        return _named(rr_engine.clusters.cluster_attributes(graph, k, by), graph.names)
    for multiple in (WARNED_ABOVE, REFUSED_ABOVE):
        try:
            chosen = rr_engine.clusters.choose_clusters(
                graph, graph.sizes, n, float(multiple), method
            )
        except EngineError:
            continue
        return _named(chosen.clusters, graph.names)
    return [[name] for name in graph.names]


def _named(clusters: Sequence[Sequence[int]], names: Sequence[str]) -> Names:
    return [[names[place] for place in members] for members in clusters]


def scaled_epsilons(questions: Sequence[Question], total: Decimal) -> dict[str, Decimal]:
    """The epsilons of the sensitive questions in their proportions, adding up to `total` or less.

    Rounded down, so that the sum is never above it.
    """
    epsilons = {
        question.name: question.known_epsilon for question in questions if question.randomized
    }
    whole = sum(epsilons.values(), Decimal(0))
    return {
        name: (epsilon * total / whole).quantize(STEP, ROUND_FLOOR)
        for name, epsilon in epsilons.items()
    }


def planned_questions(
    questions: Sequence[Question], clusters: Names, epsilons: Mapping[str, Decimal]
) -> list[Question]:
    """Unsaved copies of the questions of a pilot, as the main survey asks them.

    Those of a cluster stand where the first of them stood, and share a draw.
    """
    copies = {question.name: _copy(question, epsilons.get(question.name)) for question in questions}
    cluster_of = {name: members for members in clusters for name in members}
    ordered: list[Question] = []
    draw = 0
    for question in questions:
        members = cluster_of.get(question.name, [question.name])
        if copies[question.name] in ordered:
            continue
        draw += len(members) > 1
        for name in members:
            copies[name].group = draw if len(members) > 1 else None
            ordered.append(copies[name])
    for position, copy in enumerate(ordered, start=1):
        copy.position = position
    return ordered


def _copy(question: Question, epsilon: Decimal | None) -> Question:
    fields = {
        field.attname: getattr(question, field.attname)
        for field in Question._meta.concrete_fields
        if not field.primary_key and field.name != "survey"
    }
    if epsilon is not None:
        fields["epsilon"] = epsilon
    return Question(**fields)


def plan_of(
    content: Row,
    parameters: Parameters,
    questions: Sequence[Question],
    clusters: Names,
    *,
    total: Decimal,
    n: int,
) -> Plan:
    """The main survey of these clusters at a total epsilon and a planned number of respondents."""
    asked = planned_questions(questions, clusters, scaled_epsilons(questions, total))
    join_questions(asked)
    graph = graph_of(content, parameters)
    places = {name: place for place, name in enumerate(graph.names)}
    choice = rr_engine.clusters.judge_clusters(
        [[places[name] for name in members] for members in clusters], graph, graph.sizes, n
    )
    by_name = {question.name: question for question in asked}
    draws = [draw for x in FEATURES.values() for draw in x.author.draw_words(asked, n)]
    said = {asked[place].name: draw for draw in draws for place in draw.places}
    figures = []
    for number, names in enumerate(clusters, start=1):
        members = [by_name[name] for name in names]
        merger = _merger(content, parameters, names, n)
        figures.append(_figures(number, members, n, said.get(names[0]), merger))
    problems = [*_over_cap(asked), *(problem for draw in draws for problem in draw.problems)]
    problems += [draw.too_many for draw in draws if draw.too_many]
    return Plan(asked, figures, choice.kept, problems)


def _over_cap(asked: Sequence[Question]) -> Iterator[str]:
    cap = Decimal(settings.EPSILON_CAP)
    largest = max((question.epsilon or Decimal(0) for question in asked), default=Decimal(0))
    if largest > cap:
        message = _(
            "At this total a question has an epsilon of %(epsilon)s; this site allows %(cap)s at "
            "most. Choose a smaller total."
        )
        yield message % {"epsilon": numbers.decimal(largest), "cap": numbers.decimal(cap)}


def _figures(
    number: int, members: list[Question], n: int, said: DrawWords | None, merger: Merger | None
) -> ClusterFigures:
    """`said`: what its author reads of the draw of a cluster; None of one question alone."""
    sizes = joint_sizes([Draft.of(question) for question in members])
    epsilon = sum((question.known_epsilon for question in members), Decimal(0))
    cost = _cost(sizes, epsilon, n)
    return ClusterFigures(
        number=number,
        questions=members,
        cells=prod(sizes),
        epsilon=epsilon,
        people_per_cell=n / prod(sizes),
        answer_margin=_margin(cost.margin_error if cost else None),
        pair_margin=_margin(cost.pair_error if cost else None),
        cell_margin=_margin(cost.cell_error if cost and len(members) > 2 else None),
        too_many=said.too_many if said else "",
        warning=said.thin if said else "",
        merger=merger,
    )


def _cost(
    sizes: tuple[int, ...], epsilon: Decimal, n: int
) -> rr_engine.clusters.ClusterCost | None:
    """Return the cost; None where no device over so many combinations is made."""
    clusters = [list(range(len(sizes)))]
    try:
        form = family_of_sizes(sizes, epsilon).form if len(sizes) > 1 else "uniform"
        return rr_engine.clusters.cluster_costs(clusters, sizes, text_of(epsilon), n, form)[0]
    except EngineError:
        return None


def _margin(error: float | None) -> float | None:
    return None if error is None else Z_95 * error


def _merger(content: Row, parameters: Parameters, names: list[str], n: int) -> Merger | None:
    """Return what merging answers would lose; None where there is nothing to say.

    That is where no merging is needed, where not even two answers to each question are few enough,
    where nothing is known of a question, or where it would take too long.
    """
    sizes = [len(parameters.question(name).categories) for name in names]
    if prod(sizes) <= n or 2 ** len(names) > n:
        return None
    estimates = estimates_of(content, parameters, names)
    if sum(sizes) * sum(table.proportions.size for table in estimates.values()) > MOST_MERGED:
        return None
    try:
        fewer = rr_engine.clusters.merge_categories(names, attributes_of(parameters), estimates, n)
    except EngineError:
        return None
    merged = []
    for name, groups in zip(fewer.names, fewer.groups, strict=True):
        labels = parameters.question(name).categories
        several = [[labels[place] for place in group] for group in groups if len(group) > 1]
        merged += [(name, several)] if several else []
    before = sum(pair.information_before for pair in fewer.pairs)
    return Merger(fewer.cells, merged, fewer.lost, before)
