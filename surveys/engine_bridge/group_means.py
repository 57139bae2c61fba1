"""Mean score of a scale within each group of a cross-table."""

from typing import Any

import numpy as np

import rr_engine
from surveys.engine_bridge.estimates import VANISHED, derived


def group_means(joint: rr_engine.JointEstimate, *, refusal: bool) -> list[dict[str, Any] | None]:
    """One mean for each group, where groups are scrambled; None where the reports cannot tell.

    Axes are outcome and group. Scores are 1, 2, ... in the order of the answers; who preferred not
    to say, the last outcome, is left out.
    """
    return [_mean(joint, group, refusal=refusal) for group in range(joint.proportions.shape[1])]


def _mean(joint: rr_engine.JointEstimate, group: int, *, refusal: bool) -> dict[str, Any] | None:
    """A ratio of two sums of cells; the delta method gives each cell its slope."""
    asked = joint.proportions.shape[0] - int(refusal)
    scores, cells = np.arange(1.0, asked + 1), joint.proportions[:asked, group]
    answering = float(cells.sum())
    if answering <= 0 or not np.isfinite(joint.standard_errors).all():
        return None
    mean = float(scores @ cells) / answering
    slopes = np.zeros(joint.proportions.shape)
    slopes[:asked, group] = (scores - mean) / answering
    error = float(np.sqrt(max(joint.covariance_of(slopes, slopes), 0.0)))
    if error < VANISHED and joint.population == "sample":
        return None
    return derived(rr_engine.Derived(mean, error, bounds=(1.0, float(asked))))
