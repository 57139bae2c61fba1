from rr_engine.library.planning.anchor_power import (
    power_with_anchor as power_with_anchor,
)
from rr_engine.library.planning.anchor_power import (
    sample_size_with_anchor as sample_size_with_anchor,
)
from rr_engine.library.planning.anchor_power import (
    solve_sample_size_with_anchor as solve_sample_size_with_anchor,
)
from rr_engine.library.planning.cheating_power import (
    power_cheating as power_cheating,
)
from rr_engine.library.planning.cheating_power import (
    solve_sample_size_cheating as solve_sample_size_cheating,
)
from rr_engine.library.planning.cheating_result import CheatingPower as CheatingPower
from rr_engine.library.planning.independence_power import (
    power_independence as power_independence,
)
from rr_engine.library.planning.independence_power import (
    solve_sample_size_independence as solve_sample_size_independence,
)
from rr_engine.library.planning.levels import (
    solve_epsilon as solve_epsilon,
)
from rr_engine.library.planning.levels import (
    solve_level as solve_level,
)
from rr_engine.library.planning.noncompliance_power import (
    NoncompliancePower as NoncompliancePower,
)
from rr_engine.library.planning.noncompliance_power import (
    power_noncompliance as power_noncompliance,
)
from rr_engine.library.planning.power_curve import (
    PowerCurve as PowerCurve,
)
from rr_engine.library.planning.power_curve import (
    power_curve as power_curve,
)
from rr_engine.planning.difference_power import (
    power_difference as power_difference,
)
from rr_engine.planning.difference_power import (
    solve_effect_difference as solve_effect_difference,
)
from rr_engine.planning.difference_power import (
    solve_sample_size_difference as solve_sample_size_difference,
)
from rr_engine.planning.margins import (
    effective_sample_share as effective_sample_share,
)
from rr_engine.planning.margins import (
    equivalent_n as equivalent_n,
)
from rr_engine.planning.margins import (
    margin_of_error as margin_of_error,
)
from rr_engine.planning.margins import (
    sample_size as sample_size,
)
from rr_engine.planning.proportion import power as power
from rr_engine.planning.solving import (
    solve_alpha as solve_alpha,
)
from rr_engine.planning.solving import (
    solve_effect as solve_effect,
)
from rr_engine.planning.solving import (
    solve_power as solve_power,
)
from rr_engine.planning.solving import (
    solve_sample_size as solve_sample_size,
)
from rr_engine.planning.trial import (
    CoverageTrial as CoverageTrial,
)
from rr_engine.planning.trial import (
    simulate_coverage as simulate_coverage,
)
from rr_engine.regression.plans.multinomial_planning import (
    MultinomialPlan as MultinomialPlan,
)
from rr_engine.regression.plans.multinomial_planning import (
    plan_multinomial as plan_multinomial,
)
from rr_engine.regression.plans.regression_planning import (
    RegressionPlan as RegressionPlan,
)
from rr_engine.regression.plans.regression_planning import (
    plan_regression as plan_regression,
)
