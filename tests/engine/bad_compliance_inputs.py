"""A valid call of every public callable about compliance in models; see bad_inputs.py."""

import numpy as np

import rr_engine
from rr_engine import warner
from rr_engine.designs import direct, mangat
from rr_engine.models import AttentionLogit, AttentionRegression, CheatingLogit, LieDetectorLogit
from tests.engine.bad_inputs import COIN, DEVICES, also, named_calls, optional, required, valid

COVARIATES = np.tile([[0.0, 1.0], [1.0, 0.0], [0.0, 0.5], [2.0, 1.0], [1.0, 3.0]], (4, 1))
REPORTS = [0, 1, 1, 0, 1, 0, 0, 1, 0, 0] * 2
WHICH = [0, 0, 0, 1, 1, 1, 0, 1, 0, 1] * 2
ARMS = [0, 0, 0, 1, 1, 1, 1, 1, 1, 1] * 2
CHEATING = CheatingLogit([COIN, warner(0.4)])
LIES = LieDetectorLogit([mangat(0.2), mangat(0.8)])
ATTENTION = AttentionLogit(COIN, warner(0.7))
NUMBERS = [float(place) for place in range(20)]
EXPLAINED = AttentionRegression(COIN, warner(0.7))
NUMBER_FIT = EXPLAINED.fit(NUMBERS, COVARIATES, REPORTS, WHICH)
FIT = CHEATING.fit(COVARIATES, REPORTS, which=WHICH)
BOUNDS = rr_engine.compliance.noncompliance_bounds(COIN, COVARIATES, REPORTS, [0.0, 0.1])
COMPARED = rr_engine.compliance.compare_arms([direct(2), COIN], None, REPORTS, ARMS)

X, WEIGHTS, ONE_DEVICE = optional(COVARIATES), [1.0, 2.0] * 10, [0] * 20
PAIR = also([COIN, warner(0.4)], f"a device|{DEVICES}")
ONE, ANCHOR = also(COIN, f"a device|{DEVICES}"), also(warner(0.7), "a device")

COMPLIANCE_CALLS = named_calls(
    valid(CheatingLogit, PAIR, trait_among="all"),
    valid(CHEATING.fit, X, REPORTS, WEIGHTS, required(WHICH)),
    valid(LieDetectorLogit, PAIR),
    valid(LIES.fit, X, REPORTS, WEIGHTS, required(WHICH)),
    valid(AttentionLogit, ONE, ANCHOR, known=0.1),
    valid(ATTENTION.fit, X, REPORTS, WHICH, WEIGHTS, ONE_DEVICE),
    valid(AttentionRegression, ONE, ANCHOR, known=0.1),
    valid(EXPLAINED.fit, NUMBERS, X, REPORTS, WHICH, WEIGHTS, ONE_DEVICE),
    valid(NUMBER_FIT.interval, level=0.9),
    valid(NUMBER_FIT.with_errors, kind="robust"),
    valid(FIT.interval, level=0.9),
    valid(FIT.share_interval, level=0.9),
    valid(FIT.with_errors, kind="robust"),
    valid(FIT.likelihood_ratio, names=["x1"]),
    valid(
        rr_engine.compliance.noncompliance_bounds,
        ONE,
        X,
        REPORTS,
        [0.0, 0.1, 0.2],
        WEIGHTS,
        who="carriers",
    ),
    valid(BOUNDS.interval, level=0.9),
    valid(BOUNDS.bounds, level=0.9),
    valid(
        rr_engine.compliance.compare_arms,
        *(also([direct(2), COIN], "three devices"), X, REPORTS, ARMS, WEIGHTS),
        link="probit",
    ),
    valid(COMPARED.interval, level=0.9),
)
