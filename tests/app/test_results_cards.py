"""Devices with more reports than answers: every number against a computation of its own.

The plain formulas here are written from docs/methods/estimation.md with NumPy alone.
"""

from itertools import combinations_with_replacement
from math import ceil, exp, factorial, prod

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2, norm

import rr_engine
from surveys.authoring.planning.figures import device_figures, epsilon_panel
from surveys.authoring.planning.mechanism_accuracy import device_privacy
from tests.builders import launched, make_survey
from tests.devices import cards_of, devices_of
from tests.plain import results_document
from tests.searched import PRIOR, searched_question, searched_table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

TEN = [f"answer {number}" for number in range(1, 11)]
SEED = 20261121


def cards(size=10, **values):
    choice = {"name": "q1", "kind": "single_choice", "options": TEN[:size], "design": "cards"}
    return {**choice, "epsilon": "1", **values}


def table_of(device):
    return np.array(device["columns"]).T / device["denominator"]


def result(launch, tallies):
    n = sum(next(iter(tallies.values())))
    return results_document(launch.parameters, launch.digest, tallies, n)


def left_inverse(table, at):
    """Weighted least squares whose weights are the shares of reports under `at`."""
    weighted = table.T / (table @ at)
    return np.linalg.solve(weighted @ table, weighted)


def values_of(entry, key):
    return np.array([row[key] for row in entry["categories"]])


# --- one device ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_estimate_is_unbiased_by_exact_enumeration():
    """All 56 ways in which three people can have drawn six cards, each with its chance."""
    launch = launched(questions=[cards(4)])
    (device,) = devices_of(launch)
    table, truth = table_of(device), np.array([0.5, 0.3, 0.15, 0.05])
    assert table.shape == (6, 4)
    chances, total, mean = table @ truth, 0.0, np.zeros(4)
    for reports in combinations_with_replacement(range(6), 3):
        counts = [reports.count(card) for card in range(6)]
        ways = factorial(3) / prod(map(factorial, counts))
        chance = ways * np.prod(chances ** np.array(counts))
        (entry,) = result(launch, {("q1", "page"): counts})["questions"]
        total, mean = total + chance, mean + chance * values_of(entry, "estimate")
    assert total == pytest.approx(1, abs=1e-12)
    assert mean == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_estimate_and_error_are_those_of_weighted_least_squares(population):
    launch = launched(questions=[cards()], population=population)
    (device,) = devices_of(launch)
    table, counts = table_of(device), draw_counts(device, np.arange(1, 11) / 55, 4000)
    (entry,) = result(launch, {("q1", "page"): counts})["questions"]
    inverse = left_inverse(table, np.full(10, 0.1))
    shares = inverse @ counts / 4000
    assert values_of(entry, "estimate") == pytest.approx(shares, abs=1e-9)
    raw = (inverse * (table @ shares)) @ inverse.T
    if population == "sample":
        variance = np.diag(raw - np.outer(shares, shares)) / 3999
    else:
        variance = np.diag(raw - np.diag(shares)) / 4000
    assert values_of(entry, "standard_error") == pytest.approx(variance**0.5, rel=1e-9)
    assert [row["reported"] for row in entry["categories"]] == [None] * 10
    assert [row["reported_share"] for row in entry["categories"]] == [None] * 10


def draw_counts(device, truth, n, seed=SEED):
    chances = table_of(device) @ truth
    return np.random.default_rng(seed).multinomial(n, chances / chances.sum()).tolist()


def test_a_square_deck_has_no_raw_share_of_an_answer():
    """Seven cards for seven answers: card C shows three of them and stands for none."""
    launch = launched(questions=[cards(7, epsilon="0.5")])
    (device,) = devices_of(launch)
    assert len(device["reports"]) == 7
    (entry,) = result(launch, {("q1", "page"): [50, 40, 30, 60, 50, 40, 30]})["questions"]
    assert values_of(entry, "reported").tolist() == [None] * 7
    assert [len(card) for card in entry["devices"][0]["shows"]] == [3] * 7


