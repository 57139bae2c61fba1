"""Which questions a response says something of, where everybody may know whom they are for."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from surveys.features.filters.section import Comparison, Filter, bins_within, filters_of
from surveys.features.parts import AnswersPart, Condition
from surveys.parameters import Parameters


class FiltersOfResponses(AnswersPart):
    def conditions(self, parameters: Parameters) -> Sequence[Condition]:
        return [_condition(each, parameters) for each in filters_of(parameters) if each.unasked]


def _condition(each: Filter, parameters: Parameters) -> Condition:
    devices = parameters.devices_of(parameters.question(each.question))
    alternatives = tuple(
        tuple(_reports_that_hold(comparison, parameters) for comparison in every)
        for every in each.any
    )
    compared = frozenset(
        name for every in alternatives for held, _negated in every for name in held
    )
    asked = frozenset(device.id for device in devices)
    return Condition(asked, compared, partial(_holds, alternatives))


# The devices of a question that is compared, each with the reports that make the comparison true,
# and whether that is negated.
Wanted = tuple[Mapping[str, frozenset[int]], bool]


def _reports_that_hold(comparison: Comparison, parameters: Parameters) -> Wanted:
    question = parameters.question(comparison.question)
    answers = frozenset(comparison.answers)
    if question.scale is not None:
        answers = bins_within(comparison, question.scale) or frozenset()
    held = {device.id: _held(device.option, answers) for device in parameters.devices_of(question)}
    return held, comparison.negated


def _held(option: int | None, answers: frozenset[int]) -> frozenset[int]:
    """The reports of a device, of a whole question or one box, with which an answer is true."""
    if option is None:
        return answers
    return frozenset({1}) if option in answers else frozenset()


def _holds(alternatives: Sequence[Sequence[Wanted]], reports: Mapping[str, Any]) -> bool:
    return any(all(_is_true(wanted, reports) for wanted in every) for every in alternatives)


def _is_true(wanted: Wanted, reports: Mapping[str, Any]) -> bool:
    held, negated = wanted
    given = {name: reports[name] for name in held if isinstance(reports.get(name), int)}
    found = any(report in held[name] for name, report in given.items())
    return bool(given) and found != negated
