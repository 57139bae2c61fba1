"""A valid call of every public callable about predictors and correlations; see bad_inputs.py."""

from rr_engine import ReportLikelihoods, RRRegression, k_rr
from rr_engine.library import correlation, correlation_matrix, moment_regression
from tests.engine.bad_inputs import call

X = [0.0, 1.0, 3.0, 2.0, 1.5, 0.5]
Y = [0.5, 0.1, 2.0, 1.0, 1.2, 0.4]
ITEM = ReportLikelihoods(k_rr(3, 6), [0, 1, 1, 2, 1, 0])
OTHER = ReportLikelihoods(k_rr(3, 3), [0, 1, 2, 0, 2, 0])
MODEL = RRRegression()
FOUND = correlation(ITEM, OTHER)
MATRIX = correlation_matrix([ITEM, OTHER, X])
ARGUMENTS = {
    "outcome": Y,
    "X": X,
    "predictors": [ITEM],
    "weights": [1.0, 2.0, 0.5, 1.0, 1.0, 1.0],
    "scores": [[0, 1, 2]],
    "intercept": True,
    "names": None,
    "predictor_names": None,
    "sample": None,
}
LEFT_OUT = {
    "X": "None",
    "weights": "None",
    "scores": "None",
    "intercept": "True|numpy True",
    "names": "None",
    "predictor_names": "None",
    "sample": "None",
}

PREDICTOR_CALLS = {
    "RRRegression": call(RRRegression, {"family": "probit"}),
    "RRRegression.fit": call(
        MODEL.fit,
        {**ARGUMENTS, "independent": False},
        **LEFT_OUT,
        independent="True|numpy True",
    ),
    "moment_regression": call(
        moment_regression,
        ARGUMENTS,
        **LEFT_OUT,
    ),
    "correlation": call(
        correlation,
        {
            "first": ITEM,
            "second": OTHER,
            "first_scores": [0, 1, 3],
            "second_scores": [0, 1, 5],
            "weights": [1.0, 2.0, 0.5, 1.0, 1.0, 1.0],
            "sample": None,
        },
        first_scores="None",
        second_scores="None",
        weights="None",
        sample="None",
    ),
    "Correlation.interval": call(FOUND.interval, {"level": 0.9}),
    "correlation_matrix": call(
        correlation_matrix,
        {
            "answers": [ITEM, OTHER],
            "scores": [[0, 1, 3], None],
            "names": ["a", "b"],
            "weights": [1.0, 2.0, 0.5, 1.0, 1.0, 1.0],
            "sample": None,
        },
        scores="None|list of None",
        names="None",
        weights="None",
        sample="None",
    ),
    "CorrelationMatrix.interval": call(MATRIX.interval, {"level": 0.9}),
    "CorrelationMatrix.pair": call(MATRIX.pair, {"first": 0, "second": 2}),
}