def test_the_constrained_estimate_is_the_likeliest():
    """Against SciPy's general optimiser, started elsewhere."""
    launch = launched(questions=[cards()])
    (device,) = devices_of(launch)
    table, counts = table_of(device), np.array(draw_counts(device, np.eye(10)[3] * 0.8 + 0.02, 800))
    (entry,) = result(launch, {("q1", "page"): counts.tolist()})["questions"]
    proportions = values_of(entry, "maximum_likelihood")
    assert proportions.min() >= 0
    assert proportions.sum() == pytest.approx(1, abs=1e-9)

    def loss(z):
        shares = np.exp(z - z.max())
        return -counts @ np.log(table @ (shares / shares.sum()))

    other = minimize(loss, np.linspace(-1, 1, 10), method="L-BFGS-B", options={"ftol": 1e-15})
    assert -counts @ np.log(table @ proportions) <= other.fun + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_intervals_hold_the_truth_as_often_as_they_say(population):
    """300 surveys of 500 people: 95 of 100 intervals, within four standard errors."""
    launch = launched(questions=[cards(6)], population=population)
    (device,) = devices_of(launch)
    table, truth, n = table_of(device), np.array([0.4, 0.3, 0.16, 0.1, 0.04, 0.0]), 500
    rng = np.random.default_rng(SEED)
    coverage, errors, widths = np.zeros(6), [], []
    for _ in range(300):
        people = (truth * n).astype(int) if population == "fixed" else rng.multinomial(n, truth)
        counts = sum(rng.multinomial(k, column) for k, column in zip(people, table.T, strict=True))
        (entry,) = result(launch, {("q1", "page"): counts.tolist()})["questions"]
        low, high = np.array([row["interval"] for row in entry["categories"]]).T
        coverage += (low <= truth) & (truth <= high)
        widths.append(values_of(entry, "estimate"))
        errors.append(values_of(entry, "standard_error") ** 2)
    assert (np.abs(coverage / 300 - 0.95) < 4 * (0.95 * 0.05 / 300) ** 0.5).all()
    spread = np.var(widths, axis=0, ddof=1)
    # A variance from 300 surveys has a relative error of (2/299)**0.5 = 0.08.
    assert np.abs(np.mean(errors, axis=0) / spread - 1).max() < 4 * (2 / 299) ** 0.5
    bias = np.abs(np.mean(widths, axis=0) - truth)
    assert (bias < 4 * (spread / 300) ** 0.5).all()


def test_fakes_are_those_that_move_an_estimate_by_half_its_interval():
    launch = launched(questions=[cards(6)])
    (device,) = devices_of(launch)
    counts = np.array(draw_counts(device, np.full(6, 1 / 6), 600))
    (entry,) = result(launch, {("q1", "page"): counts.tolist()})["questions"]
    inverse = left_inverse(table_of(device), np.full(6, 1 / 6))
    for index, row in enumerate(entry["categories"]):
        assert row["fake_weight"] == pytest.approx(inverse[index].max(), rel=1e-9)
        margin = (row["interval"][1] - row["interval"][0]) / 2
        moved = [
            max(
                abs(inverse[index] @ (counts + fakes * card) / (600 + fakes) - row["estimate"])
                for card in np.eye(len(counts))
            )
            for fakes in (row["fakes"] - 1, row["fakes"])
        ]
        assert moved[0] < margin <= moved[1]


def test_mean_entropy_and_worth_follow_from_the_covariance():
    """The questions are a scale: the delta method by differences, from the plain covariance."""
    launch = launched(questions=[cards(5, kind="scale", prefer_not=True)])
    (device,) = devices_of(launch)
    table, n = table_of(device), 3000
    counts = draw_counts(device, np.array([0.3, 0.25, 0.2, 0.1, 0.05, 0.1]), n)
    (entry,) = result(launch, {("q1", "page"): counts})["questions"]
    inverse = left_inverse(table, np.full(6, 1 / 6))
    shares = inverse @ counts / n
    covariance = ((inverse * (table @ shares)) @ inverse.T - np.outer(shares, shares)) / (n - 1)

    def mean(pi):
        return pi[:5] @ np.arange(1, 6) / pi[:5].sum()

    def entropy(pi):
        return -(pi * np.log2(pi)).sum()

    for measure, key in ((mean, "mean"), (entropy, "entropy")):
        slope = gradient(measure, shares)
        # Entropy lives on the shares that add up to one: its slope is taken along them.
        error = (slope @ covariance @ slope) ** 0.5
        # The entropy that noise takes comes back, to second order.
        correction = (np.diag(covariance) / shares).sum() / (2 * np.log(2)) * (key == "entropy")
        assert entry[key]["value"] == pytest.approx(
            measure(shares) + correction, abs=0.2 * correction + 1e-9
        )
        assert entry[key]["standard_error"] == pytest.approx(error, rel=1e-5)
    clean = (shares * (1 - shares)).sum()
    assert entry["effective_n"] == pytest.approx(1 + clean / np.trace(covariance), rel=1e-9)


