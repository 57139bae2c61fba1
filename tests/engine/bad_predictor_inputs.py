"""A valid call of every public callable about predictors and correlations; see bad_inputs.py."""

from rr_engine import RRRegression, correlation, k_rr
from rr_engine.association import correlation_matrix
from rr_engine.models import ReportLikelihoods, moment_regression
from tests.engine.bad_inputs import also, named_calls, optional, valid

X = [0.0, 1.0, 3.0, 2.0, 1.5, 0.5]
Y = [0.5, 0.1, 2.0, 1.0, 1.2, 0.4]
WEIGHTS = [1.0, 2.0, 0.5, 1.0, 1.0, 1.0]
ITEM = ReportLikelihoods(k_rr(3, 6), [0, 1, 1, 2, 1, 0])
OTHER = ReportLikelihoods(k_rr(3, 3), [0, 1, 2, 0, 2, 0])
MODEL = RRRegression()
FOUND = correlation(ITEM, OTHER)
MATRIX = correlation_matrix([ITEM, OTHER, X])
ROWS = (Y, optional(X), [ITEM], WEIGHTS)

PREDICTOR_CALLS = named_calls(
    valid(RRRegression, family="probit"),
    valid(MODEL.fit, *ROWS, scores=[[0, 1, 2]], independent=also(False, "True|numpy True")),
    valid(moment_regression, *ROWS, scores=[[0, 1, 2]]),
    valid(
        correlation,
        *(ITEM, OTHER),
        first_scores=[0, 1, 3],
        second_scores=[0, 1, 5],
        weights=WEIGHTS,
    ),
    valid(FOUND.interval, level=0.9),
    valid(
        correlation_matrix,
        [ITEM, OTHER],
        scores=also([[0, 1, 3], None], "None|list of None"),
        names=["a", "b"],
        weights=WEIGHTS,
    ),
    valid(MATRIX.interval, level=0.9),
    valid(MATRIX.pair, first=0, second=2),
)
