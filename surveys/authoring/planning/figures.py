"""The accuracy and protection of an epsilon, for the panel and for lint.

Everything is computed from the exact channel that a launch would freeze. Where a question has
several answers, precision and belief are those of one option: its own device, or what a device over
all combinations says of it. Precision is that of all who are planned: what the strata
of chance tell together, of which those who are asked directly tell nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

import rr_engine
from surveys.authoring.chance_designs import asked_channel, strata_with_people
from surveys.devices import Family, draft_channel, family_of, fitting
from surveys.devices.chance_strata import as_on_page
from surveys.devices.joint_margin import report_ratio
from surveys.devices.registry import PLANNING_SHARE, planning_prior, planning_share
from surveys.devices.remembered import Remembered
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.parameters import EVERYBODY, PAGE
from surveys.parameters.exact import matrix_of, report_codes

# The margin that the panel plans for.
WANTED_MARGIN = 0.05
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class DeviceFigures:
    """One row of the comparison.

    `likelihood_ratio` bounds what all devices of the question tell together; None where some
    report rules an answer out. `identifying_reports`: each of these, and the answers it leaves.
    """

    family: Family
    margin: float
    n_for_margin: int
    posterior: float
    epsilon: float
    likelihood_ratio: float | None
    identifying_reports: list[tuple[str, list[int]]]


@Remembered
def margin_at_planned_n(draft: Draft, planned_n: int) -> float | None:
    """Half width of the 95 % interval of the least certain share; None for an invalid draft."""
    try:
        channel, shares, prior = _asked(draft)
        return float(
            rr_engine.margin_of_error(channel, shares, planned_n, level=LEVEL, prior=prior)
        )
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None


@Remembered
def focal_margin(draft: Draft, planned_n: int) -> float | None:
    """The margin beside an epsilon, of the focal answer; None for an invalid draft."""
    try:
        channel, shares, prior = _asked(draft)
        return margin_of_focal(draft, channel, shares, planned_n, prior)
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None


@Remembered
def effective_share(draft: Draft) -> float | None:
    """The effective share of the sample (direct answers as precise); None for an invalid draft."""
    try:
        channel, shares, prior = _asked(draft)
        return float(rr_engine.planning.effective_sample_share(channel, shares, prior=prior))
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None


@Remembered
def epsilon_panel(draft: Draft, planned_n: int) -> dict[str, Any]:
    """The figures of PRODUCT's table for one draft question; raises EngineError on bad input."""
    device_channel = draft_channel(draft)
    channel, shares, prior = _asked(draft)
    retention = family_of(draft).retention_probabilities(device_channel)
    focal = focal_category(draft, channel)
    category = None if planning_prior(draft) else focal
    sample_size = rr_engine.sample_size(
        channel, shares, WANTED_MARGIN, level=LEVEL, category=category, prior=prior
    )
    return {
        "least_retained": min(retention),
        "most_retained": max(retention),
        "likelihood_ratio": _ratio_of_question(draft, device_channel),
        "wanted_margin": WANTED_MARGIN,
        "n_for_margin": sample_size,
        "margin_at_planned_n": margin_of_focal(draft, channel, shares, planned_n, prior),
        "effective_share": float(
            rr_engine.planning.effective_sample_share(channel, shares, prior=prior)
        ),
        "prior": shares[focal],
        "posterior": float(focal_channel(draft).strongest_beliefs(shares)[focal]),
    }


@Remembered
def device_figures(draft: Draft, planned_n: int) -> list[DeviceFigures]:
    """Figures of the devices that fit, at the question's epsilon.

    An (epsilon, delta) device is included only if it is chosen.

    A device that does not exist at this epsilon is left out, unless it is the one that is chosen.
    """
    figures = []
    for family in fitting(draft):
        is_chosen = family.name == draft.design
        if family.relaxed and not is_chosen:
            continue
        try:
            figures.append(_figures(draft.with_device(family.name), family, planned_n))
        except rr_engine.EngineError:
            if is_chosen:
                raise
    return figures


def margin_of_focal(
    draft: Draft,
    channel: rr_engine.channels.Channel,
    shares: Sequence[float],
    n: int,
    prior: Sequence[float] | None,
) -> float:
    """The margin of the focal answer; of the least certain one where shares were guessed."""
    category = None if planning_prior(draft) else focal_category(draft, channel)
    return float(
        rr_engine.margin_of_error(channel, shares, n, level=LEVEL, category=category, prior=prior)
    )


