"""Decoding of RAPPOR's reports by a list of candidates."""

from dataclasses import replace

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.estimation.discoveries import find_significant
from tests.engine.engine_cases import refusal
from tests.engine.string_surveys import Case, run
from tests.thorough import examples

DEVICE = rr.rappor.Rappor.for_epsilon("4", bits=32, cohorts=4)
WORDS = [f"word {number}" for number in range(12)]
SHARES = [0.4, 0.3, 0.2, 0.1]


def expected_tallies(device, strings, shares, n):
    """Tallies at their expectation, to whole reports."""
    tallies = np.zeros((device.cohorts, device.bits, 2), dtype=np.int64)
    p, q = device.channel.pair
    for cohort in range(device.cohorts):
        filters = [device.filter_bits(string, cohort) for string in strings]
        ones = np.rint(n * (q + (p - q) * np.array(shares) @ np.array(filters))).astype(int)
        tallies[cohort] = np.stack([n - ones, ones], axis=-1)
    return tallies


def codes(result):
    return [note.code for note in result.notes]


@pytest.mark.parametrize("hashes", [1, 3])
def test_expected_counts_give_the_shares_back(hashes):
    device = rr.rappor.Rappor.for_epsilon("6", bits=32, hashes=hashes, cohorts=4)
    result = rr.rappor.decode_strings(
        device, expected_tallies(device, WORDS[:4], SHARES, 10**7), WORDS
    )
    truth = [*SHARES, *[0] * 8]
    assert result.unbiased == pytest.approx(truth, abs=1e-5)
    assert result.shares == pytest.approx(truth, abs=1e-5)
    assert result.n == 4 * 10**7
    assert result.counts == pytest.approx(result.n * result.shares)
    assert result.found.tolist() == [share > 0 for share in truth]
    assert result.explained == pytest.approx(1, abs=1e-5)
    assert result.notes == ()


def test_strings_off_the_list_are_the_unexplained_share():
    # Ten rare strings set bits about evenly; what remains of them is measured as dispersion.
    others = [f"other {number}" for number in range(300)]
    shares = [0.3, 0.2, *[0.5 / 300] * 300]
    tallies = rr.rappor.simulate_string_tallies(DEVICE, WORDS[:2] + others, shares, 20_000, 1)
    result = rr.rappor.decode_strings(DEVICE, tallies, WORDS)
    distance = result.unexplained - 0.5
    assert abs(distance) < 4 * result.explained_standard_error
    assert result.found[:2].all()


def test_the_estimate_is_the_generalized_inverse_of_the_dense_model():
    device = rr.rappor.Rappor.for_epsilon("2", bits=16, hashes=2, cohorts=3)
    tallies = rr.rappor.simulate_string_tallies(device, WORDS[:4], SHARES, 900, 5)
    sizes = tallies[:, 0].sum(axis=-1)
    observed = (tallies[..., 1] / sizes[:, None] - device.raised / device.denominator) / device.gap
    filters = np.array(
        [[device.filter_bits(word, cohort) for word in WORDS] for cohort in range(3)]
    )
    root = np.sqrt(sizes)[:, None]
    centred = (np.swapaxes(filters, 1, 2) - 2 / 16) * root[..., None]
    design, target = centred.reshape(-1, 12), ((observed - 2 / 16) * root).ravel()
    expected = np.linalg.lstsq(design, target)[0]
    result = rr.rappor.decode_strings(device, tallies, WORDS)
    assert result.unbiased == pytest.approx(expected, abs=1e-10)
    bounded = result.shares
    assert bounded.min() >= 0
    assert bounded.sum() <= 1 + 1e-9
    # No small step inside the bounds lowers the sum of squares.
    gradient = design.T @ (design @ bounded - target)
    assert (gradient[bounded == 0] > -1e-4).all() or bounded.sum() > 1 - 1e-6


