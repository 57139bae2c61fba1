"""A valid call of every public callable about posteriors and groups; see bad_inputs.py."""

import rr_engine
from rr_engine import RRLogit
from rr_engine.designs import direct
from rr_engine.models import CoefficientPrior, RRMultilevelLogit
from tests.engine.bad_inputs import COIN, DEVICES, also, named_calls, optional, valid

COVARIATE = [0.0, 1.0, 2.0, 0.5, 1.5, 1.0, 3.0, 0.0]
X = optional(COVARIATE)
REPORTS, GROUPS = [0, 1, 0, 0, 1, 1, 0, 1], [1, 1, 1, 2, 2, 2, 3, 3]
MODEL = RRMultilevelLogit([COIN, direct(2)])
FIT = MODEL.fit(COVARIATE, REPORTS, GROUPS, [1] * 8)
# Any number of rows, of numbers however written.
ROWS = (
    "list of minus|list of bool|list of lists|object array of numbers|too long|a hundred thousand"
)

BAYESIAN_CALLS = named_calls(
    valid(CoefficientPrior, intercept_scale=10, degrees=also(7, "inf")),
    valid(
        rr_engine.models.fit_bayesian, *(RRLogit([COIN, direct(2)]), X, REPORTS, [0] * 8), level=0.9
    ),
    valid(RRMultilevelLogit, design=also(COIN, f"a device|{DEVICES}"), link="probit", nodes=5),
    valid(MODEL.fit, X, REPORTS, GROUPS, [0] * 8),
    valid(rr_engine.models.group_averaged_probabilities, FIT, also([[0.5], [2.0]], ROWS), 0.9),
    valid(rr_engine.models.group_averaged_effects, FIT, also([[0.5], [2.0]], f"None|{ROWS}"), 0.9),
    valid(FIT.interval, level=0.9),
    valid(FIT.deviation_interval, level=0.9),
    valid(FIT.with_errors, kind="robust"),
    valid(rr_engine.estimation.posterior, COIN, also([70, 30], "empty dict"), level=0.9),
)
