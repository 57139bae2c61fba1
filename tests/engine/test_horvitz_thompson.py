"""Totals and their variances over all samples of a small population and all device outcomes."""

from itertools import combinations, product

import numpy as np
import pytest

from rr_engine import (
    EngineError,
    SurveySample,
    direct,
    estimate_mean,
    estimate_total,
    k_rr,
    report_scores,
    value_scores,
    warner,
)
from rr_engine.library import ProbabilitySample

DEVICE, THREE = warner(0.7), k_rr(3, 1.2)
TRUTHS = np.array([0, 1, 1, 0])
# Probabilities of the six samples of two of four people, and of samples of any size.
PAIRS = dict(zip(combinations(range(4), 2), (0.25, 0.1, 0.15, 0.2, 0.05, 0.25), strict=True))
ANY = {(0,): 0.1, (0, 1): 0.2, (1, 2, 3): 0.3, (0, 2, 3): 0.15, (0, 1, 2, 3): 0.25}
# sampling 2.9 in R 4.2.2: UPtillepi2(inclusionprobabilities(c(2,5,3,8,4,6,1,9,7,5), 4)), of which
# the 2nd, 4th, 8th and 9th are drawn; varHT(y, joint, 1 or 2) and varest(y, pik = inclusion).
INCLUSION = np.array([0.4, 0.64, 0.72, 0.56])
JOINT = np.array(
    [
        [0.4, 0.226941838649, 0.263414634146, 0.190919324578],
        [0.226941838649, 0.64, 0.421463414634, 0.318439024390],
        [0.263414634146, 0.421463414634, 0.72, 0.368780487805],
        [0.190919324578, 0.318439024390, 0.368780487805, 0.56],
    ]
)
DRAWN = [9.0, 11.0, 15.0, 8.0]


def chances_of(design: dict) -> tuple[np.ndarray, np.ndarray]:
    joint = np.zeros((4, 4))
    for people, chance in design.items():
        joint[np.ix_(people, people)] += chance
    return np.diag(joint), joint


def outcomes(device, truths):
    """All reports of some people, with the probability of each."""
    for reports in product(range(len(device.reports)), repeat=len(truths)):
        yield list(reports), float(np.prod(device.matrix[list(reports), truths]))