@pytest.mark.slow
def test_standard_errors_are_those_of_repeated_surveys():
    device = rr.rappor.Rappor.for_epsilon("4", bits=32, hashes=2, cohorts=4)
    rng, surveys = np.random.default_rng(20260514), 200
    results = [
        rr.rappor.decode_strings(
            device, rr.rappor.simulate_string_tallies(device, WORDS[:4], SHARES, 2000, rng), WORDS
        )
        for _ in range(surveys)
    ]
    unbiased = np.array([result.unbiased for result in results])
    spread = unbiased.std(axis=0, ddof=1)
    claimed = np.sqrt(np.mean([result.standard_errors**2 for result in results], axis=0))
    # A standard deviation of 200 normal numbers has a relative error of 1/20.
    assert (np.abs(spread / claimed - 1) < 4 / np.sqrt(2 * surveys)).all()
    sums = unbiased.sum(axis=1)
    claimed = np.sqrt(np.mean([result.explained_standard_error**2 for result in results]))
    assert abs(sums.std(ddof=1) / claimed - 1) < 4 / np.sqrt(2 * surveys)
    errors = spread / np.sqrt(surveys)
    assert (np.abs(unbiased.mean(axis=0) - [*SHARES, *[0] * 8]) < 4 * errors).all()


def test_a_frequent_string_off_the_list_is_noticed_and_misleads_no_candidate():
    words, others = [f"listed {number}" for number in range(60)], ["elsewhere"]
    device = rr.rappor.Rappor.for_epsilon("4", bits=64, cohorts=8)
    shares = [0.4, 0.3, 0.3]
    tallies = rr.rappor.simulate_string_tallies(device, words[:2] + others, shares, 20_000, 3)
    result = rr.rappor.decode_strings(device, tallies, words)
    assert "unlisted_strings" in codes(result)
    assert result.found.tolist() == [True, True] + [False] * 58
    complete = rr.rappor.decode_strings(device, tallies, words + others)
    assert codes(complete) == []
    assert complete.found[60]


def test_candidates_that_share_all_bits_are_not_told_apart():
    device = rr.rappor.Rappor.for_epsilon("4", bits=4, cohorts=1)
    same = [word for word in WORDS if device.positions(word, 0) == device.positions(WORDS[0], 0)]
    other = next(word for word in WORDS if word not in same)
    assert len(same) > 1
    tallies = rr.rappor.simulate_string_tallies(device, [same[0], other], [0.6, 0.4], 5000, 2)
    result = rr.rappor.decode_strings(device, tallies, [*same, other])
    assert codes(result) == ["candidates_collide"]
    unknown = np.isnan(result.standard_errors)
    assert unknown.tolist() == [True] * len(same) + [False]
    assert result.interval()[0].tolist() == [0, 1]
    assert not result.found[0]
    assert result.found[-1]
    assert result.shares[:-1].sum() == pytest.approx(0.6, abs=0.1)


def test_more_candidates_than_bits_are_said_to_be_too_many():
    device = rr.rappor.Rappor.for_epsilon("4", bits=8, cohorts=1)
    many = [f"word {number}" for number in range(40)]
    tallies = rr.rappor.simulate_string_tallies(device, many[:1], [1.0], 1000, 2)
    result = rr.rappor.decode_strings(device, tallies, many)
    assert codes(result) == ["too_many_candidates"]
    assert not result.found.any()
    assert (result.p_values == 1).all()
    assert np.isfinite(result.shares).all()


def test_without_reports_nothing_is_known():
    empty = np.zeros((4, 32, 2), dtype=int)
    result = rr.rappor.decode_strings(DEVICE, empty, WORDS)
    assert codes(result) == ["no_reports"]
    assert result.n == 0
    assert result.interval().tolist() == [[0, 1]] * 12
    assert not result.found.any()


def test_an_empty_cohort_changes_nothing_but_the_errors():
    tallies = expected_tallies(DEVICE, WORDS[:4], SHARES, 10**6)
    tallies[2] = 0
    result = rr.rappor.decode_strings(DEVICE, tallies, WORDS)
    assert result.unbiased[:4] == pytest.approx(SHARES, abs=1e-4)
    assert result.n == 3 * 10**6


