"""The only door to `rr_engine`: stored configuration -> designs; estimates -> stored results."""

from rr_engine import EngineError
from surveys.engine_bridge.crossings import table_sizes
from surveys.engine_bridge.designs import (
    devices_of,
    draft_design,
    frozen_design,
    question_epsilon_total,
)
from surveys.engine_bridge.panel import epsilon_panel, margin_at_planned_n
from surveys.engine_bridge.results import FORMAT as RESULT_FORMAT
from surveys.engine_bridge.results import results_document
from surveys.engine_bridge.simulate import Within, simulated_responses, simulated_results

__all__ = [
    "RESULT_FORMAT",
    "EngineError",
    "Within",
    "devices_of",
    "draft_design",
    "epsilon_panel",
    "frozen_design",
    "margin_at_planned_n",
    "question_epsilon_total",
    "results_document",
    "simulated_responses",
    "simulated_results",
    "table_sizes",
]
