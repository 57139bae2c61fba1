"""Mean score of a scale within each group of a cross-table."""

from typing import Any

import numpy as np

import rr_engine
from rr_engine.estimation.alike import vanished_errors
from surveys.kinds.estimates import derived_json


def group_means(joint: rr_engine.JointEstimate, *, refusal: bool) -> list[dict[str, Any] | None]:
    """One mean for each group of a randomized grouping variable; None where not estimable.

    Axes are outcome and group. Scores are 1, 2, ... in the order of the answers; a refusal, the
    last outcome, is left out.
    """
    size = joint.proportions.shape[0] - int(refusal)
    means = joint.conditional_means(of_axis=0, given_axis=1, scores=np.arange(1.0, size + 1))
    return [derived_json(mean) if _is_estimable(mean, joint.population) else None for mean in means]


def _is_estimable(mean: rr_engine.Derived, population: str) -> bool:
    error = mean.standard_error
    return bool(np.isfinite(error)) and not vanished_errors(error, population)
