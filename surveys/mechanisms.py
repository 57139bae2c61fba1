"""Mechanisms compared for one question: curves, a table of them, devices at its epsilon."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from surveys.engine_bridge import compare, epsilon_text
from surveys.engine_bridge.compare import Accuracy, Mechanism
from surveys.forms.compare import CompareForm
from surveys.models import Question
from surveys.panel import margin_text, percent, rounded

UNKNOWN = "–"
_SMALL, _LARGE = Decimal("0.000001"), 1_000_000


@dataclass(frozen=True, slots=True)
class Curve:
    """One mechanism over the epsilons of the figures, and at those of the table."""

    name: str
    label: str
    points: list[Accuracy]
    table: list[Accuracy]
    at_epsilon: Accuracy
    share_margins: list[float]


@dataclass(frozen=True, slots=True)
class MechanismComparison:
    n: int
    epsilon: Decimal
    axis: str
    labels: list[str]
    shares: list[float]
    curves: list[Curve]
    devices: list[compare.DevicePrivacy]
    # Of the guess, in bits; None where several answers may be true at once, or all are as likely.
    entropy: float | None

    def entropy_shown(self) -> str:
        return "" if self.entropy is None else rounded(self.entropy, 2)

    def rows(self) -> list[dict[str, object]]:
        """The table: one row per epsilon, the cells of every mechanism side by side."""
        return [
            {
                "epsilon": number_format(epsilon_text(points[0].epsilon)),
                "own": points[0].epsilon == self.epsilon,
                "cells": [cell for point in points for cell in _cells(point)],
                "ratio": _ratio(points),
            }
            for points in zip(*(curve.table for curve in self.curves), strict=True)
        ]

    def device_rows(self) -> list[dict[str, object]]:
        return [
            {
                "label": device.choice.label,
                "margin": _margin(device.accuracy.margin),
                "mse": number(device.accuracy.mse),
                "recovery": percent(device.accuracy.recovery),
                "privacy": percent(device.privacy),
                "worst": percent(device.worst_posterior),
            }
            for device in self.devices
        ]

    def epsilon_shown(self) -> str:
        return number_format(epsilon_text(self.epsilon))

    def n_shown(self) -> str:
        return number_format(self.n, force_grouping=True)


def compared(*, question: Question, form: CompareForm) -> MechanismComparison:
    """For a valid form; the question's own epsilon and randomization give way to the form's."""
    n, epsilon = form.cleaned_data["n"], form.cleaned_data["epsilon"].normalize()
    question.epsilon, question.randomized = epsilon, True
    priors = form.priors()
    found = compare.mechanisms_for(question)
    return MechanismComparison(
        n=n,
        epsilon=epsilon,
        axis=form.cleaned_data["axis"],
        labels=form.labels,
        shares=form.shares(),
        curves=[_curve(mechanism, priors, n, epsilon) for mechanism in found],
        devices=compare.device_privacy(question, priors, n),
        entropy=compare.true_entropy(priors[0]) if compare.has_entropy(priors) else None,
    )


def number(value: float) -> str:
    """Three digits; no more than a reader can compare at either end."""
    if not isfinite(value):
        return UNKNOWN
    if value >= _LARGE:
        return _("over %s") % number_format(_LARGE, force_grouping=True)
    if 0 < value < _SMALL:
        return _("under %s") % number_format(format(_SMALL, "f"))
    return number_format(format(Decimal(f"{value:.3g}"), "f"), force_grouping=True)


def _curve(
    mechanism: Mechanism, priors: Sequence[Sequence[float]], n: int, epsilon: Decimal
) -> Curve:
    table = sorted({*compare.TABLE_EPSILONS, epsilon})
    design = mechanism.build(epsilon)
    return Curve(
        name=mechanism.name,
        label=str(mechanism.label),
        points=compare.curve(mechanism, priors, n, sorted({*compare.epsilons(), *table})),
        table=compare.curve(mechanism, priors, n, table),
        at_epsilon=compare.accuracy(design, priors, n, epsilon),
        share_margins=compare.share_margins(design, priors, n),
    )


def _cells(point: Accuracy) -> list[str]:
    return [number(point.mse), _margin(point.margin), percent(point.recovery)]


def _margin(margin: float) -> str:
    return margin_text(margin) if isfinite(margin) else UNKNOWN


def _ratio(points: Sequence[Accuracy]) -> str:
    """How many times the squared error of the first mechanism the last one makes."""
    first, last = points[0].mse, points[-1].mse
    if not (isfinite(first) and isfinite(last) and first > 0):
        return UNKNOWN
    return _("%s times") % number(last / first)
