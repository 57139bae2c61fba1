"""The dependence of a pilot's questions, from the reports to their pairs.

Only pairs with as many reports as the release threshold asks for are measured, so that what an
author sees of a pair is what the results would show. The content of a run is plain JSON; every
number on the author's page is computed from it and from the frozen parameters.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import rr_engine
from surveys.kinds import KINDS
from surveys.parameters import Device, Joint, Parameters, Question, picked_of, picked_questions
from surveys.parameters.joint import channel_of_joint
from surveys.responses.spaces import Counts
from surveys.results.launch_strata import Tallies

FORMAT = 2

DependenceGraph = rr_engine.clusters.DependenceGraph
Content = dict[str, Any]
Row = Mapping[str, Any]


def dependence_content(
    parameters: Parameters, tallies: Tallies, report: Callable[[float], bool]
) -> Content | None:
    """The measured pairs; None if `report`, which is told the progress, asked for an end."""
    questions = {question.id: question for question in parameters.questions}
    pairs, rows = picked_of(parameters), []
    for number, device in enumerate(pairs):
        if not report(number / len(pairs)):
            return None
        rows.append(_measured(device, questions, tallies.get(device.key), parameters))
    return {"format": FORMAT, "threshold": parameters.release_threshold, "pairs": rows}


def is_readable(content: Row) -> bool:
    return content.get("format") == FORMAT


def measured_pairs(content: Row) -> list[Row]:
    """Return the pairs with enough reports."""
    return [row for row in content["pairs"] if row["n"]]


def attributes_of(parameters: Parameters) -> list[rr_engine.clusters.Attribute]:
    """The paired questions as the library has them; a scale with more than answers has no order."""
    return [_attribute(question) for question in picked_questions(parameters)]


def graph_of(content: Row, parameters: Parameters) -> DependenceGraph:
    """Return what was measured, as the library takes it; pairs with few reports are unknown."""
    attributes = tuple(attributes_of(parameters))
    places = {attribute.name: place for place, attribute in enumerate(attributes)}
    size = len(attributes)
    similarity, errors = np.full((size, size), np.nan), np.full((size, size), 0.5)
    lower, p_values = np.zeros((size, size)), np.ones((size, size))
    people = np.zeros((size, size), dtype=np.int64)
    for row in measured_pairs(content):
        first, second = places[row["first"]], places[row["second"]]
        for cell in ((first, second), (second, first)):
            similarity[cell], errors[cell] = row["value"], row["standard_error"]
            lower[cell], p_values[cell] = row["lower"], row["p_value"]
            people[cell] = row["n"]
    for matrix, value in ((similarity, 1.0), (errors, 0.0), (lower, 1.0), (p_values, 0.0)):
        np.fill_diagonal(matrix, value)
    return DependenceGraph(attributes, similarity, errors, lower, p_values, people)


def estimates_of(
    content: Row, parameters: Parameters, names: Sequence[str]
) -> dict[tuple[str, str], rr_engine.JointEstimate]:
    """The estimated tables of the measured pairs that one of these questions is in."""
    devices = {device.questions: device for device in picked_of(parameters)}
    return {
        (row["first"], row["second"]): _estimate(
            devices[row["first"], row["second"]], row["counts"], parameters
        )
        for row in measured_pairs(content)
        if {row["first"], row["second"]} & set(names)
    }


def _attribute(question: Question) -> rr_engine.clusters.Attribute:
    size = len(question.categories)
    if KINDS[question.kind].ordered and not question.other_count:
        return rr_engine.clusters.Attribute.ordinal(question.id, size)
    return rr_engine.clusters.Attribute(question.id, size)


def _measured(
    device: Device,
    questions: Mapping[str, Question],
    counts: Counts | None,
    parameters: Parameters,
) -> Row:
    first, second = device.questions
    row: dict[str, Any] = {"first": first, "second": second, "n": 0}
    stored = np.asarray(counts if counts is not None else [], dtype=np.int64).tolist()
    people = sum(stored)
    if people < max(parameters.release_threshold, 2):
        return row
    attributes = [_attribute(questions[name]) for name in device.questions]
    estimate = _estimate(device, stored, parameters)
    graph = rr_engine.clusters.dependence_graph(attributes, {(first, second): estimate})
    return row | {
        "n": people,
        "counts": stored,
        "value": float(graph.similarity[0, 1]),
        "standard_error": float(graph.standard_errors[0, 1]),
        "lower": float(graph.lower[0, 1]),
        "p_value": float(graph.p_values[0, 1]),
        "ordered": all(attribute.ordered for attribute in attributes),
        "note": next((note.code for note in graph.notes), ""),
    }


def _estimate(
    device: Device, counts: Sequence[int], parameters: Parameters
) -> rr_engine.JointEstimate:
    table = device.table
    if not isinstance(table, Joint):
        raise TypeError("the device of a pair is a joint one")
    cells = np.asarray(counts).reshape(table.shape)
    return rr_engine.estimate_joint(
        [channel_of_joint(table)], cells, population=parameters.population
    )
