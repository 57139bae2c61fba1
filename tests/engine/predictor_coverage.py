"""Bias and coverage of models with randomized predictors, and of correlations, at 95 %.

    nice -n 10 python -m tests.engine.predictor_coverage [surveys]

Writes the tables of docs/methods/predictors.md: of each coefficient the mean of the estimates less
the truth, in standard errors of that mean, and the share of intervals that hold the truth.
"""

import sys

import numpy as np

from rr_engine import RRRegression, correlation, forced_response, k_rr, warner
from rr_engine.designs import direct
from rr_engine.models import ReportLikelihoods, moment_regression

SEED, SURVEYS = 15215, 500


def report(rng, truths, designs, which=None):
    """Return randomized reports of true answers, each through its respondent's device."""
    devices = np.zeros(len(truths), dtype=int) if which is None else which
    reports = np.empty(len(truths), dtype=int)
    for number, design in enumerate(designs):
        users = np.flatnonzero(devices == number)
        limits = np.cumsum(design.matrix, axis=0)[:, truths[users]]
        reports[users] = (rng.random(len(users)) > limits).sum(axis=0)
    return reports, devices


def asked(rng, truths, designs, which=None, missing=0.0):
    reports, devices = report(rng, truths, designs, which)
    reports[rng.random(len(truths)) < missing] = -1
    return ReportLikelihoods(designs, reports, devices)


def logistic(values):
    return 1 / (1 + np.exp(-values))


def one_binary(rng, n=1000):
    X = rng.normal(size=(n, 2))
    truth = (rng.random(n) < logistic(-0.9 + 0.5 * X[:, 0])).astype(int)
    y = 0.5 + X @ [0.3, -0.2] + 1.0 * truth + rng.normal(size=n)
    fit = RRRegression().fit(y, X, [asked(rng, truth, [warner(0.75)])])
    return fit, [0.5, 0.3, -0.2, 1.0]


def two_predictors(rng, n=2000):
    x = rng.normal(size=n)
    first = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    second = (rng.random(n) < logistic(-1.0 + 0.4 * first + 0.3 * x)).astype(int)
    y = 1 - 0.4 * x + np.array([0.0, 0.5, 1.0])[first] - 0.6 * second + rng.normal(size=n)
    predictors = [
        asked(rng, first, [k_rr(3, 2)]),
        asked(rng, second, [forced_response(0.75, 0.125)]),
    ]
    return RRRegression().fit(y, x, predictors), [1, -0.4, 0.5, 1.0, -0.6]


def direct_outcome(rng, n=2000):
    x = rng.normal(size=n)
    truth = (rng.random(n) < logistic(-0.9 + 0.5 * x)).astype(int)
    y = (rng.random(n) < logistic(-0.5 + 0.4 * x + 1.0 * truth)).astype(int)
    return RRRegression("logit").fit(y, x, [asked(rng, truth, [warner(0.8)])]), [-0.5, 0.4, 1.0]


def randomized_outcome(rng, n=4000):
    x = rng.normal(size=n)
    truth = (rng.random(n) < logistic(-0.6 + 0.5 * x)).astype(int)
    y = (rng.random(n) < logistic(-0.5 + 0.4 * x + 1.0 * truth)).astype(int)
    outcome = asked(rng, y, [warner(0.85)])
    fit = RRRegression("logit").fit(outcome, x, [asked(rng, truth, [warner(0.8)])])
    return fit, [-0.5, 0.4, 1.0]


def scored_probit(rng, n=2000):
    x = rng.normal(size=n)
    truth = rng.binomial(3, logistic(-0.3 + 0.4 * x))
    y = (-0.6 + 0.2 * x + 0.4 * truth + rng.normal(size=n) > 0).astype(int)
    which = (rng.random(n) < 0.3).astype(int)
    predictor = asked(rng, truth, [k_rr(4, 2), direct(4)], which, missing=0.1)
    fit = RRRegression("probit").fit(y, x, [predictor], scores=[[0, 1, 2, 3]])
    return fit, [-0.6, 0.2, 0.4]


def weighted(rng, n=2000):
    """The population is reached through a sample in which large errors are drawn more often."""
    size = 4 * n
    x = rng.normal(size=size)
    truth = (rng.random(size) < logistic(-0.6 + 0.5 * x)).astype(int)
    y = 0.5 + 0.3 * x + 1.0 * truth + rng.normal(size=size)
    chance = 0.1 + 0.3 * logistic(y)
    drawn = rng.random(size) < chance
    predictor = asked(rng, truth[drawn], [warner(0.8)])
    fit = RRRegression().fit(y[drawn], x[drawn], [predictor], weights=1 / chance[drawn])
    return fit, [0.5, 0.3, 1.0]


