"""A valid call of every public callable about models; see bad_inputs.py."""

from rr_engine import ReportLikelihoods, RRLogit, direct, warner
from tests.engine.bad_inputs import call

COIN = warner(0.8)
X = [[0.0, 1.0], [1.0, 0.0], [0.0, 0.5], [2.0, 1.0], [1.0, 3.0]]
REPORTS = [0, 1, 1, 0, 1]
MODEL = RRLogit(COIN)
FIT = MODEL.fit(X, REPORTS)

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
            "designs": [0, 0, 0, 0, 0],
            "intercept": True,
            "names": None,
            "sample": None,
        },
        X="None",
        weights="None",
        designs="None",
        intercept="True|numpy True",
        names="None",
        sample="None",
    ),
    "RegressionFit.interval": call(FIT.interval, {"level": 0.9}),
    "RegressionFit.with_errors": call(FIT.with_errors, {"kind": "robust"}),
}
