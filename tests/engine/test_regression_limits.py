"""Models of randomized answers at the ends of what can be asked of them."""

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.compliance import compare_arms
from rr_engine.models import RRMultilevelLogit, moment_regression
from tests.engine.multilevel_cases import marginal_likelihood
from tests.engine.regression_coverage import SEED, binary

# The report 1 is never made.
GAP = rr.DesignMatrix([[0.8, 0.2], [0.0, 0.0], [0.2, 0.8]])
COIN = rr.warner(0.8)
X, REPORTS = np.repeat([0.0, 1.0], 50), np.tile([0, 1, 1, 0, 1], 20)
NUMBERS = np.arange(100.0) % 7
ITEM = rr.models.ReportLikelihoods(COIN, REPORTS)
BROKEN = np.append(2 * REPORTS[:-1], 1)


@pytest.mark.parametrize(
    "fit",
    [
        lambda: rr.RRLogit(GAP).fit(X, BROKEN),
        lambda: rr.RRLogit(GAP, "identity").fit(X, BROKEN),
        lambda: RRMultilevelLogit(GAP).fit(None, BROKEN, np.arange(100) % 5),
        lambda: rr.RRRegression().fit(NUMBERS, None, [rr.models.ReportLikelihoods(GAP, BROKEN)]),
        lambda: rr.RRRegression("logit").fit(
            rr.models.ReportLikelihoods(GAP, BROKEN), None, [ITEM]
        ),
    ],
)
def test_a_report_that_the_device_never_makes_is_refused(fit):
    with pytest.raises(rr.errors.CountsError, match="respondent 99") as error:
        fit()
    assert error.value.code == "impossible_report"


def test_an_impossible_report_without_weight_does_not_matter():
    weights = np.append(np.ones(99), 0.0)
    fit = rr.RRLogit(GAP).fit(X, BROKEN, weights)
    assert fit.params == pytest.approx(rr.RRLogit(COIN).fit(X, REPORTS, weights).params)


@pytest.mark.parametrize("number", [1e200, np.inf, np.nan])
def test_columns_beyond_a_double_are_refused_as_such(number):
    with pytest.raises(rr.errors.ArgumentError, match="at most 1e\\+100 in size") as error:
        rr.RRLogit(COIN).fit(np.append(X[:-1], number), REPORTS)
    assert error.value.code == "not_numbers"


def test_coefficients_have_names_of_their_own():
    scores = {"scores": [[0, 1]], "names": ["a"], "predictor_names": ["a"]}
    for fit in (moment_regression, rr.RRRegression().fit):
        with pytest.raises(rr.errors.ArgumentError) as error:
            fit(NUMBERS, X, [ITEM], **scores)
        assert error.value.code == "repeated_label"
    other = rr.models.ReportLikelihoods(COIN, np.roll(REPORTS, 1))
    with pytest.raises(rr.errors.ArgumentError) as error:
        rr.RRRegression().fit(
            NUMBERS,
            None,
            [ITEM, other],
            scores=[None, [0, 1]],
            predictor_names=["z1", "z1[1]"],
        )
    assert error.value.code == "repeated_label"

    with pytest.raises(rr.errors.ArgumentError, match="log deviation"):
        rr.RRRegression().fit(NUMBERS, X, [ITEM], names=["log deviation"])


@pytest.mark.parametrize("device", [COIN, rr.k_rr(3, 2)])
def test_a_model_without_covariates_has_no_effects(device):
    found = rr.models.average_marginal_effects(
        rr.RRLogit(device).fit(None, REPORTS + (device is not COIN))
    )
    assert found.names == ()
    assert found.effects.size == found.intervals.size == 0


def test_one_column_is_given_to_predictions_as_to_fits():
    fit = rr.RRLogit(COIN).fit(X, REPORTS)
    flat, table = (rr.models.predicted_probabilities(fit, rows) for rows in ([0, 1], [[0], [1]]))
    assert flat.intervals.tolist() == table.intervals.tolist()


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog", "cauchit"])
def test_direct_answers_among_randomized_ones_that_are_separated(link):
    """Direct answers divided by x, randomized ones that agree with them: no finite estimate."""
    x = np.linspace(-1, 1, 200)
    truths, asked = (x > 0).astype(int), np.arange(200) % 2
    fit = rr.RRLogit([COIN, rr.designs.direct(2)], link).fit(x, truths, which=asked)
    assert [note.code for note in fit.notes] == ["separation"]
    assert np.isinf(fit.standard_errors).all()
    assert np.isfinite(fit.scores).all()
    found = rr.models.predicted_probabilities(fit, [-0.5, 0.0, 0.5])
    assert found.intervals[1, 1].tolist() == [0, 1]
    assert not np.isnan(found.intervals).any()
    effects = rr.models.average_marginal_effects(fit)
    assert effects.standard_errors.tolist() == [np.inf]


