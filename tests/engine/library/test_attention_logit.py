"""Regressions with an anchor for attention, beside those of the package cWise."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import chi2

from rr_engine import RRLogit, crosswise, k_rr, warner
from rr_engine.compliance import anchor_check, bias_corrected_crosswise
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError, CountsError, NotIdentifiableError
from rr_engine.models import AttentionLogit
from tests.engine.cwise_people import draw_people
from tests.engine.r_generator import R

pytestmark = pytest.mark.slow

MODEL = AttentionLogit(crosswise(0.1), crosswise(0.15))


@pytest.fixture(scope="module")
def cmdata2():
    """Columns female and age, Y and A, drawn as in R/cmdata2DGP.R of cWise (seed 1234)."""
    people = draw_people(R(1234))
    return np.column_stack([people.female, people.age]), people.same, people.anchor


def test_the_data_are_those_that_cwise_prints(cmdata2):
    columns, same, anchor = cmdata2
    head = np.column_stack([same, anchor, columns])[:6].astype(int).tolist()
    assert head == [
        [1, 1, 0, 23],
        [1, 1, 1, 31],
        [0, 1, 1, 32],
        [1, 0, 1, 19],
        [0, 1, 1, 19],
        [0, 1, 1, 25],
    ]


def cmreg_likelihood(theta, data):
    """The log-likelihood of `cmreg` in R/cmreg.R of cWise: both reports as if of two people."""
    columns, same, anchor = data
    columns = np.column_stack([np.ones(len(columns)), columns])
    trait, attentive = expit(columns @ theta[:3]), expit(columns @ theta[3:])
    first = ((2 * 0.1 - 1) * trait + 0.5 - 0.1) * attentive + 0.5
    second = (0.5 - 0.15) * attentive + 0.5
    chances = np.where(same == 1, first, 1 - first) * np.where(anchor == 1, second, 1 - second)
    return float(np.log(chances).sum())


def test_the_published_regression_is_reproduced_and_is_not_quite_at_its_maximum(cmdata2):
    # cmreg(Y ~ female + age + A, p = 0.1, p2 = 0.15, data = cmdata2) in cWise's README at commit
    # a68ee4f, and in its file test-cmreg-correctness.R at commit 5b705ce.
    columns, same, anchor = cmdata2
    none = np.full(2000, -1)
    fit = MODEL.fit(
        np.vstack([columns, columns]),
        np.concatenate([same, none]),
        np.concatenate([none, anchor]),
        share_X=np.vstack([columns, columns]),
    )
    found = np.concatenate([fit.params, -fit.share_params])
    assert fit.log_likelihood == pytest.approx(cmreg_likelihood(found, cmdata2), abs=1e-7)
    printed = [-1.65085102, 0.28162406, 0.03264242, 0.13868287, -0.20436648, 0.05945707]
    errors = [0.42681118, 0.14267305, 0.01332295, 1.13470799, 0.41193379, 0.03935859]
    later = [-1.6501039, 0.2812883, 0.0326249, 0.1405443, -0.2058741, 0.0594322]
    own = np.concatenate([fit.standard_errors, fit.share_standard_errors])
    assert own == pytest.approx(errors, rel=2e-3)
    for theirs in (printed, later):
        assert (np.abs(found - theirs) < 0.01 * own).all()
        # Their ascent ends early: a little lower than here.
        assert 0 < fit.log_likelihood - cmreg_likelihood(np.array(theirs), cmdata2) < 1e-4


def written_down(theta, data):
    """Both reports of one person, whose attention they share."""
    columns, same, anchor = data
    columns = np.column_stack([np.ones(len(columns)), columns])
    trait, away = expit(columns @ theta[:3]), expit(columns @ theta[3:])
    first = np.where(same == 1, trait * 0.1 + (1 - trait) * 0.9, trait * 0.9 + (1 - trait) * 0.1)
    second = np.where(anchor == 1, 0.85, 0.15)
    return float(np.log((1 - away) * first * second + away / 4).sum())


def test_the_fit_is_the_highest_maximum_of_the_likelihood_written_down(cmdata2):
    columns = (cmdata2[0] - [0, 30]) / [1, 10]
    data = (columns, *cmdata2[1:])
    fit = MODEL.fit(columns, *cmdata2[1:], share_X=columns)
    generator = np.random.default_rng(4)
    others = [
        minimize(lambda at: -written_down(at, data), generator.normal(size=6), method="BFGS")
        for _ in range(5)
    ]
    best = min(others, key=lambda one: one.fun)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    assert [*fit.params, *fit.share_params] == pytest.approx(best.x, abs=2e-3)
    # The truth of the simulation.
    raw = MODEL.fit(*cmdata2, share_X=cmdata2[0])
    away = (raw.params - [-1.5, 0.5, 0.02]) / raw.standard_errors
    assert np.abs(away).max() < 3
    # The reports of a person go together: more is known than from both by themselves.
    assert (raw.standard_errors < [0.42665, 0.14268, 0.01332]).all()


def highest(objective):
    starts = ([-0.5, 0.1, 0.2], [0.0, 0.0, 0.0])
    return max(-minimize(lambda at: -objective(at)[0], start).fun for start in starts)


def test_likelihood_ratio_of_inattention_and_of_a_covariate(cmdata2):
    fit = MODEL.fit(*cmdata2, names=["female", "age"])
    none = RRLogit(crosswise(0.1)).fit(*cmdata2[:2]).log_likelihood
    anchored = np.log(np.where(cmdata2[2] == 1, 0.85, 0.15)).sum()
    found = fit.absence_test()
    assert found.statistic == pytest.approx(2 * (fit.log_likelihood - none - anchored))
    assert found.p_value == pytest.approx(chi2.sf(found.statistic, 1) / 2)
    less = MODEL.fit(cmdata2[0][:, 1], *cmdata2[1:])
    found = fit.likelihood_ratio(["female"])
    assert found.statistic == pytest.approx(2 * (fit.log_likelihood - less.log_likelihood))
    # With the share at an end the log-likelihood is lower by half the quantile.
    for end in fit.share_interval():
        top = highest(fit.data.likelihood()[0].with_share(end))
        assert fit.log_likelihood - top == pytest.approx(chi2.ppf(0.95, 1) / 2, abs=1e-4)


def test_expected_reports_give_the_truth():
    for theta, anchor, known in product((0.15, 0.8), (0.1, 0.7), (0.0, 0.2)):
        same = theta * 0.2 + (1 - theta) * 0.8
        right = anchor * known + (1 - anchor) * (1 - known)
        own = np.outer([1 - same, same], [1 - right, right])
        counts = np.rint(20_000 * (0.7 * own + 0.3 / 4)).astype(int).ravel()
        reports = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], counts, axis=0)
        fit = AttentionLogit(crosswise(theta), crosswise(anchor), known).fit(None, *reports.T)
        assert expit(fit.params[0]) == pytest.approx(0.2, abs=2e-3)
        assert fit.share == pytest.approx(0.3, abs=1e-3)
        moments = bias_corrected_crosswise(theta, anchor, counts.reshape(2, 2), known)
        assert expit(fit.params[0]) == pytest.approx(moments.prevalence, abs=2e-3)


def test_with_all_attentive_it_is_the_model_without_an_anchor(cmdata2):
    # Nobody misses an anchor that is asked directly.
    model = AttentionLogit(crosswise(0.1), direct(2))
    columns, same, _ = cmdata2
    fit = model.fit(columns, same, np.zeros(2000, int))
    plain = RRLogit(crosswise(0.1)).fit(columns, same)
    assert (fit.share, fit.border) == (0, True)
    assert fit.params == pytest.approx(plain.params)
    # Half of the inattentive would be caught: the share is known very well.
    assert fit.share_interval()[1] < 0.01
    assert fit.standard_errors == pytest.approx(plain.standard_errors, rel=0.05)


def test_with_no_report_on_the_question_only_attention_is_known():
    counts = [300, 700]
    anchor = np.repeat([0, 1], counts)
    question = np.full(1000, -1)
    question[::10] = np.tile([0, 1], 50)
    fit = AttentionLogit(crosswise(0.2), crosswise(0.2)).fit(None, question, anchor)
    found = anchor_check(crosswise(0.2), counts, known=0)
    assert fit.n == 1000
    assert fit.share == pytest.approx(found.share, abs=0.02)


def test_another_device_and_another_way_of_not_following():
    # Three reports, groups of different devices, and a tendency to the first report.
    generator = np.random.default_rng(17)
    devices, other = [warner(0.8), warner(0.3)], [0.9, 0.1]
    x, which = generator.normal(size=8_000), generator.integers(0, 2, 8_000)
    trait = (generator.random(8_000) < expit(-1 + 0.5 * x)).astype(int)
    away = generator.random(8_000) < 0.3
    yes = np.array([device.matrix[1] for device in devices])[which, trait]
    reports = (generator.random(8_000) < np.where(away, 0.1, yes)).astype(int)
    anchor = (generator.random(8_000) < np.where(away, 0.5, 0.75)).astype(int)
    model = AttentionLogit(devices, warner(0.75), known=1, otherwise=other)
    fit = model.fit(x, reports, anchor, which=which)
    assert np.abs((fit.params - [-1, 0.5]) / fit.standard_errors).max() < 3
    assert abs(fit.share - 0.3) < 3 * fit.share_standard_error
    assert fit.with_errors("robust").standard_errors == pytest.approx(fit.standard_errors, rel=0.05)


def test_refuses_what_says_nothing(cmdata2):
    columns, same, anchor = cmdata2
    flat = AttentionLogit(crosswise(0.1), crosswise(0.15), known=0.5)
    with pytest.raises(NotIdentifiableError, match="tell followers from the others"):
        flat.fit(columns, same, anchor)
    with pytest.raises(CountsError, match="anchor_reports must have one entry"):
        MODEL.fit(columns, same, anchor[:5])
    with pytest.raises(CountsError, match=r"^anchor_reports must hold numbers of reports"):
        MODEL.fit(columns, same, anchor + 1)
    with pytest.raises(CountsError, match="all respondents sent the same"):
        MODEL.fit(columns, same * 0, anchor)
    with pytest.raises(ArgumentError, match=r"^anchor must be about a yes/no question"):
        AttentionLogit(crosswise(0.1), k_rr(3, 1))
    with pytest.raises(ArgumentError, match=r"^known must be"):
        AttentionLogit(crosswise(0.1), crosswise(0.15), known=1.5)
