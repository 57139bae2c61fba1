"""Totals and their variances over all samples of a small population and all device outcomes."""

from itertools import combinations, product

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import check_moments, refusals

DEVICE, THREE = rr.warner(0.7), rr.k_rr(3, 1.2)
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


def check_totals(design: dict, device, sample_of, people) -> None:
    """Check totals and the covariances they state over all samples and outcomes of the device."""
    cases = []
    for drawn, chance in design.items():
        chosen = list(drawn)
        sample = sample_of(chosen)
        for reports, likelihood in outcomes(device, TRUTHS[chosen]):
            found = rr.sampling.estimate_total(rr.sampling.report_scores(device, reports), sample)
            cases.append((found, chance * likelihood))
    check_moments(cases, people, value=lambda found: found.values)


@pytest.mark.parametrize(
    ("design", "variance"),
    [(PAIRS, "sen_yates_grundy"), (PAIRS, "horvitz_thompson"), (ANY, "horvitz_thompson")],
)
@pytest.mark.parametrize(
    "device", [DEVICE, THREE, rr.designs.direct(2)], ids=["warner", "k_rr", "direct"]
)
def test_totals_and_their_variances_are_unbiased(design, variance, device):
    inclusion, joint = chances_of(design)

    def sample_of(chosen):
        pairs = joint[np.ix_(chosen, chosen)]
        return rr.sampling.ProbabilitySample(inclusion[chosen], pairs, variance=variance)

    people = np.bincount(TRUTHS, minlength=len(device.categories))
    check_totals(design, device, sample_of, people)


@pytest.mark.parametrize("device", [DEVICE, rr.designs.direct(2)], ids=["warner", "direct"])
def test_strata_with_a_finite_population_are_unbiased(device):
    """One stratum of three of whom two are drawn, and one that is drawn whole."""
    strata = {"strata": ["a", "a", "b"], "population": {"a": 3, "b": 1}}
    design = {(*pair, 3): 1 / 3 for pair in combinations(range(3), 2)}
    check_totals(design, device, lambda _: rr.SurveySample([1.5, 1.5, 1], **strata), [2, 2])


def test_clusters_of_which_all_are_asked_are_unbiased():
    """Two clusters of three, of two, one and one person; the device adds to each cluster."""
    labels, joint = np.array([0, 0, 1, 2]), [[2 / 3, 1 / 3], [1 / 3, 2 / 3]]
    design = {
        tuple(np.flatnonzero(np.isin(labels, pair))): 1 / 3 for pair in combinations(range(3), 2)
    }

    def with_inclusion(chosen):
        return rr.sampling.ProbabilitySample(
            np.full(len(chosen), 2 / 3), joint, clusters=labels[chosen]
        )

    def with_weights(chosen):
        return rr.SurveySample(np.full(len(chosen), 1.5), clusters=labels[chosen], population=3)

    for sample_of in (with_inclusion, with_weights):
        check_totals(design, DEVICE, sample_of, [2, 2])


def test_the_randomization_part_is_unbiased_for_the_devices_variance():
    """Given the sample, over all outcomes of the device."""
    sample = rr.sampling.ProbabilitySample(INCLUSION, JOINT)
    cases = [
        (rr.sampling.estimate_total(rr.sampling.report_scores(DEVICE, reports), sample), likelihood)
        for reports, likelihood in outcomes(DEVICE, TRUTHS)
    ]
    people = [(1 / INCLUSION)[truth == TRUTHS].sum() for truth in (0, 1)]
    check_moments(
        cases,
        people,
        lambda found: found.randomization_covariance,
        value=lambda found: found.values,
    )


@pytest.mark.parametrize(
    ("variance", "joint", "expected"),
    [
        ("horvitz_thompson", JOINT, 139.4799909449),
        ("sen_yates_grundy", JOINT, 21.8628799069),
        ("deville", None, 26.3571200389),
    ],
)
def test_variances_agree_with_the_r_package_sampling(variance, joint, expected):
    sample = rr.sampling.ProbabilitySample(INCLUSION, joint, variance=variance)
    found = rr.sampling.estimate_total(rr.sampling.value_scores(DRAWN), sample)
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
    found = rr.sampling.estimate_total(
        rr.sampling.report_scores(DEVICE, reports), rr.sampling.ProbabilitySample(INCLUSION)
    )
    assert found.values[1] == pytest.approx(parts.sum(), rel=1e-13)
    # Deville's coefficients are near 1 - inclusion, and what is left of the device's part follows.
    own = rr.sampling.ProbabilitySample(INCLUSION).own_coefficients
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
        sample = rr.sampling.ProbabilitySample(
            chances[order], table, strata=strata, variance=variance
        )
        found.append(rr.sampling.estimate_total(rr.sampling.value_scores(values[order]), sample))
    assert found[0].values == found[1].values
    assert found[0].covariance == found[1].covariance