def gradient(measure, at, step=1e-6):
    steps = np.eye(len(at)) * step
    return np.array([(measure(at + h) - measure(at - h)) / (2 * step) for h in steps])


def test_the_interval_of_all_looks_is_wider_and_below_the_threshold_nothing_shows():
    launch = launched(questions=[cards()], release_threshold=20)
    (device,) = devices_of(launch)
    counts = draw_counts(device, np.arange(1, 11) / 55, 5000)
    (entry,) = result(launch, {("q1", "page"): counts})["questions"]
    for row in entry["categories"]:
        (low, high), (lowest, highest) = row["interval"], row["confidence_sequence"]
        assert lowest <= max(low, 0)
        assert high < highest
    small_counts = draw_counts(device, np.arange(1, 11) / 55, 19)
    (entry,) = result(launch, {("q1", "page"): small_counts})["questions"]
    assert (entry["categories"], entry["n"], entry["suppressed"]) == ([], 0, 19)
    assert entry["devices"][0]["counts"] is None
    assert entry["certificate"]["kind"] == "minimax"


# --- with a physical randomizer -----------------------------------------------------------------

WITH_PHYSICAL = cards(6, epsilon="1.7", physical_device="phone_digits")


def test_cards_and_a_physical_randomizer_are_pooled_by_least_squares():
    launch = launched(questions=[WITH_PHYSICAL], release_threshold=20)
    page, physical = devices_of(launch)
    truth, sizes = np.array([0.3, 0.25, 0.2, 0.1, 0.1, 0.05]), (3000, 600)
    counts = [
        draw_counts(device, truth, n, SEED + n)
        for device, n in zip((page, physical), sizes, strict=True)
    ]
    tallies = {("q1", "page"): counts[0], ("q1", "physical"): counts[1]}
    (entry,) = result(launch, tallies)["questions"]
    stacked = np.vstack([table_of(page) * 3000 / 3600, table_of(physical) * 600 / 3600])
    inverse = left_inverse(stacked, np.full(6, 1 / 6))
    expected = inverse @ np.concatenate(counts) / 3600
    assert values_of(entry, "estimate") == pytest.approx(expected, abs=1e-9)
    assert entry["agreement"]["degrees_of_freedom"] == 5
    assert entry["agreement"]["p_value"] > 0.001


def test_cards_that_fit_badly_are_no_disagreement_of_the_devices():
    """Fakes who all send card A: not what any shares give, whatever the other device says."""
    launch = launched(questions=[WITH_PHYSICAL])
    page, physical = devices_of(launch)
    truth = np.array([0.3, 0.25, 0.2, 0.1, 0.1, 0.05])
    counts = np.rint(6000 * table_of(page) @ truth).astype(int)
    counts[0] += 250
    norms = [np.linalg.norm(column) for column in table_of(page).T]
    assert np.ptp(norms) < 1e-6
    estimate = rr_engine.estimate(
        rr_engine.DesignMatrix(table_of(page)), counts, method="mle"
    ).proportions
    others = np.rint(2000 * table_of(physical) @ estimate).astype(int)
    tallies = {("q1", "page"): counts.tolist(), ("q1", "physical"): others.tolist()}
    (entry,) = result(launch, tallies)["questions"]
    test = rr_engine.compliance.goodness_of_fit(
        [rr_engine.DesignMatrix(table_of(device)) for device in (page, physical)], [counts, others]
    )
    assert test.p_value < 1e-6
    assert entry["agreement"]["p_value"] > 0.5
    assert entry["agreement"]["p_value"] == pytest.approx(
        chi2.sf(entry["agreement"]["statistic"], 5)
    )


