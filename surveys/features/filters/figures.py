"""What a filter costs in accuracy, at guesses of how many people the question is for."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

import rr_engine
from surveys.authoring.planning.figures import (
    LEVEL,
    focal_category,
    focal_channel,
    focal_margin,
    planning_shares,
)
from surveys.devices.remembered import Remembered
from surveys.drafts import Draft
from surveys.features.filters.section import NAME
from surveys.features.filters.settings import filter_of_question

# So many that rounded counts of reports are as good as their expected shares.
MANY = 10**9


@dataclass(frozen=True, slots=True)
class AskedFigures:
    """Half widths of 95 % intervals of the focal answer's share among the `people` asked.

    `reported`: where others report that the question does not apply; None of a device whose
    reports are not counted by codes. `unasked`: where nothing is reported of others.
    """

    people: int
    reported: float | None
    unasked: float | None


@Remembered
def asked_figures(draft: Draft, share: float) -> AskedFigures:
    """The figures of a question with a filter if it is for this share of those planned."""
    people = max(1, round(draft.planned_n * share))
    plain = draft.without_feature(NAME)
    return AskedFigures(people, _reported_margin(draft, share), focal_margin(plain, people))


def margin_asked_of_all(draft: Draft) -> float | None:
    """The margin of the same question without a filter."""
    return focal_margin(draft.without_feature(NAME), draft.planned_n)


def _reported_margin(draft: Draft, share: float) -> float | None:
    """By the linearised ratio of docs/methods/filters.md, at the expected reports."""
    plain = draft.without_feature(NAME)
    only_if = filter_of_question(draft).only_if
    channel = focal_channel(draft.with_feature(NAME, {"only_if": only_if}))
    if not channel.tabulated:
        return None
    of_asked = planning_shares(plain, focal_channel(plain))
    outside = len(of_asked) - draft.prefer_not
    shares = [share * each for each in of_asked]
    shares.insert(outside, 1 - share)
    counts = np.rint(np.asarray(channel.apply(np.array(shares))) * MANY)
    estimate = rr_engine.estimate(channel, counts)
    errors = rr_engine.association.subgroup_shares(estimate, outside).standard_errors
    focal = focal_category(plain, focal_channel(plain))
    error = float(errors[focal]) * math.sqrt(MANY / draft.planned_n)
    return NormalDist().inv_cdf((1 + LEVEL) / 2) * error
