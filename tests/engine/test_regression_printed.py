"""Regressions of direct answers against figures that statsmodels 0.15.0 prints.

A direct answer is a report of `direct`, so that each kind of error has to be the textbook's.
"""

import numpy as np
import pytest

import rr_engine as rr

PEOPLE = np.arange(120)
X = np.column_stack([(PEOPLE * 37 % 101) / 50 - 1, PEOPLE * 7 % 3 == 0]).astype(float)
UNEVEN = (PEOPLE * 53 % 97) / 97
YES = (1 / (1 + np.exp(0.5 - X[:, 0] + 0.6 * X[:, 1])) > UNEVEN).astype(int)
CATEGORIES = (0.4 + 0.15 * X[:, 0] < UNEVEN).astype(int) + (
    0.6 + 0.2 * X[:, 1] < (PEOPLE * 29 % 89) / 89
).astype(int)

# GLM of a binomial: coefficients, errors of the observed and of the expected information, HC0.
PRINTED = {
    "logit": (
        [-0.5254050865, 1.0511898992, -0.2918898125],
        [0.2415186054, 0.3551330464, 0.4265041393],
        [0.2415186054, 0.3551330464, 0.4265041393],
        [0.2361326792, 0.3818915103, 0.4366292078],
    ),
    "probit": (
        [-0.3215507062, 0.6220591411, -0.1626035102],
        [0.1471018316, 0.2077784366, 0.255633072],
        [0.1463647585, 0.2109232586, 0.2568628311],
        [0.1443976412, 0.2204303558, 0.2612585326],
    ),
    "cloglog": (
        [-0.7802789314, 0.8823377907, -0.2692779066],
        [0.1913941973, 0.2853644089, 0.3377684513],
        [0.1914634328, 0.2806165402, 0.3382448301],
        [0.1881083969, 0.3086994922, 0.3435542389],
    ),
    "cauchit": (
        [-0.5101526664, 1.1667548177, -0.4021324183],
        [0.2447367154, 0.4366123893, 0.4363966915],
        [0.2507116768, 0.4164524131, 0.4302754023],
        [0.2361415121, 0.4768711845, 0.4510688704],
    ),
}


@pytest.mark.parametrize("link", PRINTED)
def test_each_kind_of_error_is_the_one_it_is_called(link):
    params, observed, expected, robust = PRINTED[link]
    fit = rr.RRLogit(rr.designs.direct(2), link).fit(X, YES)
    assert fit.params == pytest.approx(params, rel=1e-7)
    assert fit.standard_error_kind == "observed"
    assert fit.standard_errors == pytest.approx(observed, rel=1e-7)
    assert fit.with_errors("expected").standard_errors == pytest.approx(expected, rel=1e-7)
    # Here with the factor n/(n - 1).
    without_factor = fit.with_errors("robust").standard_errors * np.sqrt(119 / 120)
    assert without_factor == pytest.approx(robust, rel=1e-7)


def test_what_is_computed_from_a_logit():
    fit = rr.RRLogit(rr.designs.direct(2)).fit(X, YES)
    (summary,) = rr.models.compare_models([fit])
    assert summary.log_likelihood == pytest.approx(-73.39341606296097)
    assert fit.null_log_likelihood == pytest.approx(-78.29438668163934)
    assert (summary.aic, summary.bic) == pytest.approx((152.78683212592193, 161.14930735426807))
    assert rr.models.wald_test(fit, ["x1", "x2"]).statistic == pytest.approx(8.990271989168756)
    effects = rr.models.average_marginal_effects(fit)
    assert effects.discrete == (False, True)
    assert effects.effects == pytest.approx([0.2223780353, -0.0610529713], rel=1e-8)
    assert effects.standard_errors == pytest.approx([0.064596688, 0.0877068693], rel=1e-8)
    found = rr.models.predicted_probabilities(fit, X[:2])
    assert found.probabilities[:, 1] == pytest.approx([0.133717, 0.310301], abs=5e-7)
    assert found.standard_errors[:, 1] == pytest.approx([0.062062, 0.056840], abs=5e-7)
    ends = [[0.051243, 0.306105], [0.210941, 0.430903]]
    assert found.intervals[:, 1] == pytest.approx(np.array(ends), abs=5e-7)


def test_a_multinomial_logit():
    fit = rr.RRLogit(rr.designs.direct(3)).fit(X, CATEGORIES)
    params = [
        [0.945734951, 0.2264895181, -0.5450995211],
        [-0.1210356279, -0.0414974687, -0.9095708304],
    ]
    errors = [
        [0.2790885616, 0.3726405341, 0.4444490896],
        [0.3457904889, 0.4883051316, 0.6246460662],
    ]
    assert fit.params == pytest.approx(np.array(params), rel=1e-8)
    assert fit.standard_errors == pytest.approx(np.array(errors), rel=1e-8)
    assert fit.log_likelihood == pytest.approx(-116.38437375916185)
    effects = rr.models.average_marginal_effects(fit)
    slopes = [-0.0314011517, 0.0595180245, -0.0281168728]
    assert effects.effects[:, 0] == pytest.approx(slopes, rel=1e-8)
    spread = [0.0684320623, 0.0769501995, 0.0591674528]
    assert effects.standard_errors[:, 0] == pytest.approx(spread, rel=1e-8)


def test_clusters_weights_and_a_straight_line():
    model = rr.RRLogit(rr.designs.direct(2))
    clustered = model.fit(X, YES, sample=rr.SurveySample(n=120, clusters=PEOPLE % 12))
    # There with the further factor (n - 1)/(n - p).
    printed = np.array([0.1335209444, 0.2526463621, 0.24169348])
    assert clustered.standard_errors * np.sqrt(119 / 117) == pytest.approx(printed, rel=1e-7)
    weighted = model.fit(X, YES, 1 + PEOPLE % 4)
    printed = [-0.4801241839, 1.0762979924, -0.476307643]
    assert weighted.params == pytest.approx(printed, rel=1e-7)
    line = rr.RRLogit(rr.designs.direct(2), "identity").fit(X, YES)
    assert line.params == pytest.approx([0.3818511785, 0.2283726183, -0.0617611898], rel=1e-8)
    errors = [0.0517479818, 0.0756931387, 0.0915764143]
    assert line.standard_errors == pytest.approx(errors, rel=1e-8)
