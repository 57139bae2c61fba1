"""Randomized response, cards and Laplace noise for one question, over epsilon.

Expected errors and recovery as in Wang, Wu & Hu (2016), Figures 1 to 3 and Eq. 14, from a guessed
distribution. Nothing is drawn: the numbers are exact for the device.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from math import inf

import numpy as np
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys.authoring.planning.figures import LEVEL
from surveys.devices import Family, fitting
from surveys.devices.built_family import epsilon_of
from surveys.devices.registry import LAPLACE
from surveys.devices.squared_error import squared_error
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import kind_of

LEAST_EPSILON, MOST_EPSILON = Decimal("0.1"), Decimal("8")
# Rows of the table: round numbers over the range of the figures.
TABLE_EPSILONS = tuple(map(Decimal, ("0.1", "0.2", "0.5", "1", "2", "3", "5", "8")))
POINTS = 41
_MANY = 10**9
# Shares closer than this are equal but for rounding.
_EVEN = 1e-9

# Guessed shares: one distribution, or one of [not ticked, ticked] for each option.
Priors = Sequence[Sequence[float]]
# epsilon of the question -> the mechanism's channel of one answer, or of one option
Build = Callable[[Decimal], rr_engine.channels.Channel]


@dataclass(frozen=True, slots=True)
class Mechanism:
    name: str
    label: Promise
    build: Build


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy of one mechanism at one epsilon; infinite if the reports do not identify the shares.

    `mse` is the average over the shares, `margin` the largest half width of a 95 % interval,
    `recovery` how often a guess drawn from the posterior hits a person's answer, `entropy_error`
    the standard deviation of the estimated entropy in bits (None where `has_entropy` is false).
    """

    epsilon: Decimal
    mse: float
    margin: float
    recovery: float
    entropy_error: float | None = None


@dataclass(frozen=True, slots=True)
class DevicePrivacy:
    """A device that fits, at the question's epsilon, against the guessed distribution.

    `privacy` is how often the best guess of an answer is wrong, `worst_posterior` the strongest
    belief that any report leads to.
    """

    family: Family
    accuracy: Accuracy
    privacy: float
    worst_posterior: float


def mechanisms_for(question: AskedQuestion | Draft) -> list[Mechanism]:
    """The devices that fit and follow epsilon, the usual one first; Laplace noise last.

    For several answers these are the channels of one option.
    """
    draft = Draft.of(question)
    mechanisms = [
        Mechanism(family.name, family.short_label or family.label, partial(family.at, draft))
        for family in fitting(draft)
        if not family.settings and family is not LAPLACE
    ]
    per_option = kind_of(draft).several
    label = _("Laplace noise for each option") if per_option else _("Laplace noise")
    return [*mechanisms, Mechanism(LAPLACE.name, label, partial(LAPLACE.beside, draft))]


def epsilons(least: Decimal = LEAST_EPSILON, most: Decimal = MOST_EPSILON) -> list[Decimal]:
    """The epsilons of the figures: equal steps of the logarithm, rounded to three digits."""
    steps = np.geomspace(float(least), float(most), POINTS)
    return [Decimal(f"{step:.3g}") for step in steps]


def accuracy(
    channel: rr_engine.channels.Channel,
    priors: Priors,
    n: int,
    epsilon: Decimal,
    guess: Sequence[float] | None = None,
) -> Accuracy:
    """Expected error and recovery of `n` reports; the mean over `priors`, the largest margin.

    `guess` is the weighting prior of a searched device.
    """
    recovered = [
        float(np.dot(prior, channel.recovery_probability(prior)))  # Wang 2016, Eq. 14
        for prior in priors
    ]
    return Accuracy(
        epsilon=epsilon,
        mse=float(np.mean([squared_error(channel, prior, n, guess) for prior in priors])),
        margin=max(_margin(channel, prior, n, guess=guess) for prior in priors),
        recovery=float(np.mean(recovered)),
    )


def curve(mechanism: Mechanism, priors: Priors, n: int, at: Sequence[Decimal]) -> list[Accuracy]:
    points = []
    for epsilon in at:
        channel = mechanism.build(epsilon)
        error = entropy_error(channel, priors[0], n) if has_entropy(priors) else None
        points.append(replace(accuracy(channel, priors, n, epsilon), entropy_error=error))
    return points


def has_entropy(priors: Priors) -> bool:
    """Whether the entropy has an error: for equal shares the entropy is at its maximum,
    where the delta method gives zero for every device.
    """
    return len(priors) == 1 and max(priors[0]) - min(priors[0]) > _EVEN


def entropy_error(channel: rr_engine.channels.Channel, prior: Sequence[float], n: int) -> float:
    """Standard deviation of the entropy in bits, by the delta method (Wang 2016, section 5.2).

    It is that of a survey whose reports come out as expected, of so many people that rounding to
    whole reports does not matter; a standard deviation falls with the square root of n.
    """
    counts = np.rint(channel.apply(np.asarray(prior)) * _MANY).astype(np.int64)
    try:
        # Only the error is asked for, which taking off what noise adds to the entropy leaves alone.
        derived = rr_engine.association.entropy(rr_engine.estimate(channel, counts), "none")
    except rr_engine.EngineError:
        return inf
    return float(derived.standard_error) * (channel.people(counts) / n) ** 0.5


def true_entropy(prior: Sequence[float]) -> float:
    """The entropy of a distribution in bits."""
    positive = np.asarray([share for share in prior if share > 0])
    return float(-(positive * np.log2(positive)).sum())


def share_margins(channel: rr_engine.channels.Channel, priors: Priors, n: int) -> list[float]:
    """Half widths of the 95 % intervals: of every category, or of every option's “ticked”."""
    if len(priors) > 1:
        return [_margin(channel, prior, n, 1) for prior in priors]
    return [_margin(channel, priors[0], n, index) for index in range(len(priors[0]))]


def device_privacy(question: AskedQuestion | Draft, priors: Priors, n: int) -> list[DevicePrivacy]:
    """The devices that fit the draft question; (epsilon, delta) only where it is chosen.

    One that cannot be had at this epsilon is left out.
    """
    devices, draft = [], Draft.of(question)
    for family in fitting(draft):
        if family.relaxed and not family.is_chosen(draft):
            continue
        try:
            devices.append(_device_privacy(draft.with_device(family.name), family, priors, n))
        except rr_engine.EngineError:
            continue
    return devices


def _device_privacy(draft: Draft, family: Family, priors: Priors, n: int) -> DevicePrivacy:
    channel = family.seen_from_one(family.channel(draft))
    return DevicePrivacy(
        family=family,
        accuracy=accuracy(channel, priors, n, epsilon_of(draft), family.weighting_prior(draft)),
        privacy=float(np.mean([channel.privacy(prior) for prior in priors])),
        worst_posterior=max(channel.worst_posterior(prior) for prior in priors),
    )


def _margin(
    channel: rr_engine.channels.Channel,
    prior: Sequence[float],
    n: int,
    category: int | None = None,
    guess: Sequence[float] | None = None,
) -> float:
    try:
        margin = rr_engine.margin_of_error(
            channel, prior, n, level=LEVEL, category=category, prior=guess
        )
        return float(margin)
    except rr_engine.errors.NotIdentifiableError:
        return inf