def moments(design: dict, device, sample_of) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean and covariance of the total, and mean of the estimated covariance, by enumeration."""
    mean = squares = covariance = 0.0
    for people, chance in design.items():
        chosen = list(people)
        sample = sample_of(chosen)
        for reports, likelihood in outcomes(device, TRUTHS[chosen]):
            found = estimate_total(report_scores(device, reports), sample)
            weight = chance * likelihood
            mean = mean + weight * found.values
            squares = squares + weight * np.outer(found.values, found.values)
            covariance = covariance + weight * found.covariance
    return mean, squares - np.outer(mean, mean), covariance


@pytest.mark.parametrize(
    ("design", "variance"),
    [(PAIRS, "sen_yates_grundy"), (PAIRS, "horvitz_thompson"), (ANY, "horvitz_thompson")],
)
@pytest.mark.parametrize("device", [DEVICE, THREE, direct(2)], ids=["warner", "k_rr", "direct"])
def test_totals_and_their_variances_are_unbiased(design, variance, device):
    inclusion, joint = chances_of(design)

    def sample_of(chosen):
        return ProbabilitySample(
            inclusion[chosen], joint[np.ix_(chosen, chosen)], variance=variance
        )

    mean, truth, estimated = moments(design, device, sample_of)
    people = np.bincount(TRUTHS, minlength=len(device.categories))
    np.testing.assert_allclose(mean, people, atol=1e-12)
    np.testing.assert_allclose(estimated, truth, atol=1e-11)


@pytest.mark.parametrize("device", [DEVICE, direct(2)], ids=["warner", "direct"])
def test_strata_with_a_finite_population_are_unbiased(device):
    """One stratum of three of whom two are drawn, and one that is drawn whole."""
    design = {(*pair, 3): 1 / 3 for pair in combinations(range(3), 2)}

    def sample_of(chosen):
        weights = [1.5, 1.5, 1]
        return SurveySample(weights, strata=["a", "a", "b"], population={"a": 3, "b": 1})

    mean, truth, estimated = moments(design, device, sample_of)
    np.testing.assert_allclose(mean, [2, 2], atol=1e-12)
    np.testing.assert_allclose(estimated, truth, atol=1e-12)


def test_clusters_of_which_all_are_asked_are_unbiased():
    """Two clusters of three, of two, one and one person; the device adds to each cluster."""
    labels = np.array([0, 0, 1, 2])
    design = {
        tuple(np.flatnonzero(np.isin(labels, pair))): 1 / 3 for pair in combinations(range(3), 2)
    }

    def with_inclusion(chosen):
        joint = [[2 / 3, 1 / 3], [1 / 3, 2 / 3]]
        chances = np.full(len(chosen), 2 / 3)
        return ProbabilitySample(chances, joint, clusters=labels[chosen])

    def with_weights(chosen):
        weights = np.full(len(chosen), 1.5)
        return SurveySample(weights, clusters=labels[chosen], population=3)

    for sample_of in (with_inclusion, with_weights):
        mean, truth, estimated = moments(design, DEVICE, sample_of)
        np.testing.assert_allclose(mean, [2, 2], atol=1e-12)
        np.testing.assert_allclose(estimated, truth, atol=1e-12)


def test_the_randomization_part_is_unbiased_for_the_devices_variance():
    """Given the sample, over all outcomes of the device."""
    sample = ProbabilitySample(INCLUSION, JOINT)
    squares = mean = part = 0.0
    for reports, likelihood in outcomes(DEVICE, TRUTHS):
        found = estimate_total(report_scores(DEVICE, reports), sample)
        mean = mean + likelihood * found.values
        squares = squares + likelihood * np.outer(found.values, found.values)
        part = part + likelihood * found.randomization_covariance
    np.testing.assert_allclose(part, squares - np.outer(mean, mean), atol=1e-11)


@pytest.mark.parametrize(
    ("variance", "joint", "expected"),
    [
        ("horvitz_thompson", JOINT, 139.4799909449),
        ("sen_yates_grundy", JOINT, 21.8628799069),
        ("deville", None, 26.3571200389),
    ],
)
def test_variances_agree_with_the_r_package_sampling(variance, joint, expected):
    sample = ProbabilitySample(INCLUSION, joint, variance=variance)
    found = estimate_total(value_scores(DRAWN), sample)
    assert found.covariance[0, 0] == pytest.approx(expected, rel=1e-9)
    assert (found.randomization_covariance == 0).all()


def test_the_estimator_of_rrtcs_is_this_one():
    """RRTCS 0.0.4, Qualitative and Estimator: r, r (r - 1), sum r / pi, and the variance
    sum r (r - 1) / pi + varest(r, pik = pi), Deville's."""
    reports = np.array([1, 0, 1, 1])
    r = (reports - 0.3) / 0.4
    parts = r / INCLUSION
    rest = 1 - INCLUSION
    share = rest / rest.sum()
    deville = (rest * (parts - share @ parts) ** 2).sum() / (1 - share @ share)
    expected = (r * (r - 1) / INCLUSION).sum() + deville
    found = estimate_total(report_scores(DEVICE, reports), ProbabilitySample(INCLUSION))
    assert found.values[1] == pytest.approx(parts.sum(), rel=1e-13)
    # Deville's coefficients are near 1 - inclusion, and what is left of the device's part follows.
    own = ProbabilitySample(INCLUSION).own_coefficients
    exact = (r * (r - 1) / INCLUSION**2) @ (1 - own) + deville
    assert found.covariance[1, 1] == pytest.approx(exact, rel=1e-12)
    assert found.covariance[1, 1] == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize(
    "variance", ["horvitz_thompson", "sen_yates_grundy", "deville", "hajek", "with_replacement"]
)
def test_the_order_of_respondents_changes_no_digit(variance):
    rng = np.random.default_rng(4)
    chances, values = rng.uniform(0.2, 0.8, 30), rng.normal(size=30)
    joint = np.outer(chances, chances) * 0.9
    joint[np.diag_indices(30)] = chances
    exact = variance in ("horvitz_thompson", "sen_yates_grundy")
    found = []
    for order in (np.arange(30), rng.permutation(30)):
        table = joint[np.ix_(order, order)] if exact else None
        strata = None if exact else (np.arange(30) % 3)[order]
        sample = ProbabilitySample(chances[order], table, strata=strata, variance=variance)
        found.append(estimate_total(value_scores(values[order]), sample))
    assert found[0].values == found[1].values
    assert found[0].covariance == found[1].covariance


