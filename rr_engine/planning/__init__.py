"""Before the survey: precision, numbers of respondents, power, and trial runs."""

from rr_engine.planning.anchor_power import (
    power_with_anchor,
    sample_size_with_anchor,
    solve_sample_size_with_anchor,
)
from rr_engine.planning.budget import solve_epsilon, solve_level
from rr_engine.planning.cheating_power import (
    CheatingPower,
    power_cheating,
    solve_sample_size_cheating,
)
from rr_engine.planning.difference_power import (
    power_difference,
    solve_effect_difference,
    solve_sample_size_difference,
)
from rr_engine.planning.equivalent import equivalent_n
from rr_engine.planning.independence_power import power_independence, solve_sample_size_independence
from rr_engine.planning.margins import effective_sample_share, margin_of_error, sample_size
from rr_engine.planning.noncompliance import NoncompliancePower, power_noncompliance
from rr_engine.planning.proportion import power
from rr_engine.planning.solving import solve_alpha, solve_effect, solve_power, solve_sample_size
from rr_engine.planning.trial import CoverageTrial, simulate_coverage

__all__ = [
    "CheatingPower",
    "CoverageTrial",
    "NoncompliancePower",
    "effective_sample_share",
    "equivalent_n",
    "margin_of_error",
    "power",
    "power_cheating",
    "power_difference",
    "power_independence",
    "power_noncompliance",
    "power_with_anchor",
    "sample_size",
    "sample_size_with_anchor",
    "simulate_coverage",
    "solve_alpha",
    "solve_effect",
    "solve_effect_difference",
    "solve_epsilon",
    "solve_level",
    "solve_power",
    "solve_sample_size",
    "solve_sample_size_cheating",
    "solve_sample_size_difference",
    "solve_sample_size_independence",
    "solve_sample_size_with_anchor",
]
