"""Plans of multinomial and linear probability models, against enumeration, fits and simulation."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chi2, ncx2, norm

import rr_engine as rr
from rr_engine.errors import ArgumentError, NotIdentifiableError
from tests.engine.planning_power import CASES, found_shares
from tests.thorough import examples

DEVICES, PARTS = (
    [rr.k_rr(3, 2), rr.designs.direct(3), rr.designs.subset_selection(3, 1, 2)],
    [0.5, 0.2, 0.3],
)
ROWS = np.array([[0, 0, -1], [1, 0, -1], [0, 1, 2], [1, 0, 2.0], [0, 1, 0]])
SHARES = np.array([0.3, 0.2, 0.2, 0.2, 0.1])
EFFECTS = np.array([[0.5, -0.3, 0.1], [0.2, 0.6, -0.2]])
WANTED = [0.5, 0.3, 0.2]
COLUMNS = np.column_stack([np.ones(5), ROWS])


def truths_of(params):
    """The probabilities of the answers in each row, from the definition."""
    weights = np.exp(COLUMNS @ np.vstack([np.zeros(4), params.reshape(2, 4)]).T)
    return weights / weights.sum(axis=1, keepdims=True)


def reports_of(params):
    """The probability of each row, device and report together, all in a list."""
    parts = [
        part * (SHARES[:, None] * truths_of(params) @ device.matrix.T).ravel()
        for part, device in zip(PARTS, DEVICES, strict=True)
    ]
    return np.concatenate(parts)


def plan(effects=EFFECTS, n=900, **more):
    return rr.planning.plan_multinomial(
        DEVICES, ROWS, effects, WANTED, n, shares=SHARES, design_shares=PARTS, **more
    )


@pytest.fixture(scope="module")
def enumerated():
    """The covariance by the multinomial distribution of all that can be seen, differentiated."""
    found = plan()
    params, step = np.column_stack([found.intercepts, EFFECTS]).ravel(), 1e-5
    slopes = [
        (reports_of(params + h) - reports_of(params - h)) / (2 * step) for h in step * np.eye(8)
    ]
    chances = reports_of(params)
    return np.linalg.inv(np.array(slopes) / chances @ np.transpose(slopes)) / found.n


def contrast(first, second, column):
    whole = np.zeros((3, 4))
    whole[second, column + 1] += 1
    whole[first, column + 1] -= 1
    return whole[1:].ravel()


def test_errors_of_all_pairs_are_those_of_the_enumerated_information(enumerated):
    found = plan()
    params = np.column_stack([found.intercepts, EFFECTS]).ravel()
    assert SHARES @ truths_of(params) == pytest.approx(WANTED, abs=1e-9)
    assert found.pairs == ((0, 1), (0, 2), (1, 2))
    slopes = enumerated.reshape(2, 4, 2, 4)[:, 1:, :, 1:]
    assert found.covariance == pytest.approx(slopes, rel=1e-6)
    for (row, pair), column in product(enumerate(found.pairs), range(3)):
        weights = contrast(*pair, column)
        error = np.sqrt(weights @ enumerated @ weights)
        assert found.standard_errors[row, column] == pytest.approx(error, rel=1e-6)
        ratio, z = abs(weights @ params) / error, norm.isf(0.025)
        assert found.power[row, column] == pytest.approx(norm.sf(z - ratio) + norm.sf(z + ratio))
        assert found.detectable[row, column] == pytest.approx(2.80158 * error, rel=1e-4)


def test_the_test_of_a_predictor_is_over_its_columns_and_all_pairs(enumerated):
    found = plan(names=["south", "east", "age"], predictors=["region", "region", "age"])
    assert (found.predictors, found.freedom) == (("region", "age"), (4, 2))
    for place, columns in enumerate(([0, 1], [2])):
        places = [4 * equation + 1 + column for equation in range(2) for column in columns]
        assumed = EFFECTS[:, columns].ravel()
        excess = assumed @ np.linalg.solve(enumerated[np.ix_(places, places)], assumed)
        freedom = len(places)
        power = ncx2.sf(chi2.isf(0.05, freedom), freedom, excess)
        assert found.joint_power[place] == pytest.approx(power, rel=1e-6)
        wanted = excess * found.joint_factor[place] ** 2
        assert ncx2.sf(chi2.isf(0.05, freedom), freedom, wanted) == pytest.approx(0.8)
    reached, missed = (
        plan(n=found.respondents[0] - less, predictors=["a", "a", "b"]) for less in (0, 1)
    )
    assert reached.joint_power[0] >= 0.8 > missed.joint_power[0]


def test_a_plan_is_the_fit_of_a_survey_that_came_out_as_expected():
    found = plan(n=60)
    survey = [
        (row, device, report) for device in range(3) for row in range(5) for report in range(3)
    ]
    rows, which, reports = np.array(survey).T
    params = np.column_stack([found.intercepts, EFFECTS]).ravel()
    model = rr.RRLogit(DEVICES)
    fit = model.fit(ROWS[rows], reports, reports_of(params), which).with_errors("expected")
    assert fit.params == pytest.approx(params.reshape(2, 4), abs=1e-5)
    # Weights count as their sum: 45 reports stand for the 60 respondents.
    errors = fit.standard_errors[:, 1:] * np.sqrt(45 / 60)
    assert found.standard_errors[:2] == pytest.approx(errors, rel=1e-5)


def test_no_effect_is_never_found_and_has_no_number():
    found = plan(effects=np.zeros((2, 3)))
    assert found.power == pytest.approx(0.05)
    assert found.joint_power == pytest.approx(0.05)
    assert found.respondents == (None, None, None)
    assert np.isinf(found.joint_factor).all()
    assert found.intercepts == pytest.approx(np.log([0.6, 0.4]))


def test_a_straight_line_has_the_variances_of_its_scores():
    """By the definition: least squares on numbers of which each has a variance of its own."""
    devices, parts = [rr.warner(0.8), rr.designs.direct(2)], [0.6, 0.4]
    rows, shares = ROWS[:, ::2], SHARES
    found = rr.planning.plan_regression(
        devices, rows, [0.2, 0.05], 0.3, 700, shares=shares, design_shares=parts, link="identity"
    )
    yes = found.intercept + rows @ [0.2, 0.05]
    assert shares @ yes == pytest.approx(0.3)
    # A report through Warner's device at 0.8 counts -1/3 or 4/3.
    share = 0.2 + 0.6 * yes
    variances = 0.6 * share * (1 - share) * (5 / 3) ** 2 + 0.4 * yes * (1 - yes)
    columns = np.column_stack([np.ones(5), rows])
    bread = np.linalg.inv(columns.T @ np.diag(shares) @ columns)
    whole = bread @ columns.T @ np.diag(shares * variances) @ columns @ bread
    errors = np.sqrt(np.diag(whole)[1:] / 700)
    assert found.standard_errors == pytest.approx(errors)
    ratio, z = np.array([0.2, 0.05]) / errors, norm.isf(0.025)
    assert found.power == pytest.approx(norm.sf(z - ratio) + norm.sf(z + ratio))


def test_a_straight_plan_is_the_fit_of_a_survey_that_came_out_as_expected():
    found = rr.planning.plan_regression(
        rr.warner(0.8), [[0], [1]], [0.25], 0.375, 400, link="identity"
    )
    # 0.25 and 0.5 say yes: 0.35 and 0.5 report it.
    x, reports = np.repeat([0, 1], 200), np.repeat([0, 1, 0, 1], [130, 70, 100, 100])
    fit = rr.RRLogit(rr.warner(0.8), "identity").fit(x, reports)
    assert fit.params == pytest.approx([found.intercept, 0.25])
    assert found.standard_errors[0] == pytest.approx(fit.standard_errors[1] * np.sqrt(398 / 400))


def test_a_straight_line_stays_within_0_and_1():
    given = {"design": rr.warner(0.8), "X": [[0], [1]], "n": 100, "link": "identity"}
    assert rr.planning.plan_regression(
        effects=[0.4], prevalence=0.2, **given
    ).intercept == pytest.approx(0)
    with pytest.raises(ArgumentError, match="some intercept gives"):
        rr.planning.plan_regression(effects=[0.41], prevalence=0.2, **given)
    with pytest.raises(ArgumentError, match="some intercept gives"):
        rr.planning.plan_regression(effects=[0.41], prevalence=0.8, **given)


def test_without_variance_any_effect_is_found():
    found = rr.planning.plan_regression(
        rr.designs.direct(2), [[0], [1]], [1.0], 0.5, 10, link="identity"
    )
    assert (found.standard_errors[0], found.power[0], found.respondents) == (0.0, 1.0, (1,))


def test_what_the_reports_cannot_tell_is_refused():
    blind = [[0.5, 0.5, 0.4], [0.5, 0.5, 0.6]]
    with pytest.raises(NotIdentifiableError):
        rr.planning.plan_multinomial(rr.DesignMatrix(blind), [[0], [1]], [[0], [0]], WANTED, 100)
    with pytest.raises(ArgumentError, match="three or more"):
        rr.planning.plan_multinomial(rr.designs.direct(2), [[0], [1]], [[0]], [0.5, 0.5], 100)
    with pytest.raises(ArgumentError, match="above 0"):
        plan(effects=EFFECTS * 1e6, n=10)


OTHERS = np.array([[0, 1.0], [0, 4.0], [1, 1.0], [1, 4.0]])


def planned_errors(link, rows, effects, shares):
    """Return the errors of all coefficients; a multinomial model has three pairs."""
    if link == "multinomial":
        effects = [[effect, 0] for effect in effects]
        return rr.planning.plan_multinomial(
            rr.k_rr(3, 2), rows, np.transpose(effects), WANTED, 900, shares=shares
        ).standard_errors
    return rr.planning.plan_regression(
        rr.warner(0.8), rows, effects, 0.3, 900, shares=shares, link=link
    ).standard_errors


@pytest.mark.parametrize(
    "link", ["logit", "probit", "cloglog", "cauchit", "identity", "multinomial"]
)
def test_unrelated_predictors_without_an_effect_change_nothing(link):
    alone = planned_errors(link, [[0], [1]], [0.3], [0.7, 0.3])
    beside = planned_errors(link, OTHERS, [0.3, 0.0], [0.28, 0.42, 0.12, 0.18])
    assert beside[..., 0] == pytest.approx(alone[..., 0])
    related = planned_errors(link, OTHERS, [0.0, 0.0], [0.4, 0.1, 0.1, 0.4])
    alone = planned_errors(link, [[0], [1]], [0.0], [0.5, 0.5])
    # A correlation of 0.6: R^2 is 0.36.
    assert related[..., 0] == pytest.approx(alone[..., 0] / 0.8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "runs"),
    [
        ("multinomial, k-ary, epsilon 2, n = 4,000", examples(40, 100)),
        ("linear probability, direct, n = 500", examples(200, 400)),
    ],
)
def test_simulated_surveys_find_what_was_planned(case, runs):
    """Within three standard errors of so many surveys."""
    planned = np.array(CASES[case]().planned)
    assert planned.max() == pytest.approx(0.8, abs=0.15)
    error = np.sqrt(planned * (1 - planned) / runs)
    assert (np.abs(found_shares(CASES[case](), runs) - planned) < 3 * error).all()
