"""Regression on randomized outcomes, each number by a second route."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.special import expit, ndtr
from scipy.stats import cauchy, norm

import rr_engine
from rr_engine import RRLogit, forced_response, k_rr, warner
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError, CountsError, NotIdentifiableError
from rr_engine.regression.engine.links import BinaryOutcome, MultinomialOutcome
from rr_engine.regression.engine.newton import maximise
from rr_engine.regression.engine.separation import unbounded_directions

FORCED, COIN = forced_response(2 / 3, 1 / 6), warner(0.8)
CURVES = {
    "logit": expit,
    "probit": ndtr,
    "cloglog": lambda eta: -np.expm1(-np.exp(eta)),
    "cauchit": cauchy.cdf,
}


@pytest.fixture(scope="module")
def people():
    """1,500 people, three covariates of very different units, three devices; seed 15."""
    generator = np.random.default_rng(15)
    x = generator.normal(size=(1500, 3)) * [1, 10, 0.1] + [0, 2000, 5]
    eta = -0.5 + 0.6 * x[:, 0] - 0.05 * (x[:, 1] - 2000) + 4 * (x[:, 2] - 5)
    truths = (generator.random(1500) < expit(eta)).astype(int)
    which = generator.integers(0, 3, 1500)
    devices = [FORCED, COIN, direct(2)]
    chances = np.array([device.matrix[1] for device in devices])[which, truths]
    return x, (generator.random(1500) < chances).astype(int), which, devices


def log_likelihood(link, columns, people, weights=1.0):
    """The log-likelihood written down by itself, as a function of the coefficients."""
    _, reports, which, devices = people
    given_no, given_yes = np.array([device.matrix[1] for device in devices]).T[:, which]

    def value(theta):
        share = CURVES[link](columns @ theta)
        chance = given_no + (given_yes - given_no) * share
        return float(np.sum(weights * np.log(np.where(reports == 1, chance, 1 - chance))))

    return value


@pytest.mark.parametrize("link", CURVES)
def test_the_fit_is_the_maximum_of_the_likelihood_written_down(people, link):
    x, reports, which, devices = people
    fit = RRLogit(devices, link).fit(x, reports, which=which)
    centre, scale = x.mean(axis=0), x.std(axis=0)
    value = log_likelihood(link, np.column_stack([np.ones(1500), (x - centre) / scale]), people)
    other = minimize(lambda theta: -value(theta), np.zeros(4), method="Nelder-Mead", tol=1e-10)
    assert fit.log_likelihood == pytest.approx(-other.fun, abs=1e-7)
    assert fit.params[1:] * scale == pytest.approx(other.x[1:], abs=1e-3)
    assert fit.params[0] + fit.params[1:] @ centre == pytest.approx(other.x[0], abs=1e-3)
    assert fit.converged
    assert fit.notes == ()


@pytest.mark.parametrize("link", CURVES)
def test_scores_and_informations_are_the_derivatives(people, link):
    x, reports, which, devices = people
    scaled = (x - [0, 2000, 5]) / [1, 10, 0.1]
    fit = RRLogit(devices, link).fit(scaled, reports, which=which)
    value = log_likelihood(link, np.column_stack([np.ones(1500), scaled]), people)
    assert np.abs(fit.scores.sum(axis=0)).max() < 1e-6
    steps = 1e-4 * np.eye(4)
    hessian = [
        [
            sum(
                first * second * value(fit.params + first * a + second * b)
                for first in (1, -1)
                for second in (1, -1)
            )
            / 4e-8
            for b in steps
        ]
        for a in steps
    ]
    assert fit.information == pytest.approx(-np.array(hessian), rel=1e-4, abs=0.01)
    assert fit.covariance == pytest.approx(np.linalg.inv(-np.array(hessian)), rel=1e-3)


def test_expected_information_is_the_mean_over_all_reports():
    device, columns = k_rr(2, 1), np.array([[1.0, 0.3], [1.0, -1.0], [1.0, 2.0]])
    fit = RRLogit(device).fit(columns[:, 1], [0, 1, 1])
    share = expit(columns @ fit.params)
    total = np.zeros((2, 2))
    for row, yes in zip(columns, share, strict=True):
        for report in (0, 1):
            chance = device.matrix[report] @ [1 - yes, yes]
            slope = (device.matrix[report, 1] - device.matrix[report, 0]) * yes * (1 - yes) / chance
            total += chance * slope**2 * np.outer(row, row)
    found = np.linalg.inv(fit.with_errors("expected").covariance)
    assert found == pytest.approx(total, rel=1e-8)


def test_robust_errors_are_the_sandwich_of_the_scores(people):
    x, reports, which, devices = people
    weights = np.random.default_rng(1).exponential(size=1500)
    fit = RRLogit(devices).fit(x, reports, weights, which)
    assert fit.standard_error_kind == "robust"
    inverse, scores = np.linalg.inv(fit.information), fit.scores
    sandwich = inverse @ scores.T @ scores @ inverse * 1500 / 1499
    assert fit.covariance == pytest.approx(sandwich, rel=1e-6)


def test_groups_of_people_give_what_their_own_estimates_give():
    """With one column for each group the model is as free as the groups' own estimates."""
    x = np.repeat([0, 0, 1, 1], [560, 440, 390, 610])
    reports = np.repeat([0, 1, 0, 1], [560, 440, 390, 610])
    fit = RRLogit(COIN).fit(x, reports)
    groups = [rr_engine.estimate(COIN, counts, "mle") for counts in ([560, 440], [390, 610])]
    shares = np.array([group.proportions[1] for group in groups])
    logits = np.log(shares / (1 - shares))
    assert fit.params == pytest.approx([logits[0], logits[1] - logits[0]], abs=1e-9)
    errors = [
        # With n in place of n - 1.
        group.standard_errors[1] * np.sqrt(0.999) / (share * (1 - share))
        for group, share in zip(groups, shares, strict=True)
    ]
    expected = fit.with_errors("expected").standard_errors
    assert expected == pytest.approx([errors[0], np.hypot(*errors)], rel=1e-6)


