"""How far from the best possible a design is, and the proof of it as JSON."""

import functools
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

import rr_engine
from rr_engine.optimisation.decks import worst_average_variance
from surveys.engine_bridge.compare import squared_error
from surveys.engine_bridge.designs import SEARCHED, frozen_design
from surveys.parameters import CARDS, PAGE, Device, Question, coded
from surveys.parameters.cards import cards_shown

VECTORS = ("prior", "matrix", "prices")
NUMBERS = ("delta", "privacy", "privacy_price", "bound", "value")
FROZEN = ("method", "prior", "respondents", "privacy", "worst_posterior", "epsilon", "least_error")

# A bound at an estimate takes 0.03 seconds for 10 answers, 0.2 for 12 and 1 to 3 for 14.
MOST_CERTIFIED = 12
# Estimates count as moved from a thousandth on; until then the bound of before is kept.
STEPS = 1000
# No privacy of 1 less the largest share: the bound needs some room below it.
ROOM = 1e-3
# What measuring a privacy or a posterior in floats may be off by: the bound is of devices that keep
# a little less, so that it holds for this one.
ROUNDING = 1e-12


def certificate_json(certificate: rr_engine.Certificate) -> dict[str, Any]:
    """A certificate as plain JSON types, which read back as the same numbers.

    A float is written with the fewest digits that tell it; epsilon is a decimal string.
    """
    epsilon = certificate.epsilon
    return {
        "n": certificate.n,
        "epsilon": None if epsilon is None else format(Decimal(str(epsilon)), "f"),
        **{name: np.asarray(getattr(certificate, name)).tolist() for name in VECTORS},
        **{name: _float(getattr(certificate, name)) for name in NUMBERS},
    }


def certificate_from_json(stored: Mapping[str, Any]) -> rr_engine.Certificate:
    """What `certificate_json` wrote, ready for `rr_engine.verify_certificate`."""
    epsilon = stored["epsilon"]
    rest: dict[str, Any] = {
        **{name: np.array(stored[name], dtype=float) for name in VECTORS},
        **{name: _float(stored[name]) for name in NUMBERS},
    }
    return rr_engine.Certificate(
        n=int(stored["n"]), epsilon=None if epsilon is None else Decimal(epsilon), **rest
    )


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)


# --- how far from the best possible -------------------------------------------------------------


def certificate_of(
    question: Question, devices: Sequence[Device], shares: Sequence[float] | None
) -> dict[str, Any] | None:
    """How far the page's device is from the best that any could be; None where no bound is known.

    `shares` are the constrained estimates, or None. A pure function of what it is given.
    """
    for device in devices:
        if device.stratum == PAGE and device.family in KNOWN:
            return KNOWN[device.family](question, device, shares)
    return None


def _minimax(
    question: Question, device: Device, _shares: Sequence[float] | None
) -> dict[str, Any] | None:
    """Cards: the worst case over all distributions, beside the least that any device has."""
    if device.epsilon is None:
        return None
    table, variance = coded(device.table), _worst(frozen_design(device, question))
    least = rr_engine.minimax_value(table.truths, device.epsilon)
    return {
        "kind": "minimax",
        "variance": variance,
        "least": least,
        # Rounding alone can take it below zero.
        "excess": max(0.0, variance / least - 1),
        "card_size": len(cards_shown(table)[0]),
        "cards": len(table.reports),
    }


@functools.lru_cache(maxsize=256)
def _worst(design: rr_engine.DesignMatrix) -> float:
    return float(worst_average_variance(design.matrix))


def _searched(
    question: Question, device: Device, shares: Sequence[float] | None
) -> dict[str, Any] | None:
    """A searched table: its error at the distribution guessed for it, beside a proved bound."""
    search, design = device.search, frozen_design(device, question)
    if search is None:
        return None
    prior = tuple(float(share) for share in search.prior)
    error = design.mse(prior, 1)
    moved = None if shares is None else _in_steps(shares)
    bounds = (search.worst_posterior, search.epsilon)
    return {
        "kind": "searched",
        **{name: getattr(search, name) for name in FROZEN},
        "error": error,
        # Rounding alone can take it below zero.
        "gap": max(0.0, error / float(search.least_error) - 1),
        "at_estimate": None if moved is None else _at(design, prior, moved, *bounds),
    }


def _in_steps(shares: Sequence[float]) -> tuple[int, ...] | None:
    """Shares in thousandths that add up, by largest remainders; None for what has no bound."""
    whole = STEPS * np.asarray(shares) / np.sum(shares)
    steps = np.floor(whole).astype(int)
    order = np.argsort(steps - whole, kind="stable")
    steps[order[: STEPS - int(steps.sum())]] += 1
    return tuple(steps.tolist()) if steps.min() > 0 and len(steps) <= MOST_CERTIFIED else None


@functools.lru_cache(maxsize=512)
def _at(
    design: rr_engine.DesignMatrix,
    guess: tuple[float, ...],
    steps: tuple[int, ...],
    worst: str | None,
    epsilon: str | None,
) -> dict[str, Any] | None:
    """Error and bound at one distribution, at the privacy that the device has there.

    The error is that of the published estimate, which weighs reports by the guess. The bound is
    of all devices that keep the bounds asked for, or what this one has where that is more.
    """
    prior = np.array(steps) / STEPS
    error, privacy = squared_error(design, prior, 1, guess), design.privacy(prior)
    found = design.worst_posterior(prior)
    least = min(privacy - ROUNDING, (1 - ROOM) * (1 - prior.max()))
    limits: dict[str, float | None] = {"privacy": max(0.0, least)}
    limits["delta"] = None if worst is None else max(float(worst), found + ROUNDING)
    if worst is None:
        del limits["privacy"], limits["delta"]
    try:
        bound = rr_engine.mse_lower_bound(prior, 1, **limits, epsilon=epsilon).bound
    except rr_engine.EngineError:
        return None
    return {
        "distribution": prior.tolist(),
        "privacy": privacy,
        "worst_posterior": found,
        "error": error,
        "least_error": bound,
        "gap": max(0.0, error / bound - 1),
    }


KNOWN = {CARDS: _minimax, SEARCHED: _searched}
