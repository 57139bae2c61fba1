"""A valid call of every public callable about models; see bad_inputs.py."""

import rr_engine as rr
from rr_engine import RRLogit
from rr_engine.designs import direct
from tests.engine.bad_inputs import COIN, DEVICES, also, named_calls, optional, required, valid

X = [[0.0, 1.0], [1.0, 0.0], [0.0, 0.5], [2.0, 1.0], [1.0, 3.0]]
REPORTS = [0, 1, 1, 0, 1]
MODEL = RRLogit(COIN)
FIT = MODEL.fit([[float(place % 6), float(place % 5)] for place in range(60)], [0, 1, 1, 0, 0] * 12)
SMALLER = MODEL.fit(None, [0, 1, 1, 0, 0] * 12)
ONE = also(COIN, f"a device|{DEVICES}")
HALVES = {"shares": [0.5, 0.5], "names": ["age"]}

REGRESSION_CALLS = named_calls(
    valid(
        rr.models.ReportLikelihoods,
        also([COIN, direct(2)], "three devices"),
        REPORTS,
        [0, 1, 0, 1, 0],
    ),
    valid(RRLogit, design=ONE, link="probit"),
    valid(MODEL.fit, optional(X), REPORTS, [1.0, 2.0, 0.5, 1.0, 1.0], which=[0, 0, 0, 0, 0]),
    valid(rr.models.predicted_probabilities, FIT, [[0.0, 1.0]], level=0.9),
    valid(rr.models.average_marginal_effects, FIT, [[0.0, 1.0]], level=0.9),
    valid(rr.models.wald_test, fit=FIT, hypothesis=["x1"]),
    valid(rr.models.likelihood_ratio_test, fit=FIT, smaller=SMALLER),
    valid(rr.models.compare_models, fits=[FIT]),
    valid(rr.models.model_residuals, fit=FIT),
    valid(rr.models.calibration_test, fit=FIT, groups=5),
    valid(
        rr.planning.plan_regression, ONE, [[0.0], [1.0]], [0.5], 0.2, 500, link="probit", **HALVES
    ),
    valid(
        rr.planning.plan_multinomial,
        required(rr.k_rr(3, 2)),
        [[0.0], [1.0]],
        effects=also([[0.5], [0.0]], "list of lists"),
        proportions=[0.5, 0.3, 0.2],
        n=500,
        predictors=["age"],
        **HALVES,
    ),
    valid(FIT.interval, level=0.9),
    valid(FIT.with_errors, kind="robust"),
)