def test_a_line_through_all_direct_answers_has_no_error_and_still_numbers():
    fit = rr.RRLogit(rr.designs.direct(2), "identity").fit(
        np.repeat([0, 1], 3), np.repeat([0, 1], 3)
    )
    assert fit.standard_errors.tolist() == [0, 0]
    assert fit.z_values.tolist() == [0, np.inf]
    assert fit.p_values.tolist() == [1, 0]


def test_errors_of_least_squares_are_numbers_where_a_group_answered_alike():
    reports = np.repeat([1, 0, 1], [5, 9, 9])
    x = np.repeat([0.0, 1.0], [5, 18])
    fit = rr.RRLogit([COIN, rr.designs.direct(2)], "identity").fit(
        x / 3, reports, None, np.ones(23, int)
    )
    assert (fit.standard_errors >= 0).all()
    assert fit.params == pytest.approx([1, -1.5])
    assert fit.standard_errors[0] == pytest.approx(0, abs=1e-7)


def test_sums_without_an_error_are_not_tested():
    fit = rr.RRLogit(rr.designs.direct(2), "identity").fit(
        np.repeat([0, 1], 3), np.repeat([0, 1], 3)
    )
    with pytest.raises(rr.errors.ArgumentError, match="a line through all answers leaves none"):
        rr.models.wald_test(fit, ["x1"])


def test_a_column_that_seldom_repeats_does_not_change_the_order_of_the_sums():
    """Its first thousand numbers differ in some orders of the rows and not in others; seed 3."""
    generator = np.random.default_rng(3)
    rare = generator.integers(0, 200_000, 3000) / 1000
    x = np.column_stack([rare, generator.normal(size=3000)])
    reports = (generator.random(3000) < 0.3 + 0.3 * (x[:, 1] > 0)).astype(int)
    one = rr.RRLogit(COIN).fit(x, reports)
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(3000)
        other = rr.RRLogit(COIN).fit(x[order], reports[order])
        assert one.params.tobytes() == other.params.tobytes()
        assert one.covariance.tobytes() == other.covariance.tobytes()


def test_the_smallest_weights_are_weights():
    one, other = (rr.RRLogit(COIN).fit(X, REPORTS, [weight] * 100) for weight in (1.0, 5e-324))
    assert one.params.tolist() == other.params.tolist()


def test_average_effects_do_not_take_a_small_unit_for_zeros_and_ones():
    x = np.linspace(-1, 1, 100) ** 3
    one, other = (
        rr.models.average_marginal_effects(rr.RRLogit(COIN).fit(x * unit, REPORTS))
        for unit in (1, 1e-12)
    )
    assert other.discrete == (False,)
    assert other.effects * 1e-12 == pytest.approx(one.effects)


@pytest.mark.parametrize("number", [1e101, -1e308, np.nan])
def test_probabilities_are_predicted_for_columns_that_a_fit_would_take(number):
    fit = rr.RRLogit(COIN).fit(X, REPORTS)
    assert np.isfinite(rr.models.predicted_probabilities(fit, [[1e100], [-1e100]]).intervals).all()
    with pytest.raises(rr.errors.ArgumentError, match=r"at most 1e\+100 in size"):
        rr.models.predicted_probabilities(fit, [[0.0], [number]])


def test_errors_name_the_respondent_to_look_at():
    model = rr.RRLogit([COIN, rr.k_rr(2, 1)])
    rows = np.array([[0.0, 1.0], [2.0, 3.0], [np.nan, 5.0]])
    with pytest.raises(
        rr.errors.ArgumentError, match="respondent 2 out, whose number in column 0 is nan"
    ):
        model.fit(rows, [0, 1, 0])
    with pytest.raises(
        rr.errors.CountsError, match="from 0 to 1 for the device of respondent 1, who has 2"
    ):
        model.fit(None, [0, 2, 1])
    with pytest.raises(rr.errors.ArgumentError, match="from 0 to 1, unlike 2 of respondent 1"):
        model.fit(None, [0, 1, 1], which=[0, 2, 1])


@pytest.mark.slow
def test_a_multilevel_model_that_has_no_maximum_tells_no_errors():
    """One node, fifteen people: the information is no curvature of a maximum."""
    groups = np.array([0, 1, 2, 3, 1, 0, 2, 3, 0, 1, 2, 3, 1, 2, 0])
    reports = np.random.default_rng(8).permutation(np.repeat([0, 1], [11, 4]))
    fit = RRMultilevelLogit(rr.warner(0.75), nodes=1).fit(None, reports, groups)
    assert not fit.converged
    assert fit.standard_errors.tolist() == [np.inf]
    assert fit.interval().tolist() == [[-np.inf, np.inf]]


