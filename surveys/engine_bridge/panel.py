"""What an epsilon costs and gives, for the panel beside it and for lint.

Everything is computed from the exact design that a launch would freeze.
"""

from typing import TYPE_CHECKING, Any

import rr_engine
from surveys.engine_bridge.designs import draft_design

if TYPE_CHECKING:
    from surveys.models import Question

# The share that the panel assumes for the category looked at, and the margin it plans for.
ASSUMED_SHARE = 0.1
WANTED_MARGIN = 0.05
LEVEL = 0.95


def margin_at_planned_n(question: "Question", planned_n: int) -> float | None:
    """Half width of the 95 % interval of one category's share; None while the draft is invalid."""
    try:
        design = draft_design(question)
        return float(rr_engine.margin_of_error(design, _assumed(design), planned_n, level=LEVEL))
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None


def epsilon_panel(question: "Question", planned_n: int) -> dict[str, Any]:
    """The figures of PRODUCT's table for one draft question; raises EngineError on bad input."""
    design = draft_design(question)
    shares = _assumed(design)
    size = len(shares)
    watched = 1 if size == 2 else 0
    matrix = design.matrix
    return {
        "kept": float(matrix[watched, watched]),
        "other": float(matrix[watched, 1 - watched]),
        "categories": size,
        "odds": float(design.loss_ratio) if design.loss_ratio is not None else None,
        "wanted_margin": WANTED_MARGIN,
        "n_for_margin": rr_engine.sample_size(design, shares, WANTED_MARGIN, level=LEVEL),
        "margin_at_planned_n": float(
            rr_engine.margin_of_error(design, shares, planned_n, level=LEVEL)
        ),
        "effective_share": float(rr_engine.effective_sample_share(design, shares)),
        "prior": ASSUMED_SHARE,
        "posterior": float(design.posterior(shares)[watched, watched]),
    }


def _assumed(design: rr_engine.DesignMatrix) -> list[float]:
    """The watched category has ASSUMED_SHARE, the others share the rest."""
    size = design.matrix.shape[1]
    rest = (1 - ASSUMED_SHARE) / (size - 1)
    shares = [rest] * size
    shares[1 if size == 2 else 0] = ASSUMED_SHARE
    return shares