def focal_channel(draft: Draft) -> rr_engine.channels.Channel:
    """The channel of the page that one category's precision rests on."""
    return family_of(draft).seen_from_one(draft_channel(draft))


def _asked(draft: Draft) -> tuple[rr_engine.channels.Channel, list[float], list[float] | None]:
    """The channel of all who are planned, the guessed shares, and those that weigh the reports.

    Strata of chance are pooled by likelihood, so that their reports are weighed at the shares.
    """
    page = focal_channel(draft)
    channel, shares = asked_channel(draft, page), planning_shares(draft, page)
    return channel, shares, weighting_prior(draft) if channel is page else shares


def weighting_prior(draft: Draft) -> list[float] | None:
    """The shares by which the results will weight the reports; None for equal shares."""
    return family_of(draft).weighting_prior(draft)


def planning_shares(draft: Draft, channel: rr_engine.channels.Channel) -> list[float]:
    """The guessed shares; else PLANNING_SHARE of the focal category, the others equal.

    For a rare trait only the focal share is guessed.
    """
    guess = planning_prior(draft)
    if guess is not None:
        return guess
    guessed_share = planning_share(draft)
    share = PLANNING_SHARE if guessed_share is None else guessed_share
    size = channel.truth_size
    shares = [(1 - share) / (size - 1)] * size
    shares[focal_category(draft, channel)] = share
    return shares


def focal_category(draft: Draft, channel: rr_engine.channels.Channel) -> int:
    """The answer whose precision is stated, among the truths of a channel."""
    return kind_of(draft).focal_category(channel.truth_size)


def identifying_reports(channel: rr_engine.channels.Channel) -> list[tuple[str, list[int]]]:
    """Reports that rule an answer out, each with the answers that it leaves.

    There are none where a bound holds; else a report is a code, and a table lists them.
    """
    if channel.likelihood_ratio_bound is not None:
        return []
    matrix = matrix_of(channel).matrix
    codes, possible = report_codes(len(matrix)), matrix > 0
    identifying = np.flatnonzero(possible.any(axis=1) & ~possible.all(axis=1))
    return [(codes[code], np.flatnonzero(possible[code]).tolist()) for code in identifying]


def _figures(draft: Draft, family: Family, planned_n: int) -> DeviceFigures:
    panel = epsilon_panel(draft, planned_n)
    ratio = panel["likelihood_ratio"]
    return DeviceFigures(
        family=family,
        margin=panel["margin_at_planned_n"],
        n_for_margin=panel["n_for_margin"],
        posterior=panel["posterior"],
        epsilon=math.log(ratio) if ratio else math.inf,
        likelihood_ratio=ratio,
        identifying_reports=identifying_reports(draft_channel(draft)),
    )


def _ratio_of_question(draft: Draft, channel: rr_engine.channels.Channel) -> float | None:
    """The likelihood-ratio bound of all reports to a question: the product over its devices.

    Of a question that shares a draw that of the report to all of them.
    """
    bound = channel.likelihood_ratio_bound if draft.membership is None else report_ratio(draft)
    return None if bound is None else float(bound) ** len(family_of(draft).options(draft))


def joint_effective_share(drafts: Sequence[Draft]) -> float | None:
    """The effective share of the sample for a table of these questions; None for invalid drafts.

    Nobody whom chance asks one of them directly is in the table.
    """
    people = {each.name: each.share for draft in drafts for each in strata_with_people(draft)}
    total = 0.0
    for stratum, share in {PAGE: EVERYBODY - sum(people.values()), **people}.items():
        effective = [_effective_share_in(draft, stratum) for draft in drafts]
        known = [each for each in effective if each is not None]
        if len(known) < len(drafts):
            return None
        total += share / EVERYBODY * prod(known)
    return total


def _effective_share_in(draft: Draft, stratum: str) -> float | None:
    """Return the effective share of one stratum of chance; 0 where people are asked directly."""
    for other in strata_with_people(draft):
        if other.name == stratum:
            return 0.0 if other.directly else effective_share(other.draft)
    return effective_share(as_on_page(draft))