def test_approximations_are_exact_for_simple_random_samples():
    values = np.array([3.0, 1.0, 4.0, 6.0])
    chance = 0.4
    truth = rr.SurveySample(np.full(4, 2.5), population=10)
    expected = rr.sampling.estimate_total(rr.sampling.value_scores(values), truth).covariance
    for variance in ("deville", "hajek"):
        sample = rr.sampling.ProbabilitySample(np.full(4, chance), variance=variance)
        found = rr.sampling.estimate_total(rr.sampling.value_scores(values), sample).covariance
        np.testing.assert_allclose(found, expected, rtol=1e-13)
        np.testing.assert_allclose(sample.own_coefficients, 1 - chance, rtol=1e-13)
    drawn_again = rr.sampling.ProbabilitySample(np.full(4, chance), variance="with_replacement")
    found = rr.sampling.estimate_total(rr.sampling.value_scores(values), drawn_again).covariance
    np.testing.assert_allclose(found, expected / 0.6, rtol=1e-13)


def test_people_who_were_certain_to_be_drawn_add_only_the_devices_chance():
    strata, reports = ["a", "a", "b"], [1, 0, 1]
    sample = rr.sampling.ProbabilitySample([0.5, 0.5, 1], strata=strata)
    alone = rr.sampling.ProbabilitySample([0.5, 0.5])
    part = rr.sampling.estimate_total(
        rr.sampling.report_scores(DEVICE, reports[:2]), alone
    ).covariance
    whole = rr.sampling.estimate_total(
        rr.sampling.report_scores(DEVICE, reports), sample
    ).covariance
    noise = (1.75) * (1.75 - 1)
    assert whole[1, 1] - part[1, 1] == pytest.approx(noise, rel=1e-12)


def test_a_known_population_makes_a_total_a_ratio():
    sample = rr.sampling.ProbabilitySample(INCLUSION, JOINT)
    scores = rr.sampling.report_scores(DEVICE, [1, 0, 1, 1])
    mean, total = (
        rr.sampling.estimate_mean(scores, sample),
        rr.sampling.estimate_total(scores, sample, population=50),
    )
    np.testing.assert_allclose(total.values, 50 * mean.values)
    np.testing.assert_allclose(total.standard_errors, 50 * mean.standard_errors)
    assert total.values.sum() == pytest.approx(50)


def test_a_negative_variance_is_no_number_but_a_note():
    """Horvitz and Thompson's estimator for equal values of a sample of fixed size."""
    inclusion, joint = chances_of(PAIRS)
    sample = rr.sampling.ProbabilitySample(
        inclusion[[0, 2]], joint[np.ix_([0, 2], [0, 2])], variance="horvitz_thompson"
    )
    found = rr.sampling.estimate_total(rr.sampling.value_scores(inclusion[[0, 2]]), sample)
    assert found.covariance[0, 0] < 0
    assert found.standard_errors.tolist() == [np.inf]
    assert found.note("negative_variance")


test_bad_input_is_named = refusals(
    "code",
    ("not_inclusion", lambda: rr.sampling.ProbabilitySample([0.5, 0])),
    ("not_inclusion", lambda: rr.sampling.ProbabilitySample([0.5, 1.5])),
    (
        "not_respondent_labels",
        lambda: rr.sampling.ProbabilitySample([0.5], variance="hajek", strata=[1, 2]),
    ),
    (
        "joint_does_not_fit",
        lambda: rr.sampling.ProbabilitySample([0.5, 0.4], [[0.5, 0.45], [0.45, 0.4]]),
    ),
    ("joint_does_not_fit", lambda: rr.sampling.ProbabilitySample([0.5, 0.4], [[0.5, 0], [0, 0.4]])),
    (
        "draws_independent",
        lambda: rr.sampling.ProbabilitySample(
            np.full(3, 0.5), np.full((3, 3), 0.25) + np.eye(3) / 4
        ),
    ),
    (
        "joint_missing",
        lambda: rr.sampling.ProbabilitySample([0.5, 0.4], variance="sen_yates_grundy"),
    ),
    ("inclusion_differs", lambda: rr.sampling.ProbabilitySample([0.5, 0.4], clusters=[1, 1])),
    (
        "single_cluster",
        lambda: rr.sampling.estimate_total(
            rr.sampling.value_scores([1.0]), rr.sampling.ProbabilitySample([0.5])
        ),
    ),
    (
        "reports_do_not_fit",
        lambda: rr.sampling.estimate_mean(rr.sampling.value_scores([1.0]), rr.SurveySample(n=2)),
    ),
    ("not_report_scores", lambda: rr.sampling.estimate_mean([1.0, 2.0], rr.SurveySample(n=2))),
    ("not_a_sample", lambda: rr.sampling.estimate_mean(rr.sampling.value_scores([1.0]), 2)),
    (
        "reports_missing",
        lambda: rr.sampling.estimate_total(
            rr.sampling.report_scores(DEVICE, [1, -1]), rr.SurveySample(n=2)
        ),
    ),
    (
        "weights_all_zero",
        lambda: rr.sampling.estimate_mean(
            rr.sampling.report_scores(DEVICE, [1, -1]), rr.SurveySample([0, 1])
        ),
    ),
    ("unknown_report", lambda: rr.sampling.report_scores(DEVICE, [2])),
    ("too_few_reports", lambda: rr.sampling.report_scores(DEVICE, [-1])),
    ("not_report_numbers", lambda: rr.sampling.report_scores([DEVICE], [1], [1])),
    ("categories_differ", lambda: rr.sampling.report_scores([DEVICE, THREE], [1])),
    ("not_numbers", lambda: rr.sampling.value_scores([1.0], [1.0, 2.0])),
)
