"""Statistics of randomized response: devices, their privacy, and estimates from their reports."""

from rr_engine.design import DesignMatrix
from rr_engine.designs.binary import generalized_binary, warner
from rr_engine.designs.categorical import direct, k_rr
from rr_engine.device import draw_report, uniform_below
from rr_engine.errors import (
    AccountingError,
    ArgumentError,
    CategoryError,
    CountsError,
    DesignError,
    DistributionError,
    EngineError,
    EpsilonError,
    NotIdentifiableError,
)
from rr_engine.estimation.estimate import estimate
from rr_engine.estimation.notes import Note
from rr_engine.estimation.projection import project_to_simplex
from rr_engine.estimation.result import Estimate
from rr_engine.planning import (
    effective_sample_share,
    equivalent_n,
    margin_of_error,
    sample_size,
)
from rr_engine.privacy.accounting import (
    Composition,
    Direct,
    Randomized,
    Relaxation,
    randomized_epsilon,
    total_epsilon,
    within_budget,
)
from rr_engine.robustness import Poisoning, poisoning
from rr_engine.simulation import randomize, simulate_counts

__version__ = "0.1.0"

__all__ = [
    "AccountingError",
    "ArgumentError",
    "CategoryError",
    "Composition",
    "CountsError",
    "DesignError",
    "DesignMatrix",
    "Direct",
    "DistributionError",
    "EngineError",
    "EpsilonError",
    "Estimate",
    "NotIdentifiableError",
    "Note",
    "Poisoning",
    "Randomized",
    "Relaxation",
    "direct",
    "draw_report",
    "effective_sample_share",
    "equivalent_n",
    "estimate",
    "generalized_binary",
    "k_rr",
    "margin_of_error",
    "poisoning",
    "project_to_simplex",
    "randomize",
    "randomized_epsilon",
    "sample_size",
    "simulate_counts",
    "total_epsilon",
    "uniform_below",
    "warner",
    "within_budget",
]