def few_pupils(seed, epsilon, people, schools):
    """Reports of a device that hides nearly all, of so few people that chance divides them."""
    generator = np.random.default_rng(seed)
    x, school = generator.normal(size=(people, 1)), np.arange(people) % schools
    eta = -0.5 + 0.8 * x[:, 0] + 0.7 * generator.normal(size=schools)[school]
    truths = generator.random(people) < 1 / (1 + np.exp(-eta))
    kept = generator.random(people) < np.exp(epsilon) / (1 + np.exp(epsilon))
    return x, np.where(kept, truths, ~truths).astype(int), school


def test_a_multilevel_model_whose_maximum_is_at_infinity_says_so_at_once():
    x, reports, school = few_pupils(0, 1, 60, 6)
    device = rr.k_rr(2, 1)
    fit = RRMultilevelLogit(device).fit(x, reports, school)
    assert [note.code for note in fit.notes] == ["separation", "few_groups"]
    # Steps, and nodes of the coarsest rule: a look at the first rule's way is enough.
    assert (fit.iterations <= 10, fit.nodes, fit.converged) == (True, 15, False)
    assert np.isinf(fit.standard_errors).all()
    assert np.isinf(fit.with_errors("robust").covariance.diagonal()).all()
    assert fit.deviation_interval()[1] == np.inf
    # By a sum of its own the likelihood rises along the way, and is above the model without groups.
    columns = np.column_stack([np.ones(60), x])
    value = marginal_likelihood(columns, device.matrix[reports], school, 4001)
    theta = np.append(fit.params, fit.group_deviation)
    farther = [value(theta * factor) for factor in (0.5, 1, 4)]
    assert farther == sorted(farther)
    assert fit.log_likelihood == pytest.approx(farther[1], abs=1e-3)
    assert fit.variance_statistic > 0


@pytest.mark.slow
def test_a_multilevel_model_is_that_without_groups_where_infinity_is_lower():
    fit = RRMultilevelLogit(rr.k_rr(2, "0.1")).fit(*few_pupils(52, 0.1, 120, 12))
    assert [note.code for note in fit.notes] == ["no_group_variance"]
    assert fit.params.tolist() == fit.without_groups.params.tolist()


def test_models_of_other_columns_or_reports_are_not_nested():
    """Columns are called x1 in both models, and are not the same."""
    model = rr.RRLogit(COIN)
    larger = model.fit(np.column_stack([NUMBERS, NUMBERS % 2]), REPORTS)
    assert rr.models.likelihood_ratio_test(larger, model.fit(NUMBERS, REPORTS)).degrees == 1
    order = np.random.default_rng(2).permutation(100)
    assert (
        rr.models.likelihood_ratio_test(larger, model.fit(NUMBERS[order], REPORTS[order])).degrees
        == 1
    )
    for columns, reports in ((X, REPORTS), (NUMBERS, 1 - REPORTS)):
        with pytest.raises(rr.errors.ArgumentError) as error:
            rr.models.likelihood_ratio_test(larger, model.fit(columns, reports))
        assert error.value.code == "not_nested"


def test_errors_are_about_the_argument_that_is_wrong():
    with pytest.raises(
        rr.errors.ArgumentError, match="arm must have one entry for each of the 100 reports"
    ):
        compare_arms([rr.designs.direct(2), COIN], X, REPORTS, [0, 1])
    alone = rr.RRLogit(COIN).fit(None, REPORTS)
    with pytest.raises(rr.errors.ArgumentError, match="the model has no columns of X"):
        rr.models.predicted_probabilities(alone, [[1.0]])


def test_models_of_other_reports_are_not_compared():
    models = [rr.RRLogit(COIN).fit(X, reports) for reports in (REPORTS, 1 - REPORTS)]
    with pytest.raises(rr.errors.ArgumentError, match="the same reports") as error:
        rr.models.compare_models(models)
    assert error.value.code == "not_nested"


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_effects_that_leave_nothing_to_find_are_not_planned(link):
    with pytest.raises(
        rr.errors.ArgumentError, match="effects must leave answers that vary"
    ) as error:
        rr.planning.plan_regression(COIN, [[0.0], [1.0]], [1e5], 0.5, 500, link=link)
    assert error.value.code == "no_finite_estimate"
    with pytest.raises(rr.errors.NotIdentifiableError, match="all devices together"):
        rr.planning.plan_regression(rr.warner(0.5), [[0.0], [1.0]], [1.0], 0.5, 500, link=link)


def test_a_plan_does_not_depend_on_where_a_column_counts_from():
    years = np.arange(20.0)[:, None]
    one, other = (
        rr.planning.plan_regression(COIN, years + start, [0.1], 0.3, 500).standard_errors
        for start in (0.0, 1e9)
    )
    assert other == pytest.approx(one, rel=1e-6)


def test_ascents_that_pass_where_a_direct_answer_cannot_be_are_quiet():
    """A long step of this survey ends where the chance of some direct answer rounds to zero."""
    rows = binary("logit")(np.random.default_rng([SEED, 1]))
    assert all(np.isfinite(value) for _, _, value, _, _ in rows)