def test_whole_reports_are_counted_too():
    device = rr.rappor.Rappor.for_epsilon("4", bits=4, cohorts=2)
    reports = [{"0100": 30, "0010": 20}, {"1000": 25, "0000": 5}]
    tables = [[[30, 20] if bit == 2 else [50, 0] for bit in range(4)], [[30, 0]] * 4]
    tables[0][1], tables[1][0] = [20, 30], [5, 25]
    by_report, by_table = (
        rr.rappor.decode_strings(device, tallies, WORDS[:2])
        for tallies in (reports, np.array(tables))
    )
    assert by_report.unbiased.tolist() == by_table.unbiased.tolist()


@pytest.mark.slow
def test_any_counts_give_shares_and_intervals_that_can_be():
    # Devices of few bits and nearly no or much noise, and counts that no device would make.
    rng = np.random.default_rng(20260514)
    for number in range(120):
        bits = int(rng.choice([2, 3, 8, 33]))
        hashes, cohorts = int(rng.integers(1, bits // 2 + 1)), int(rng.integers(1, 5))
        device = rr.rappor.Rappor(bits, hashes, cohorts, str(rng.choice(["0.001", "0.3", "0.999"])))
        reports = int(rng.choice([0, 1, 40, 10**14]))
        ones = rng.integers(0, reports + 1, size=(cohorts, bits))
        words = [f"{number} {index}" for index in range(int(rng.integers(1, 25)))]
        tallies = np.stack([reports - ones, ones], axis=-1)
        result = rr.rappor.decode_strings(device, tallies, words, correction="benjamini-yekutieli")
        low, high = result.interval().T
        assert ((low >= 0) & (low <= high) & (high <= 1)).all()
        assert result.shares.min() >= 0
        assert result.shares.sum() <= 1 + 1e-12
        assert ((result.p_values >= 0) & (result.p_values <= 1)).all()
        assert 0 <= result.explained <= 1
        determined = np.isfinite(result.standard_errors)
        assert np.isfinite(result.explained_standard_error) == determined.all()
        assert not result.found[~determined].any()


@pytest.mark.parametrize(
    ("candidates", "code"),
    [
        (["Tea", "wine", " TEA "], "repeated_label"),
        (["Straße", "STRASSE"], "repeated_label"),
        (["tea", " "], "empty_label"),
        ([], "not_labels"),
        ("tea", "not_labels"),
        ([f"word {number}" for number in range(5001)], "too_many_categories"),
    ],
)
def test_lists_that_cannot_be_decoded_are_refused(candidates, code):
    error = refusal(rr.rappor.decode_strings, DEVICE, np.zeros((4, 32, 2), dtype=int), candidates)
    assert error.code == code


def test_candidates_that_are_the_same_text_are_named():
    with pytest.raises(rr.EngineError, match="'Tea', ' TEA '"):
        rr.rappor.decode_strings(DEVICE, np.zeros((4, 32, 2), dtype=int), ["Tea", "wine", " TEA "])


@pytest.mark.parametrize(
    ("tallies", "code"),
    [
        (np.zeros((3, 32, 2), dtype=int), "tallies_do_not_fit"),
        (np.zeros((4, 31, 2), dtype=int), "not_counts"),
        ([[[1, 0]] * 31 + [[0, 2]]] * 4, "bits_do_not_add_up"),
        (None, "tallies_do_not_fit"),
    ],
)
def test_tallies_of_another_device_are_refused(tallies, code):
    assert refusal(rr.rappor.decode_strings, DEVICE, tallies, WORDS).code == code


# --- discoveries --------------------------------------------------------------------------------


def test_the_cut_offs_are_those_of_the_papers():
    # Benjamini and Hochberg (1995), section 4.1: 15 p-values; four are significant at .05 by their
    # procedure, three by Bonferroni's.
    small = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
    p_values = np.array([*small, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000])
    shuffled = np.random.default_rng(3).permutation(15)
    for correction, count in (
        ("benjamini-hochberg", 4),
        ("bonferroni", 3),
        ("benjamini-yekutieli", 3),
    ):
        below = find_significant(p_values[shuffled], 0.05, correction)
        assert sorted(p_values[shuffled][below]) == sorted(p_values)[:count]
    assert not find_significant(np.ones(15), 0.05, "benjamini-hochberg").any()


@pytest.mark.slow
def test_false_discoveries_stay_below_the_rate_and_intervals_cover():
    # Surveys of 20,000 people; 20 of 100 candidates occur, by Zipf's law. Seed fixed.
    surveys = examples(80, 200)
    outcome = run(Case("2", 20_000, bits=64), surveys)
    assert outcome.false_discoveries < 0.05 + 2 * outcome.standard_error
    # 20 intervals of each, nearly independent.
    assert abs(outcome.coverage - 0.95) < 4 * (0.95 * 0.05 / (20 * surveys)) ** 0.5
    # Those below a share of .02 are the harder half.
    assert outcome.found > 0.7


@pytest.mark.slow
def test_intervals_cover_from_200_respondents_on():
    outcome = run(Case("4", 200, bits=64, cohorts=4, candidates=30, occurring=10), 200)
    # 2,000 intervals: a standard error of .005.
    assert abs(outcome.coverage - 0.95) < 3 * 0.005
    assert outcome.false_discoveries < 0.05 + 2 * outcome.standard_error


# --- planning -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "n"), [("2", 20_000), ("4", 1000)])
def test_a_detectable_share_is_found_with_its_power(epsilon, n):
    device, candidates = rr.rappor.Rappor.for_epsilon(epsilon, bits=64), 30
    share, rng = rr.rappor.detectable_share(device, n, candidates), np.random.default_rng(20260514)
    shares = np.append(np.full(5, share), 1 - 5 * share)
    power = []
    for survey in range(64):
        words = [f"{survey} word {number}" for number in range(candidates)]
        tallies = rr.rappor.simulate_string_tallies(device, words[:6], shares, n, rng)
        result = rr.rappor.decode_strings(device, tallies, words, correction="bonferroni")
        power.append(result.found[:5].mean())
    # The formula is for filters at random, and rounds upwards: 4 standard errors, and 5 % above.
    error = np.std(power) / 8
    assert 0.8 - 4 * error < np.mean(power) < 0.85 + 4 * error


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2", "4", "8"])
@pytest.mark.parametrize(("n", "candidates"), [(200, 10), (2000, 100), (100_000, 1000)])
def test_one_hash_is_best_at_every_usual_epsilon(epsilon, n, candidates):
    plan = rr.rappor.suggest_rappor(epsilon, n, candidates)
    device = plan.device
    assert device.hashes == 1
    assert device.epsilon_at_most(epsilon)
    assert plan.detectable_share == rr.rappor.detectable_share(device, n, candidates)
    two = rr.rappor.Rappor.for_epsilon(epsilon, device.bits, 2, device.cohorts)
    assert rr.rappor.detectable_share(two, n, candidates) >= plan.detectable_share


def test_more_people_epsilon_and_power_move_the_share_as_they_should():
    base = rr.rappor.detectable_share(DEVICE, 5000, 50)
    assert rr.rappor.detectable_share(DEVICE, 10_000, 50) < base
    assert rr.rappor.detectable_share(DEVICE, 5000, 100) > base
    assert rr.rappor.detectable_share(DEVICE, 5000, 50, power=0.9) > base
    assert rr.rappor.detectable_share(DEVICE, 5000, 50, power=0.4) < base
    assert rr.rappor.detectable_share(DEVICE, 5000, 50, false_discovery_rate=0.2) < base
    stronger = replace(DEVICE, f="0.9")
    assert rr.rappor.detectable_share(stronger, 5000, 50) > base
    assert rr.rappor.detectable_share(stronger, 20, 50) == np.inf
    assert refusal(rr.rappor.detectable_share, DEVICE, 5000, 124).limit == 123


def test_a_long_list_for_few_people_still_gets_a_device():
    plan = rr.rappor.suggest_rappor("1", 30, 5000)
    assert plan.device.cohorts * (plan.device.bits - 1) > 5000
    assert plan.detectable_share == np.inf