def one_skewed(rng, fit, n=1000):
    """Errors of an exponential distribution, by one of the two ways to fit a linear model."""
    x = rng.normal(size=n)
    truth = (rng.random(n) < logistic(-0.9 + 0.5 * x)).astype(int)
    y = 0.5 + 0.3 * x + 1.0 * truth + rng.exponential(size=n) - 1
    return fit(y, x, [asked(rng, truth, [warner(0.75)])]), [0.5, 0.3, 1.0]


def one_binary_by_moments(rng, n=1000):
    X = rng.normal(size=(n, 2))
    truth = (rng.random(n) < logistic(-0.9 + 0.5 * X[:, 0])).astype(int)
    y = 0.5 + X @ [0.3, -0.2] + 1.0 * truth + rng.normal(size=n)
    return moment_regression(y, X, [asked(rng, truth, [warner(0.75)])]), [0.5, 0.3, -0.2, 1.0]


MODELS = {
    "linear, Warner 0.75, n = 1,000": one_binary,
    "linear, 3 categories at epsilon 2 and forced response 0.75, n = 2,000": two_predictors,
    "logit, Warner 0.8, direct outcome, n = 2,000": direct_outcome,
    "logit, Warner 0.8, outcome by Warner 0.85, n = 4,000": randomized_outcome,
    "probit, 4 scores at epsilon 2, 30 % direct, 10 % missing, n = 2,000": scored_probit,
    "linear, Warner 0.8, informative weights, n about 2,000": weighted,
    "linear by moments, Warner 0.75, n = 1,000": one_binary_by_moments,
    "linear by moments, Warner 0.75, exponential errors, n = 1,000": lambda rng: one_skewed(
        rng, moment_regression
    ),
    "linear, Warner 0.75, exponential errors, n = 1,000": lambda rng: one_skewed(
        rng, RRRegression().fit
    ),
}


def correlated(rng, n, keep, share, rho, number):
    """Return a correlation of a binary item with another, or with a number."""
    first = (rng.random(n) < share).astype(int)
    item = asked(rng, first, [warner(keep) if keep < 1 else direct(2)])
    if number:
        slope = rho / np.sqrt((1 - rho**2) * share * (1 - share))
        return correlation(item, slope * first + rng.normal(size=n))
    both = share**2 + rho * share * (1 - share)
    chance = np.where(first == 1, both / share, (share - both) / (1 - share))
    second = (rng.random(n) < chance).astype(int)
    return correlation(item, asked(rng, second, [warner(keep) if keep < 1 else direct(2)]))


CORRELATIONS = [
    (n, keep, share, rho)
    for n in (300, 1000, 5000)
    for keep in (0.75, 0.9, 1)
    for share in (0.3, 0.1)
    for rho in (0, 0.4, 0.8)
]


def model_lines(name, draw, surveys):
    """Return the table's lines of one model."""
    estimates, covered, errors, left_out, truth, names = [], [], [], 0, None, ()
    for number in range(surveys):
        fit, truth = draw(np.random.default_rng([SEED, number]))
        names = fit.names
        if not np.isfinite(fit.standard_errors).all():
            left_out += 1
            continue
        low, high = fit.interval().T
        estimates.append(fit.params)
        errors.append(fit.standard_errors)
        covered.append((low <= truth) & (truth <= high))
    values = np.array(estimates)
    spread = values.std(axis=0, ddof=1)
    bias = (values.mean(axis=0) - truth) / (spread / np.sqrt(len(values)))
    ratio = np.median(errors, axis=0) / spread
    for place, label in enumerate(names):
        share = 100 * np.mean(covered, axis=0)[place]
        start = f"| {name} | {label} | {truth[place]:g} | {values.mean(axis=0)[place]:.3f} "
        yield f"{start}| {bias[place]:+.1f} | {ratio[place]:.2f} | {share:.1f} | {left_out} |"


def correlation_line(case, surveys):
    """Return the table's line of one setting: coverage with another item, and with a number."""
    n, keep, share, rho = case
    shares = []
    for number in (False, True):
        found = 0
        for survey in range(surveys):
            rng = np.random.default_rng([SEED, survey, n, number])
            low, high = correlated(rng, n, keep, share, rho, number).interval()
            found += low <= rho <= high
        shares.append(100 * found / surveys)
    return f"| {n:,} | {keep:g} | {share:g} | {rho:g} | {shares[0]:.1f} | {shares[1]:.1f} |"


def main(surveys):
    for name, draw in MODELS.items():
        for line in model_lines(name, draw, surveys):
            sys.stdout.write(f"{line}\n")
    for case in CORRELATIONS:
        sys.stdout.write(f"{correlation_line(case, surveys)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS)