def test_approximations_are_exact_for_simple_random_samples():
    values = np.array([3.0, 1.0, 4.0, 6.0])
    chance = 0.4
    truth = SurveySample(np.full(4, 2.5), population=10)
    expected = estimate_total(value_scores(values), truth).covariance
    for variance in ("deville", "hajek"):
        sample = ProbabilitySample(np.full(4, chance), variance=variance)
        found = estimate_total(value_scores(values), sample).covariance
        np.testing.assert_allclose(found, expected, rtol=1e-13)
        np.testing.assert_allclose(sample.own_coefficients, 1 - chance, rtol=1e-13)
    drawn_again = ProbabilitySample(np.full(4, chance), variance="with_replacement")
    found = estimate_total(value_scores(values), drawn_again).covariance
    np.testing.assert_allclose(found, expected / 0.6, rtol=1e-13)


def test_people_who_were_certain_to_be_drawn_add_only_the_devices_chance():
    strata, reports = ["a", "a", "b"], [1, 0, 1]
    sample = ProbabilitySample([0.5, 0.5, 1], strata=strata)
    alone = ProbabilitySample([0.5, 0.5])
    part = estimate_total(report_scores(DEVICE, reports[:2]), alone).covariance
    whole = estimate_total(report_scores(DEVICE, reports), sample).covariance
    noise = (1.75) * (1.75 - 1)
    assert whole[1, 1] - part[1, 1] == pytest.approx(noise, rel=1e-12)


def test_a_known_population_makes_a_total_a_ratio():
    sample = ProbabilitySample(INCLUSION, JOINT)
    scores = report_scores(DEVICE, [1, 0, 1, 1])
    mean, total = estimate_mean(scores, sample), estimate_total(scores, sample, population=50)
    np.testing.assert_allclose(total.values, 50 * mean.values)
    np.testing.assert_allclose(total.standard_errors, 50 * mean.standard_errors)
    assert total.values.sum() == pytest.approx(50)


def test_a_negative_variance_is_no_number_but_a_note():
    """Horvitz and Thompson's estimator for equal values of a sample of fixed size."""
    inclusion, joint = chances_of(PAIRS)
    sample = ProbabilitySample(
        inclusion[[0, 2]], joint[np.ix_([0, 2], [0, 2])], variance="horvitz_thompson"
    )
    found = estimate_total(value_scores(inclusion[[0, 2]]), sample)
    assert found.covariance[0, 0] < 0
    assert found.standard_errors.tolist() == [np.inf]
    assert found.note("negative_variance")


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: ProbabilitySample([0.5, 0]), "not_inclusion"),
        (lambda: ProbabilitySample([0.5, 1.5]), "not_inclusion"),
        (
            lambda: ProbabilitySample([0.5], variance="hajek", strata=[1, 2]),
            "not_respondent_labels",
        ),
        (lambda: ProbabilitySample([0.5, 0.4], [[0.5, 0.45], [0.45, 0.4]]), "joint_does_not_fit"),
        (lambda: ProbabilitySample([0.5, 0.4], [[0.5, 0], [0, 0.4]]), "joint_does_not_fit"),
        (
            lambda: ProbabilitySample(np.full(3, 0.5), np.full((3, 3), 0.25) + np.eye(3) / 4),
            "draws_independent",
        ),
        (lambda: ProbabilitySample([0.5, 0.4], variance="sen_yates_grundy"), "joint_missing"),
        (lambda: ProbabilitySample([0.5, 0.4], clusters=[1, 1]), "inclusion_differs"),
        (
            lambda: estimate_total(value_scores([1.0]), ProbabilitySample([0.5])),
            "single_cluster",
        ),
        (lambda: estimate_mean(value_scores([1.0]), SurveySample(n=2)), "reports_do_not_fit"),
        (lambda: estimate_mean([1.0, 2.0], SurveySample(n=2)), "not_report_scores"),
        (lambda: estimate_mean(value_scores([1.0]), 2), "not_a_sample"),
        (
            lambda: estimate_total(report_scores(DEVICE, [1, -1]), SurveySample(n=2)),
            "reports_missing",
        ),
        (
            lambda: estimate_mean(report_scores(DEVICE, [1, -1]), SurveySample([0, 1])),
            "weights_all_zero",
        ),
        (lambda: report_scores(DEVICE, [2]), "unknown_report"),
        (lambda: report_scores(DEVICE, [-1]), "too_few_reports"),
        (lambda: report_scores([DEVICE], [1], [1]), "not_report_numbers"),
        (lambda: report_scores([DEVICE, THREE], [1]), "categories_differ"),
        (lambda: value_scores([1.0], [1.0, 2.0]), "not_numbers"),
    ],
)
def test_bad_input_is_named(make, code):
    with pytest.raises(EngineError) as caught:
        make()
    assert caught.value.code == code
