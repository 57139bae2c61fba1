"""Means of those who answered, devices that agree, and shares that reports can tell at all."""

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.association.answered import reports_truths
from rr_engine.estimation.notes import vanished_errors

BADGE = rr.DesignMatrix([[0.6, 0.1], [0.3, 0.3], [0.1, 0.6]])
SCALE = [1, 2, 3]


def test_with_scores_for_all_it_is_the_mean_score():
    known = rr.estimate(rr.k_rr(3, 2), [30, 40, 80])
    assert rr.association.mean_of_answered(known, SCALE) == rr.association.mean_score(known, SCALE)


def test_of_direct_answers_it_is_their_plain_mean():
    answers = np.repeat([1.0, 2.0, 3.0], [20, 30, 30])
    mean = rr.association.mean_of_answered(
        rr.estimate(rr.designs.direct(4), [20, 30, 30, 20]), SCALE
    )
    assert mean.value == pytest.approx(answers.mean())
    # The delta method of a ratio: variance of the answers over (n - 1) shares of those who gave it.
    spread = answers.var() * 0.8 / (99 * 0.8**2)
    assert mean.standard_error == pytest.approx(spread**0.5)
    assert mean.bounds == (1.0, 3.0)


def test_its_error_is_the_spread_of_many_surveys():
    design, truth, rng = rr.k_rr(4, 2), [0.3, 0.2, 0.2, 0.3], np.random.default_rng(3)
    found = [
        rr.association.mean_of_answered(
            rr.estimate(design, rr.simulate_counts(design, truth, 4000, rng)), SCALE
        )
        for _ in range(400)
    ]
    values = np.array([mean.value for mean in found])
    errors = np.array([mean.standard_error for mean in found])
    assert values.mean() == pytest.approx(1.3 / 0.7, abs=4 * values.std() / 20)
    assert errors.mean() == pytest.approx(values.std(), rel=0.12)


def test_nobody_who_answered_has_no_mean():
    mean = rr.association.mean_of_answered(rr.estimate(rr.designs.direct(3), [0, 0, 9]), [1, 3])
    assert mean.value == 2
    assert mean.standard_error == np.inf
    assert [note.code for note in mean.notes] == ["nobody_answered"]
    assert mean.interval().tolist() == [1, 3]


def test_scores_must_be_those_of_the_first_categories():
    known = rr.estimate(rr.designs.direct(3), [3, 4, 5])
    for scores in ([1], [1, 2, 3, 4], [1, 1], None, "12"):
        with pytest.raises(rr.errors.ArgumentError, match="scores"):
            rr.association.mean_of_answered(known, scores)


def test_alike_answers_leave_room_for_what_was_not_seen():
    known = rr.estimate(rr.designs.direct(4), [0, 0, 12, 5])
    ends = rr.association.mean_where_alike(known, [1, 2, 3])
    least = rr.estimate(rr.designs.direct(3), [0, 0, 12]).interval(method="default")[2, 0]
    assert ends == pytest.approx([3 * least + 1 * (1 - least), 3.0])
    assert np.diff(rr.association.mean_where_alike(known, [1, 2, 3], 0.5)) < np.diff(ends)


def test_alike_reports_of_a_device_say_nothing_of_the_error():
    with pytest.raises(rr.errors.ArgumentError, match="direct"):
        rr.association.mean_where_alike(rr.estimate(rr.k_rr(3, 2), [0, 12, 0]), [1, 2, 3])
    assert reports_truths(rr.estimate(rr.designs.direct(2), [1, 2]))
    assert not reports_truths(rr.estimate(rr.warner(0.9), [1, 2]))
    assert not reports_truths(rr.estimate(BADGE, [1, 2, 3]))


def test_errors_vanish_in_samples_only():
    assert vanished_errors([0.1, 1e-7, np.inf], "sample").tolist() == [False, True, False]
    assert not vanished_errors([0.0], "fixed").any()


def test_square_devices_are_compared_by_their_fit_together():
    designs, counts = [rr.warner(0.75), rr.warner(0.2)], [[600, 400], [420, 580]]
    found, together = (
        rr.compliance.homogeneity_test(designs, counts),
        rr.compliance.goodness_of_fit(designs, counts),
    )
    assert (found.statistic, found.p_value) == (together.statistic, together.p_value)


def test_what_a_device_fits_badly_by_itself_is_no_disagreement():
    # Far from what the badge can make, and at its best the share that Warner's device has too.
    odd, device = [400, 100, 500], rr.warner(0.75)
    share = rr.compliance.goodness_of_fit(BADGE, odd).proportions
    counts = np.rint(1000 * device.matrix @ share).astype(int)
    assert rr.compliance.goodness_of_fit([BADGE, device], [odd, counts]).p_value < 1e-6
    found = rr.compliance.homogeneity_test([BADGE, device], [odd, counts])
    assert found.degrees_of_freedom == 1
    assert found.p_value > 0.9