# --- how far from the best ----------------------------------------------------------------------


@pytest.mark.parametrize(("size", "epsilon"), [(4, "0.5"), (7, "1"), (10, "1"), (8, "1.5")])
def test_the_certificate_of_cards_is_the_worst_case_beside_the_least(size, epsilon):
    launch = launched(questions=[cards(size, epsilon=epsilon)])
    (device,) = devices_of(launch)
    (entry,) = result(launch, {("q1", "page"): [0] * len(device["reports"])})["questions"]
    certificate = entry["certificate"]
    table, rng = table_of(device), np.random.default_rng(SEED)
    inverse = left_inverse(table, np.full(size, 1 / size))
    costs = (inverse**2).sum(axis=0) @ table
    near = np.vstack([rng.dirichlet(np.full(size, a), 4000) for a in (0.3, 3, 300)])
    priors = np.vstack([np.eye(size), np.full((1, size), 1 / size), near])
    worst = ((priors @ costs - (priors**2).sum(axis=1)) / size).max()
    assert worst <= certificate["variance"] * (1 + 1e-9)
    assert worst >= certificate["variance"] * (1 - 1e-3)
    # Ye and Barg: the smallest over all numbers of answers on a card (docs/methods/optimal.md).
    power = exp(float(epsilon))
    smallest = min(
        (size - 1) ** 2
        / (size * (size * (k * power**2 + size - k) / (k * power + size - k) ** 2 - 1))
        / size
        for k in range(1, size)
    )
    assert certificate["least"] == pytest.approx(smallest, rel=1e-9)
    assert certificate["excess"] == pytest.approx(certificate["variance"] / smallest - 1, abs=1e-9)
    card_answers = cards_of(device)
    assert (certificate["card_size"], certificate["cards"]) == (
        len(card_answers[0]),
        len(card_answers),
    )


def test_a_searched_device_is_as_accurate_as_its_certificate_says():
    """Exactly the counts that the guess predicts: the published errors add up to the one proved."""
    launch = launched(questions=[searched_question()])
    table = searched_table()
    assert table.matrix.shape[0] > table.matrix.shape[1]
    hundredths = np.array([round(100 * float(share)) for share in PRIOR])
    counts = (table.integers @ hundredths).tolist()
    (entry,) = result(launch, {("missed", "page"): counts})["questions"]
    certificate = entry["certificate"]
    published = (values_of(entry, "standard_error") ** 2).mean() * (sum(counts) - 1)
    assert published == pytest.approx(certificate["error"], rel=1e-6)
    assert 0 <= certificate["gap"] < 1e-4
    assert certificate["gap"] == certificate["error"] / float(certificate["least_error"]) - 1
    assert values_of(entry, "reported").tolist() == [None] * 5
    # Weighed by equal shares instead, as without a guess, the same device is less accurate.
    plain = left_inverse(table.matrix, np.full(5, 0.2))
    prior = hundredths / 100
    unguessed = np.trace((plain * (table.matrix @ prior)) @ plain.T) - prior @ prior
    assert unguessed / 5 > 1.001 * certificate["error"]


def test_panel_comparison_and_results_tell_one_margin_of_a_searched_device():
    """The plan comes out where the guess is right: all three weigh by it."""
    survey = make_survey(questions=[searched_question()])
    question = survey.questions.get()
    figures = epsilon_panel(question, 100_000)
    searched = next(
        row for row in device_figures(question, 100_000) if row.family.name == "searched"
    )
    shares = [float(share) for share in PRIOR]
    compared = next(
        row for row in device_privacy(question, [shares], 100_000) if row.family.name == "searched"
    )
    hundredths = np.array([round(100 * share) for share in shares])
    counts = (searched_table().integers @ hundredths).tolist()
    launch = launched(questions=[searched_question()], slug="other")
    (entry,) = result(launch, {("missed", "page"): counts})["questions"]
    errors = values_of(entry, "standard_error") * (sum(counts) - 1) ** 0.5
    margin = norm.isf(0.025) * errors.max() / 100_000**0.5
    for margin_found in (figures["margin_at_planned_n"], searched.margin, compared.accuracy.margin):
        assert margin_found == pytest.approx(margin, rel=1e-7)
    assert figures["n_for_margin"] == ceil((norm.isf(0.025) * errors.max() / 0.05) ** 2)
    assert compared.accuracy.mse == pytest.approx((errors**2).mean() / 100_000, rel=1e-7)
    # Equal weights would promise less: this test can tell.
    plain = rr_engine.margin_of_error(searched_table(), shares, 100_000)
    assert plain > 1.0004 * margin


