from rr_engine.estimation.device_stratum import DeviceStratum as DeviceStratum
from rr_engine.estimation.difference import (
    Difference as Difference,
)
from rr_engine.estimation.difference import (
    ScoreTest as ScoreTest,
)
from rr_engine.estimation.difference import (
    estimate_difference as estimate_difference,
)
from rr_engine.estimation.estimating import estimate as estimate
from rr_engine.estimation.groups import estimate_groups as estimate_groups
from rr_engine.estimation.notes import Note as Note
from rr_engine.estimation.result import Estimate as Estimate
from rr_engine.estimation.stratified import estimate_strata as estimate_strata
from rr_engine.library.bayesian.proportions import (
    ProportionPosterior as ProportionPosterior,
)
from rr_engine.library.bayesian.proportions import (
    posterior as posterior,
)
from rr_engine.library.simultaneous import simultaneous_intervals as simultaneous_intervals
from rr_engine.projection import project_to_simplex as project_to_simplex
