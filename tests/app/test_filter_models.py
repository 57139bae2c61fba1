"""Models of a question that is for some people only, against likelihoods maximised by SciPy."""

from decimal import Decimal

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax

from surveys.models import Survey
from surveys.parameters.exact import channel_of
from surveys.services.analysis_fits import fitted_values
from tests.filtered import DRUG, question
from tests.released import released

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SEED, PEOPLE = 30, 400
REGION = question(
    "region", kind="single_choice", options=["North", "South"], randomized=False, epsilon=None
)
CAUGHT = question("caught", only_if="drug = Yes", epsilon=Decimal(2))
# Of each region the shares of No, Yes and “does not apply”.
SHARES = np.array([[0.2, 0.2, 0.6], [0.2, 0.4, 0.4]])
ANALYSES = [
    {
        "name": name,
        "outcome": "caught",
        "event": event,
        "link": "logit",
        "predictors": [{"question": "region", "scored": False}],
        "weighted": False,
    }
    for name, event in (("all apart", []), ("among all who reported", [1]))
]


@pytest.fixture
def fitted():
    """The launch with both fits, and the region and the report of each person."""
    rng = np.random.default_rng(SEED)
    region = rng.integers(0, 2, PEOPLE)
    matrix = np.full((3, 3), 1 / (np.exp(2) + 2)) + np.eye(3) * (np.exp(2) - 1) / (np.exp(2) + 2)
    truths = [rng.choice(3, p=SHARES[each]) for each in region]
    reports = np.array([rng.choice(3, p=matrix[:, truth]) for truth in truths])
    rows = [
        {"drug": 0, "region": int(where), "caught": int(report)}
        for where, report in zip(region, reports, strict=True)
    ]
    launch = released(
        rows,
        questions=[{**DRUG, "prefer_not": False}, REGION, CAUGHT],
        linkage=Survey.Linkage.TOGETHER,
        budget=Decimal(6),
        analyses=ANALYSES,
        release_batch=1,
    )
    return launch, region, reports


def maximised(matrix, region, reports):
    """The coefficients of all answers but the first, a row each: of one, and of the South."""
    columns = np.column_stack([np.ones(len(region)), region])

    def loss(flat):
        linear = np.column_stack([np.zeros(len(region)), columns @ flat.reshape(-1, 2).T])
        chances = np.exp(log_softmax(linear, axis=1)) @ matrix.T
        return -np.log(chances[np.arange(len(region)), reports]).sum()

    start = np.zeros(2 * (matrix.shape[1] - 1))
    found = minimize(loss, start, method="BFGS", options={"gtol": 1e-9})
    return minimize(loss, found.x, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-12})


def test_does_not_apply_is_one_of_the_answers_of_a_multinomial_model(fitted):
    launch, region, reports = fitted
    content = fitted_values(launch.analysis_fits.get(number=1))["content"]
    asked = launch.parameters.question("caught")
    device = channel_of(launch.parameters.devices_of(asked)[0], asked)
    found = maximised(device.matrix, region, reports)

    assert [*content["outcome"]["categories"]] == ["No", "Yes", "Does not apply"]
    estimates = [row["estimate"] for row in content["coefficients"]]
    assert estimates == pytest.approx(found.x.tolist(), abs=1e-4)
    assert content["log_likelihood"] == pytest.approx(-found.fun, abs=1e-8)


def test_an_event_is_one_among_all_who_reported(fitted):
    launch, region, reports = fitted
    content = fitted_values(launch.analysis_fits.get(number=2))["content"]
    asked = launch.parameters.question("caught")
    device = channel_of(launch.parameters.devices_of(asked)[0], asked)
    merged = np.array(
        [
            [device.matrix[[0, 2]][:, 0].sum(), device.matrix[[0, 2]][:, 1].sum()],
            [device.matrix[1, 0], device.matrix[1, 1]],
        ]
    )
    found = maximised(merged, region, (reports == 1).astype(int))

    estimates = [row["estimate"] for row in content["coefficients"]]
    assert estimates == pytest.approx(found.x.tolist(), abs=1e-4)
    assert content["log_likelihood"] == pytest.approx(-found.fun, abs=1e-8)