def test_the_gap_at_the_estimate_is_proved_there():
    launch = launched(questions=[searched_question()])
    (device,) = devices_of(launch)
    counts = draw_counts(device, np.array([0.15, 0.15, 0.2, 0.2, 0.3]), 20_000)
    (entry,) = result(launch, {("missed", "page"): counts})["questions"]
    bound = entry["certificate"]["at_estimate"]
    shares, table = np.array(bound["distribution"]), table_of(device)
    assert np.abs(shares - values_of(entry, "maximum_likelihood")).max() <= 0.001
    # The published estimate weighs reports by the guess, which the shares have left.
    inverse = left_inverse(table, np.array(list(map(float, PRIOR))))
    error = (np.trace((inverse * (table @ shares)) @ inverse.T) - shares @ shares) / 5
    assert bound["error"] == pytest.approx(error, rel=1e-9)
    published = (values_of(entry, "standard_error") ** 2).mean() * 20_000
    assert bound["error"] == pytest.approx(published, rel=0.02)
    information = (table.T / (table @ shares)) @ table
    assert error > 1.002 * (np.trace(np.linalg.inv(information)) - shares @ shares) / 5
    proof = rr_engine.optimisation.mse_lower_bound(shares, 1, epsilon="1")
    assert rr_engine.optimisation.verify_certificate(proof)
    assert bound["least_error"] == proof.bound
    assert bound["gap"] > 0.01
    assert entry["certificate"]["gap"] < 1e-4


@pytest.mark.parametrize("counts", ["none", "one", "alike"])
def test_where_no_bound_can_be_proved_there_is_none(counts):
    launch = launched(questions=[searched_question()])
    size = len(devices_of(launch)[0]["reports"])
    people = {"none": 0, "one": 1, "alike": 40}[counts]
    tally = [people] + [0] * (size - 1)
    (entry,) = result(launch, {("missed", "page"): tally})["questions"]
    assert entry["certificate"]["at_estimate"] is None


# docs/protocol.md: searched for a worst posterior of 0.65 and epsilon 1.2 at shares .5, .3, .2.
BOTH_BOUNDS = [
    [3071762136, 1654026701, 1654026701],
    [611312851, 2029627743, 611312851],
    [611063097, 611063097, 2028798531],
    [829212, 249755, 829213],
]


@pytest.mark.parametrize("shares", [[0.5, 0.3, 0.2], [0.1, 0.3, 0.6], [0.96, 0.02, 0.02]])
def test_no_device_is_said_to_be_better_than_the_best(shares):
    """Also where the best guess never depends on the report, so that no device has more privacy."""
    search = {
        "prior": ["0.5", "0.3", "0.2"],
        "respondents": 1000,
        "privacy": "0.406062135682",
        "worst_posterior": "0.65",
        "epsilon": "1.2",
        "method": "certified",
        "least_error": "1.152894320952",
    }
    options = ["Never", "Once", "Often"]
    design_parameters = {"table": BOTH_BOUNDS, "search": search, "labels": options}
    question = searched_question(
        options=options, epsilon="1.2", design_parameters=design_parameters
    )
    launch = launched(questions=[question])
    (device,) = devices_of(launch)
    counts = np.rint(50_000 * table_of(device) @ shares).astype(int).tolist()
    (entry,) = result(launch, {("missed", "page"): counts})["questions"]
    bound = entry["certificate"]["at_estimate"]
    assert bound["distribution"] == pytest.approx(shares, abs=0.0011)
    assert 0 <= bound["gap"] < 1.5
    assert entry["certificate"]["gap"] == pytest.approx(1.8208841174760189 / 1.152894320952 - 1)