def test_direct_answers_give_the_textbook_logit():
    """A two by two table has the log odds ratio 1.2528 and Woolf's error."""
    x, y = np.repeat([0, 0, 1, 1], [40, 10, 32, 28]), np.repeat([0, 1, 0, 1], [40, 10, 32, 28])
    fit = RRLogit(direct(2)).fit(x, y)
    assert fit.params[1] == pytest.approx(np.log(40 * 28 / (10 * 32)), abs=1e-9)
    assert fit.standard_errors[1] == pytest.approx(np.sqrt(1 / 40 + 1 / 10 + 1 / 32 + 1 / 28))
    assert fit.z_values[1] == pytest.approx(fit.params[1] / fit.standard_errors[1])
    assert fit.p_values[1] == pytest.approx(2 * norm.sf(fit.z_values[1]))
    assert fit.interval(0.9)[1] == pytest.approx(
        fit.params[1] + norm.ppf([0.05, 0.95]) * fit.standard_errors[1]
    )


def test_a_multinomial_fit_is_the_maximum_of_the_likelihood_written_down():
    generator = np.random.default_rng(3)
    x, device = generator.normal(size=(1200, 2)), k_rr(3, 2)
    columns = np.column_stack([np.ones(1200), x])
    truth = np.array([[0.2, 0.8, -0.3], [-0.5, 0.1, 0.6]])
    eta = np.column_stack([np.zeros(1200), columns @ truth.T])
    shares = np.exp(eta) / np.exp(eta).sum(axis=1, keepdims=True)
    draws = generator.random(1200)[:, None]
    reports = (draws > (shares @ device.matrix.T).cumsum(axis=1)).sum(axis=1)

    def loss(theta):
        rows = np.column_stack([np.zeros(1200), columns @ theta.reshape(2, 3).T])
        prior = np.exp(rows) / np.exp(rows).sum(axis=1, keepdims=True)
        return -float(np.log((prior * device.matrix[reports]).sum(axis=1)).sum())

    fit = RRLogit(device).fit(x, reports)
    other = minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-6})
    assert fit.log_likelihood == pytest.approx(-other.fun, abs=1e-7)
    assert fit.params.ravel() == pytest.approx(other.x, abs=1e-4)
    slopes = approx_fprime(fit.params.ravel() + 0.1, loss, 1e-6)
    moved = fit.fitted.likelihood
    scaled = np.linalg.solve(fit.fitted.transform, fit.params.ravel() + 0.1)
    gradient = np.linalg.solve(fit.fitted.transform.T, moved(scaled)[1])
    assert gradient == pytest.approx(-slopes, rel=1e-4)
    assert fit.with_errors("expected").standard_errors == pytest.approx(
        fit.standard_errors, rel=0.1
    )