@pytest.mark.slow
def test_the_comparison_keeps_its_size_and_finds_what_differs():
    designs, rng = [BADGE, rr.warner(0.75)], np.random.default_rng(8)

    def chance(first, second):
        shares = ([1 - first, first], [1 - second, second])
        counts = [rr.simulate_counts(d, s, 800, rng) for d, s in zip(designs, shares, strict=True)]
        return rr.compliance.homogeneity_test(designs, counts).p_value

    same = [chance(0.4, 0.4) for _ in range(400)]
    # 5 % of 400, and four standard deviations of that count.
    assert abs(np.mean(np.array(same) < 0.05) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 400)
    assert chance(0.1, 0.9) < 1e-6


def test_means_within_groups_are_those_of_the_conditional_shares():
    joint = rr.estimate_joint([rr.k_rr(3, 3), rr.warner(0.9)], [[90, 70], [60, 80], [50, 150]])
    shares = joint.conditional(of_axis=0, given_axis=1).values
    means = joint.conditional_means(of_axis=0, given_axis=1, scores=SCALE)
    assert [mean.value for mean in means] == pytest.approx(shares @ SCALE)
    some = joint.conditional_means(of_axis=0, given_axis=1, scores=[1, 2])
    expected = (shares[:, :2] @ [1, 2]) / shares[:, :2].sum(axis=1)
    assert [mean.value for mean in some] == pytest.approx(expected)


def test_the_error_of_a_mean_within_a_group_is_the_spread_of_many_surveys():
    designs, rng = [rr.k_rr(3, 3), rr.warner(0.9)], np.random.default_rng(5)
    table = np.array([[0.2, 0.1], [0.1, 0.2], [0.1, 0.3]])
    reported = designs[0].matrix @ table @ designs[1].matrix.T
    found = [
        rr.estimate_joint(
            designs, rng.multinomial(5000, reported.ravel()).reshape(3, 2)
        ).conditional_means(of_axis=0, given_axis=1, scores=SCALE)[1]
        for _ in range(300)
    ]
    values = np.array([mean.value for mean in found])
    assert values.mean() == pytest.approx(14 / 6, abs=4 * values.std() / 300**0.5)
    errors = np.mean([mean.standard_error for mean in found])
    assert errors == pytest.approx(values.std(), rel=0.15)


def test_an_empty_group_has_no_mean_and_shares_that_cannot_be_told():
    joint = rr.estimate_joint(
        [rr.designs.direct(3), rr.designs.direct(2)], [[5, 0], [7, 0], [8, 0]]
    )
    means = joint.conditional_means(of_axis=0, given_axis=1, scores=SCALE)
    assert means[1].standard_error == np.inf
    assert [note.code for note in means[1].notes] == ["empty_group"]
    estimable = joint.conditional(of_axis=0, given_axis=1).estimable()
    assert estimable.tolist() == [[True] * 3, [False] * 3]


def test_alike_reports_of_a_sample_tell_no_share_within():
    counts = [[0, 9], [8, 0]]
    for population, told in (("sample", False), ("fixed", True)):
        joint = rr.estimate_joint(
            [rr.designs.direct(2), rr.designs.direct(2)], counts, population=population
        )
        shares = joint.conditional(of_axis=0, given_axis=1)
        assert (shares.standard_errors == 0).all()
        assert shares.estimable().any() == told


def test_groups_are_estimated_each_by_itself():
    designs = [rr.warner(0.75), rr.DesignMatrix(BADGE.matrix, ["No", "Yes"])]
    counts = [np.array([[60, 40, 9], [30, 70, 1]]), np.array([[5, 9, 2], [8, 8, 2], [9, 4, 3]])]
    found = rr.estimation.estimate_groups(designs, counts, "mle", "fixed")
    assert len(found) == 3
    for group, each in enumerate(found):
        same = rr.estimate_strata(designs, [table[:, group] for table in counts], "mle", "fixed")
        assert each.to_dict() == same.to_dict()


@pytest.mark.parametrize(
    "counts",
    [
        [[[1, 2], [3, 4]]],
        [[[1, 2], [3, 4]], [[1], [2], [3]]],
        [[1, 2], [1, 2, 3]],
        [[[1], [2]], "x"],
    ],
)
def test_groups_must_be_those_of_every_stratum(counts):
    with pytest.raises(rr.EngineError, match="counts"):
        rr.estimation.estimate_groups([rr.warner(0.75), BADGE], counts)
