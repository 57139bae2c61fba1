"""A valid call of every public callable about compliance in models; see bad_inputs.py."""

import numpy as np

import rr_engine as rr
from tests.engine.bad_inputs import also, named_calls, optional, valid

COIN = rr.warner(0.8)
X = np.tile([[0.0, 1.0], [1.0, 0.0], [0.0, 0.5], [2.0, 1.0], [1.0, 3.0]], (4, 1))
REPORTS = [0, 1, 1, 0, 1, 0, 0, 1, 0, 0] * 2
WHICH = [0, 0, 0, 1, 1, 1, 0, 1, 0, 1] * 2
ARMS = [0, 0, 0, 1, 1, 1, 1, 1, 1, 1] * 2
CHEATING = rr.CheatingLogit([COIN, rr.warner(0.4)])
LIES = rr.LieDetectorLogit([rr.mangat(0.2), rr.mangat(0.8)])
ATTENTION = rr.AttentionLogit(COIN, rr.warner(0.7))
NUMBERS = [float(place) for place in range(20)]
EXPLAINED = rr.AttentionRegression(COIN, rr.warner(0.7))
NUMBER_FIT = EXPLAINED.fit(NUMBERS, X, REPORTS, WHICH)
FIT = CHEATING.fit(X, REPORTS, which=WHICH)
BOUNDS = rr.noncompliance_bounds(COIN, X, REPORTS, [0.0, 0.1])
COMPARED = rr.compare_arms([rr.direct(2), COIN], None, REPORTS, ARMS)

# What may be left out, and what any data frame gives.
X_OR_NONE, ABSENT = optional(X), optional(None)
INTERCEPT = also(True, "True|numpy True")
SOME_DEVICES = "a device|devices|three devices"
WEIGHTS = optional([1.0, 2.0] * 10)
SHARED = {"weights": WEIGHTS, "intercept": INTERCEPT, "names": ABSENT, "sample": ABSENT}
RESPONDENTS = {"X": X_OR_NONE, **SHARED, "share_X": ABSENT, "share_names": ABSENT}
TWO_COINS = also([COIN, rr.warner(0.4)], SOME_DEVICES)
ANCHORED = {
    "designs": also(COIN, SOME_DEVICES),
    "anchor": also(rr.warner(0.7), "a device"),
    "known": 0.1,
    "otherwise": ABSENT,
    "anchor_otherwise": ABSENT,
}
ONE_DEVICE = optional([0] * 20)

COMPLIANCE_CALLS = named_calls(
    valid(rr.CheatingLogit, TWO_COINS, 0, otherwise=ABSENT, trait_among="all"),
    valid(CHEATING.fit, reports=REPORTS, which=WHICH, **RESPONDENTS),
    valid(rr.LieDetectorLogit, TWO_COINS, 0, otherwise=ABSENT),
    valid(LIES.fit, reports=REPORTS, which=WHICH, **RESPONDENTS),
    valid(rr.AttentionLogit, **ANCHORED),
    valid(ATTENTION.fit, reports=REPORTS, anchor_reports=WHICH, which=ONE_DEVICE, **RESPONDENTS),
    valid(rr.AttentionRegression, **ANCHORED),
    valid(
        EXPLAINED.fit,
        outcome=NUMBERS,
        reports=REPORTS,
        anchor_reports=WHICH,
        which=ONE_DEVICE,
        **RESPONDENTS,
    ),
    valid(NUMBER_FIT.interval, level=0.9),
    valid(NUMBER_FIT.with_errors, kind="robust"),
    valid(FIT.interval, level=0.9),
    valid(FIT.share_interval, level=0.9),
    valid(FIT.with_errors, kind="robust"),
    valid(FIT.likelihood_ratio, names=["x1"]),
    valid(
        rr.noncompliance_bounds,
        designs=also(COIN, SOME_DEVICES),
        X=X_OR_NONE,
        reports=REPORTS,
        shares=[0.0, 0.1, 0.2],
        which=ABSENT,
        who="carriers",
        otherwise=ABSENT,
        **SHARED,
    ),
    valid(BOUNDS.interval, level=0.9),
    valid(BOUNDS.bounds, level=0.9),
    valid(
        rr.compare_arms,
        designs=also([rr.direct(2), COIN], "three devices"),
        X=X_OR_NONE,
        reports=REPORTS,
        arm=ARMS,
        weights=WEIGHTS,
        which=ABSENT,
        link="probit",
        names=ABSENT,
        sample=ABSENT,
    ),
    valid(COMPARED.interval, level=0.9),
)