def test_two_categories_are_the_same_by_either_likelihood(people):
    devices = people[3]
    generator = np.random.default_rng(2)
    eta = generator.normal(size=(20, 1)) * 3
    likelihoods = np.concatenate([device.matrix for device in devices])
    likelihoods = likelihoods[generator.integers(0, 6, 20)]
    one, other = BinaryOutcome("logit"), MultinomialOutcome(2)
    for name in ("log_likelihood", "score", "information"):
        found, wanted = (getattr(each.terms(eta, likelihoods), name) for each in (one, other))
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert one.expected(eta, COIN.matrix) == pytest.approx(other.expected(eta, COIN.matrix))


def test_the_linear_probability_model_is_least_squares_on_unbiased_scores(people):
    x, reports, which, devices = people
    fit = RRLogit(devices, "identity").fit(x, reports, which=which)
    given_no, given_yes = np.array([device.matrix[1] for device in devices]).T[:, which]
    scores = (reports - given_no) / (given_yes - given_no)
    columns = np.column_stack([np.ones(1500), x])
    slopes = np.linalg.lstsq(columns, scores, rcond=None)[0]
    assert fit.params == pytest.approx(slopes, rel=1e-6)
    bread = np.linalg.inv(columns.T @ columns)
    spread = columns * (scores - columns @ slopes)[:, None]
    robust = bread @ spread.T @ spread @ bread * 1500 / 1496
    assert np.sqrt(np.diag(robust)) == pytest.approx(fit.standard_errors, rel=1e-4)
    assert fit.log_likelihood is None
    with pytest.raises(ArgumentError, match="kind must be one of robust"):
        fit.with_errors("observed")


@pytest.mark.parametrize("link", [*CURVES, "identity"])
def test_the_order_of_the_rows_changes_no_bit(people, link):
    x, reports, which, devices = people
    weights = np.random.default_rng(5).exponential(size=1500)
    order = np.random.default_rng(6).permutation(1500)
    model = RRLogit(devices, link)
    one = model.fit(x, reports, weights, which)
    other = model.fit(x[order], reports[order], weights[order], which[order])
    assert one.params.tobytes() == other.params.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()
    assert one.scores[order] == pytest.approx(other.scores)


def test_no_report_leaves_a_respondent_out(people):
    x, reports, which, devices = people
    missing = np.where(np.arange(1500) % 7 == 0, -1, reports)
    left = missing >= 0
    one = RRLogit(devices).fit(x, missing, which=which)
    other = RRLogit(devices).fit(x[left], reports[left], which=which[left])
    assert one.params == pytest.approx(other.params, rel=1e-9)
    assert one.n == other.n == left.sum()
    assert not one.scores[~left].any()


def test_whole_weights_count_respondents():
    x, reports = np.array([0, 0, 1, 1.0]), [0, 1, 0, 1]
    weights = [56, 44, 39, 61]
    one = RRLogit(COIN).fit(x, reports, weights)
    other = RRLogit(COIN).fit(np.repeat(x, weights), np.repeat(reports, weights))
    assert one.params == pytest.approx(other.params, rel=1e-9)


def test_fewer_yes_than_forced_have_no_finite_logit():
    fit = RRLogit(FORCED).fit(None, np.repeat([0, 1], [175, 25]))
    assert [note.code for note in fit.notes] == ["separation"]
    assert not fit.converged
    assert fit.params[0] < -15
    assert fit.standard_errors.tolist() == [np.inf]
    assert fit.interval().tolist() == [[-np.inf, np.inf]]


