"""Mechanisms compared for one question: curves, a table of them, devices at its epsilon."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from math import isfinite

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.planning import mechanism_accuracy as compare
from surveys.authoring.planning.mechanism_accuracy import Accuracy, Mechanism
from surveys.drafts import AskedQuestion, Draft


@dataclass(frozen=True, slots=True)
class Curve:
    """One mechanism over the epsilons of the figures, and at those of the table."""

    name: str
    label: str
    points: list[Accuracy]
    table: list[Accuracy]
    share_margins: list[float]


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a comparison: the labels, their guessed shares, and the priors from these."""

    n: int
    epsilon: Decimal
    axis: str
    labels: list[str]
    shares: list[float]
    priors: compare.Priors


@dataclass(frozen=True, slots=True)
class MechanismComparison(Plan):
    """A plan, with what came of it."""

    curves: list[Curve]
    devices: list[compare.DevicePrivacy]
    # The entropy of the guess in bits; None for several answers, or if all are equally likely.
    entropy: float | None

    def entropy_text(self) -> str:
        return "" if self.entropy is None else numbers.fixed_decimals(self.entropy, 2)

    def rows(self) -> list[dict[str, object]]:
        """The table: one row per epsilon, the cells of every mechanism side by side."""
        return [
            {
                "epsilon": numbers.decimal(points[0].epsilon),
                "own": points[0].epsilon == self.epsilon,
                "cells": [cell for point in points for cell in _cells(point)],
                "ratio": _ratio(points),
            }
            for points in zip(*(curve.table for curve in self.curves), strict=True)
        ]

    def device_rows(self) -> list[dict[str, object]]:
        return [
            {
                "label": device.family.label,
                "margin": _margin(device.accuracy.margin),
                "mse": numbers.three_digits(device.accuracy.mse),
                "recovery": numbers.percent(device.accuracy.recovery),
                "privacy": numbers.percent(device.privacy),
                "worst": numbers.percent(device.worst_posterior),
            }
            for device in self.devices
        ]

    def epsilon_text(self) -> str:
        return numbers.decimal(self.epsilon)

    def n_text(self) -> str:
        return numbers.count(self.n)


def compare_mechanisms(question: AskedQuestion | Draft, plan: Plan) -> MechanismComparison:
    """The question's own epsilon, and whether it is scrambled, give way to the plan's."""
    draft = replace(Draft.of(question), epsilon=plan.epsilon, randomized=True)
    priors = plan.priors
    return MechanismComparison(
        **{each.name: getattr(plan, each.name) for each in fields(plan)},
        curves=[
            _curve(mechanism, priors, plan.n, plan.epsilon)
            for mechanism in compare.mechanisms_for(draft)
        ],
        devices=compare.device_privacy(draft, priors, plan.n),
        entropy=compare.true_entropy(priors[0]) if compare.has_entropy(priors) else None,
    )


def _curve(
    mechanism: Mechanism, priors: Sequence[Sequence[float]], n: int, epsilon: Decimal
) -> Curve:
    table = {*compare.TABLE_EPSILONS, epsilon}
    points = compare.curve(mechanism, priors, n, sorted({*compare.epsilons(), *table}))
    return Curve(
        name=mechanism.name,
        label=str(mechanism.label),
        points=points,
        table=[point for point in points if point.epsilon in table],
        share_margins=compare.share_margins(mechanism.build(epsilon), priors, n),
    )


def _cells(point: Accuracy) -> list[str]:
    return [
        numbers.three_digits(point.mse),
        _margin(point.margin),
        numbers.percent(point.recovery),
    ]


def _margin(margin: float) -> str:
    return numbers.margin(margin) if isfinite(margin) else numbers.UNKNOWN


def _ratio(points: Sequence[Accuracy]) -> str:
    """How many times the squared error of the first mechanism the last one makes."""
    first, last = points[0].mse, points[-1].mse
    if not (isfinite(first) and isfinite(last) and first > 0):
        return numbers.UNKNOWN
    return _("%s times") % numbers.three_digits(last / first)
