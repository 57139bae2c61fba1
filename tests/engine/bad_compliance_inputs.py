"""A valid call of every public callable about compliance in models; see bad_inputs.py."""

import numpy as np

from rr_engine import direct, library, mangat, warner
from rr_engine.library import AttentionLogit, AttentionRegression, CheatingLogit, LieDetectorLogit
from tests.engine.bad_inputs import call

COIN = warner(0.8)
X = np.tile([[0.0, 1.0], [1.0, 0.0], [0.0, 0.5], [2.0, 1.0], [1.0, 3.0]], (4, 1))
REPORTS = [0, 1, 1, 0, 1, 0, 0, 1, 0, 0] * 2
WHICH = [0, 0, 0, 1, 1, 1, 0, 1, 0, 1] * 2
ARMS = [0, 0, 0, 1, 1, 1, 1, 1, 1, 1] * 2
CHEATING = CheatingLogit([COIN, warner(0.4)])
LIES = LieDetectorLogit([mangat(0.2), mangat(0.8)])
ATTENTION = AttentionLogit(COIN, warner(0.7))
NUMBERS = [float(place) for place in range(20)]
EXPLAINED = AttentionRegression(COIN, warner(0.7))
NUMBER_FIT = EXPLAINED.fit(NUMBERS, X, REPORTS, WHICH)
FIT = CHEATING.fit(X, REPORTS, which=WHICH)
BOUNDS = library.noncompliance_bounds(COIN, X, REPORTS, [0.0, 0.1])
COMPARED = library.compare_arms([direct(2), COIN], None, REPORTS, ARMS)

RESPONDENTS = {
    "weights": [1.0, 2.0] * 10,
    "which": WHICH,
    "share_X": None,
    "intercept": True,
    "names": None,
    "share_names": None,
    "sample": None,
}
LEFT_OUT = {
    "X": "None",
    "weights": "None",
    "intercept": "True|numpy True",
    "names": "None",
    "sample": "None",
}
SHARES = {"share_X": "None", "share_names": "None"}
ANCHORED = {
    "designs": COIN,
    "anchor": warner(0.7),
    "known": 0.1,
    "otherwise": None,
    "anchor_otherwise": None,
}
ANCHORED_ALSO = {
    "designs": "a device|devices|three devices",
    "anchor": "a device",
    "otherwise": "None",
    "anchor_otherwise": "None",
}

COMPLIANCE_CALLS = {
    "CheatingLogit": call(
        CheatingLogit,
        {"designs": [COIN, warner(0.4)], "safe": 0, "otherwise": None, "trait_among": "all"},
        designs="a device|devices|three devices",
        otherwise="None",
    ),
    "CheatingLogit.fit": call(
        CHEATING.fit, {"X": X, "reports": REPORTS, **RESPONDENTS}, **LEFT_OUT, **SHARES
    ),
    "LieDetectorLogit": call(
        LieDetectorLogit,
        {"designs": [COIN, warner(0.4)], "safe": 0, "otherwise": None},
        designs="a device|devices|three devices",
        otherwise="None",
    ),
    "LieDetectorLogit.fit": call(
        LIES.fit, {"X": X, "reports": REPORTS, **RESPONDENTS}, **LEFT_OUT, **SHARES
    ),
    "AttentionLogit": call(
        AttentionLogit,
        ANCHORED,
        **ANCHORED_ALSO,
    ),
    "AttentionLogit.fit": call(
        ATTENTION.fit,
        {
            "X": X,
            "reports": REPORTS,
            "anchor_reports": WHICH,
            **RESPONDENTS,
            "which": [0] * 20,
        },
        which="None",
        **LEFT_OUT,
        **SHARES,
    ),
    "AttentionRegression": call(
        AttentionRegression,
        ANCHORED,
        **ANCHORED_ALSO,
    ),
    "AttentionRegression.fit": call(
        EXPLAINED.fit,
        {
            "outcome": NUMBERS,
            "X": X,
            "reports": REPORTS,
            "anchor_reports": WHICH,
            **RESPONDENTS,
            "which": [0] * 20,
        },
        which="None",
        **LEFT_OUT,
        **SHARES,
    ),
    "AttentionRegressionFit.interval": call(NUMBER_FIT.interval, {"level": 0.9}),
    "AttentionRegressionFit.with_errors": call(NUMBER_FIT.with_errors, {"kind": "robust"}),
    "NoncomplianceFit.interval": call(FIT.interval, {"level": 0.9}),
    "NoncomplianceFit.share_interval": call(FIT.share_interval, {"level": 0.9}),
    "NoncomplianceFit.with_errors": call(FIT.with_errors, {"kind": "robust"}),
    "NoncomplianceFit.likelihood_ratio": call(FIT.likelihood_ratio, {"names": ["x1"]}),
    "noncompliance_bounds": call(
        library.noncompliance_bounds,
        {
            "designs": COIN,
            "X": X,
            "reports": REPORTS,
            "shares": [0.0, 0.1, 0.2],
            "weights": [1.0, 2.0] * 10,
            "which": None,
            "who": "carriers",
            "otherwise": None,
            "intercept": True,
            "names": None,
            "sample": None,
        },
        designs="a device|devices|three devices",
        otherwise="None",
        which="None",
        **LEFT_OUT,
    ),
    "NoncomplianceBounds.interval": call(BOUNDS.interval, {"level": 0.9}),
    "NoncomplianceBounds.bounds": call(BOUNDS.bounds, {"level": 0.9}),
    "compare_arms": call(
        library.compare_arms,
        {
            "designs": [direct(2), COIN],
            "X": X,
            "reports": REPORTS,
            "arm": ARMS,
            "weights": [1.0, 2.0] * 10,
            "which": None,
            "link": "probit",
            "names": None,
            "sample": None,
        },
        designs="three devices",
        X="None",
        weights="None",
        names="None",
        sample="None",
        which="None",
    ),
    "ArmComparison.interval": call(COMPARED.interval, {"level": 0.9}),
}