def test_separated_answers_are_named_and_the_rest_is_estimated():
    x, y = np.repeat([0, 0, 1], [50, 50, 100]), np.repeat([0, 1, 0], [50, 50, 100])
    fit = RRLogit(direct(2)).fit(x, y)
    assert [note.code for note in fit.notes] == ["separation"]
    assert fit.params[0] == pytest.approx(0, abs=1e-6)
    assert fit.standard_errors[0] == pytest.approx(0.2, abs=1e-6)
    assert fit.standard_errors[1] == np.inf
    assert fit.log_likelihood == pytest.approx(100 * np.log(0.5), abs=1e-6)


BAD = {
    "columns that follow from each other": ({"X": [[1, 2, 3]] * 2 + [[0, 1, 1]] * 3}, "collinear"),
    "a column that does not vary": ({"X": [[3]] * 5}, "collinear"),
    "a column of zeros": ({"X": [[0]] * 5, "intercept": False}, "collinear"),
    "an outcome that does not vary": ({"reports": [1] * 5}, "constant_outcome"),
    "no report at all": ({"reports": [-1] * 5}, "no_reports"),
    "a report that there is not": ({"reports": [0, 1, 2, 0, 1]}, "unknown_report"),
    "a negative weight": ({"weights": [1, 1, 1, 1, -1]}, "not_weights"),
    "weights of zero": ({"weights": [0] * 5}, "weights_all_zero"),
    "too few weights": ({"weights": [1] * 4}, "not_weights"),
    "a device that there is not": ({"which": [0, 0, 0, 0, 1]}, "out_of_range"),
    "too few rows": ({"X": [[1], [2]]}, "lengths_differ"),
    "no column": ({"X": None, "intercept": False}, "no_columns"),
    "a name twice": ({"X": [[1, 2]] * 5, "names": ["a", "a"]}, "labels_do_not_fit"),
    "a sample that is none": ({"sample": 3}, "not_a_sample"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_by_name(name):
    changed, code = BAD[name]
    given = {"X": [[1.0], [2], [0], [1], [5]], "reports": [0, 1, 0, 1, 1], **changed}
    with pytest.raises(rr_engine.EngineError) as error:
        RRLogit(COIN).fit(**given)
    assert error.value.code == code
    assert error.value.argument in {*given, "X"}


def test_what_cannot_be_told_is_refused():
    with pytest.raises(NotIdentifiableError):
        RRLogit(rr_engine.DesignMatrix([[0.5, 0.5], [0.5, 0.5]]))
    with pytest.raises(ArgumentError, match="link must be logit where there are 3 categories"):
        RRLogit(k_rr(3, 1), "probit")
    with pytest.raises(CountsError):
        RRLogit(COIN).fit([1.0, 2.0], [0, 5])


@pytest.fixture(scope="module")
def noisy():
    """300 people under epsilon .5, whose likelihood is highest for a dividing line; seed 21."""
    generator = np.random.default_rng(21)
    x = generator.normal(size=(300, 3))
    truths = generator.random(300) < expit(0.3 + x @ [0.5, -0.8, 0.2])
    device = k_rr(2, 0.5)
    return device, x, (generator.random(300) < device.matrix[1, truths.astype(int)]).astype(int)


def test_a_finite_maximum_is_taken_before_one_at_infinity(noisy):
    device, x, reports = noisy
    fit = RRLogit(device).fit(x, reports)
    likelihood, starts = fit.fitted.likelihood, np.random.default_rng(1).normal(size=(30, 4)) * 3
    maxima = [maximise(likelihood, start) for start in starts]
    assert max(each.value for each in maxima) > fit.log_likelihood + 0.5
    finite = [
        each
        for each in maxima
        if not unbounded_directions(likelihood, each.theta, each.information).shape[1]
    ]
    assert max(each.value for each in finite) <= fit.log_likelihood + 1e-6
    assert fit.converged
    assert np.isfinite(fit.standard_errors).all()
