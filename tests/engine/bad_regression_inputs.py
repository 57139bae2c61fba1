"""A valid call of every public callable about models; see bad_inputs.py."""

import rr_engine
from rr_engine import ReportLikelihoods, RRLogit, direct, library, warner
from tests.engine.bad_inputs import call

COIN = warner(0.8)
X = [[0.0, 1.0], [1.0, 0.0], [0.0, 0.5], [2.0, 1.0], [1.0, 3.0]]
REPORTS = [0, 1, 1, 0, 1]
MODEL = RRLogit(COIN)
FIT = MODEL.fit([[float(place % 6), float(place % 5)] for place in range(60)], [0, 1, 1, 0, 0] * 12)

REGRESSION_CALLS = {
    "ReportLikelihoods": call(
        ReportLikelihoods,
        {"designs": [COIN, direct(2)], "reports": REPORTS, "which": [0, 1, 0, 1, 0]},
        designs="three devices",
        which="None",
    ),
    "RRLogit": call(
        RRLogit,
        {"design": COIN, "link": "probit"},
        design="a device|devices|three devices",
    ),
    "RRLogit.fit": call(
        MODEL.fit,
        {
            "X": X,
            "reports": REPORTS,
            "weights": [1.0, 2.0, 0.5, 1.0, 1.0],
            "which": [0, 0, 0, 0, 0],
            "intercept": True,
            "names": None,
            "sample": None,
        },
        X="None",
        weights="None",
        which="None",
        intercept="True|numpy True",
        names="None",
        sample="None",
    ),
    "predicted_probabilities": call(
        rr_engine.predicted_probabilities, {"fit": FIT, "X": [[0.0, 1.0]], "level": 0.9}
    ),
    "average_marginal_effects": call(
        rr_engine.average_marginal_effects, {"fit": FIT, "X": [[0.0, 1.0]], "level": 0.9}, X="None"
    ),
    "wald_test": call(rr_engine.wald_test, {"fit": FIT, "hypothesis": ["x1"]}),
    "likelihood_ratio_test": call(
        rr_engine.likelihood_ratio_test,
        {"fit": FIT, "smaller": MODEL.fit(None, [0, 1, 1, 0, 0] * 12)},
    ),
    "compare_models": call(rr_engine.compare_models, {"fits": [FIT]}),
    "model_residuals": call(library.model_residuals, {"fit": FIT}),
    "calibration_test": call(rr_engine.calibration_test, {"fit": FIT, "groups": 5}),
    "plan_regression": call(
        rr_engine.plan_regression,
        {
            "design": COIN,
            "X": [[0.0], [1.0]],
            "effects": [0.5],
            "prevalence": 0.2,
            "n": 500,
            "shares": [0.5, 0.5],
            "design_shares": None,
            "link": "probit",
            "alpha": 0.05,
            "wanted_power": 0.8,
            "names": ["age"],
        },
        design="a device|devices|three devices",
        shares="None",
        design_shares="None",
        names="None",
    ),
    "plan_multinomial": call(
        rr_engine.plan_multinomial,
        {
            "design": rr_engine.k_rr(3, 2),
            "X": [[0.0], [1.0]],
            "effects": [[0.5], [0.0]],
            "proportions": [0.5, 0.3, 0.2],
            "n": 500,
            "shares": [0.5, 0.5],
            "design_shares": None,
            "alpha": 0.05,
            "wanted_power": 0.8,
            "names": ["age"],
            "predictors": ["age"],
        },
        design="",
        effects="list of lists",
        shares="None",
        design_shares="None",
        names="None",
        predictors="None",
    ),
    "RegressionFit.interval": call(FIT.interval, {"level": 0.9}),
    "RegressionFit.with_errors": call(FIT.with_errors, {"kind": "robust"}),
}
