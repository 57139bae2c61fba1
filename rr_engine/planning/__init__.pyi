from rr_engine.library.planning.anchor_power import (
    power_with_anchor as power_with_anchor,
    sample_size_with_anchor as sample_size_with_anchor,
    solve_sample_size_with_anchor as solve_sample_size_with_anchor,
)
from rr_engine.library.planning.cheating_power import (
    CheatingPower as CheatingPower,
    power_cheating as power_cheating,
    solve_sample_size_cheating as solve_sample_size_cheating,
)
from rr_engine.library.planning.independence_power import (
    power_independence as power_independence,
    solve_sample_size_independence as solve_sample_size_independence,
)
from rr_engine.library.planning.levels import (
    solve_epsilon as solve_epsilon,
    solve_level as solve_level,
)
from rr_engine.library.planning.noncompliance_power import (
    NoncompliancePower as NoncompliancePower,
    power_noncompliance as power_noncompliance,
)
from rr_engine.planning.difference_power import (
    power_difference as power_difference,
    solve_effect_difference as solve_effect_difference,
    solve_sample_size_difference as solve_sample_size_difference,
)
from rr_engine.planning.margins import (
    effective_sample_share as effective_sample_share,
    equivalent_n as equivalent_n,
    margin_of_error as margin_of_error,
    sample_size as sample_size,
)
from rr_engine.planning.proportion import power as power
from rr_engine.planning.solving import (
    solve_alpha as solve_alpha,
    solve_effect as solve_effect,
    solve_power as solve_power,
    solve_sample_size as solve_sample_size,
)
from rr_engine.planning.trial import (
    CoverageTrial as CoverageTrial,
    simulate_coverage as simulate_coverage,
)
from rr_engine.regression.plans.multinomial_planning import (
    MultinomialPlan as MultinomialPlan,
    plan_multinomial as plan_multinomial,
)
from rr_engine.regression.plans.regression_planning import (
    RegressionPlan as RegressionPlan,
    plan_regression as plan_regression,
)
