"""A valid call of every public callable about posteriors and groups; see bad_inputs.py."""

from rr_engine import RRLogit, direct, library
from rr_engine.library import CoefficientPrior, RRMultilevelLogit
from tests.engine.bad_inputs import COIN, call

X = [0.0, 1.0, 2.0, 0.5, 1.5, 1.0, 3.0, 0.0]
REPORTS, GROUPS = [0, 1, 0, 0, 1, 1, 0, 1], [1, 1, 1, 2, 2, 2, 3, 3]
MODEL = RRMultilevelLogit([COIN, direct(2)])
FIT = MODEL.fit(X, REPORTS, GROUPS, [1] * 8)

BAYESIAN_CALLS = {
    "CoefficientPrior": call(
        CoefficientPrior,
        {"scale": 2.5, "intercept_scale": 10, "degrees": 7},
        degrees="inf",
    ),
    "fit_bayesian": call(
        library.fit_bayesian,
        {
            "model": RRLogit([COIN, direct(2)]),
            "X": X,
            "reports": REPORTS,
            "which": [0] * 8,
            "prior": CoefficientPrior(),
            "level": 0.9,
            "intercept": True,
            "names": None,
        },
        X="None",
        which="None",
        intercept="True|numpy True",
        names="None",
    ),
    "RRMultilevelLogit": call(
        RRMultilevelLogit,
        {"design": COIN, "link": "probit", "nodes": 5},
        design="a device|devices|three devices",
        nodes="None",
    ),
    "RRMultilevelLogit.fit": call(
        MODEL.fit,
        {
            "X": X,
            "reports": REPORTS,
            "groups": GROUPS,
            "which": [0] * 8,
            "intercept": True,
            "names": None,
        },
        X="None",
        which="None",
        intercept="True|numpy True",
        names="None",
    ),
    "group_averaged_probabilities": call(
        library.group_averaged_probabilities,
        {"fit": FIT, "X": [[0.5], [2.0]], "level": 0.9},
        X="list of minus|list of bool|list of lists|object array of numbers|too long|"
        "a hundred thousand",
    ),
    "group_averaged_effects": call(
        library.group_averaged_effects,
        {"fit": FIT, "X": [[0.5], [2.0]], "level": 0.9},
        X="None|list of minus|list of bool|list of lists|object array of numbers|too long|"
        "a hundred thousand",
    ),
    "MultilevelFit.interval": call(FIT.interval, {"level": 0.9}),
    "MultilevelFit.deviation_interval": call(FIT.deviation_interval, {"level": 0.9}),
    "MultilevelFit.with_errors": call(FIT.with_errors, {"kind": "robust"}),
    "posterior": call(
        library.posterior,
        {"design": COIN, "counts": [70, 30], "prior": 0.5, "level": 0.9},
        counts="empty dict",
    ),
}
