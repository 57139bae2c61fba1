"""Bias and coverage of regressions of a randomized answer, and of what is computed from them.

    nice -n 10 python -m tests.engine.regression_coverage [surveys]

Writes the table of docs/methods/regression.md: of each figure the mean of the estimates less the
truth, in standard errors of that mean, and the share of 95 % intervals that hold the truth.
"""

import sys
from collections.abc import Callable

import numpy as np
from scipy.special import expit, ndtr
from scipy.stats import cauchy

import rr_engine as rr
from tests.engine.predictor_coverage import report

SEED, SURVEYS = 15216, 1000
COEFFICIENTS = np.array([-0.6, 0.7, -0.4])
DEVICES = [rr.forced_response(2 / 3, 1 / 6), rr.warner(0.8), rr.designs.direct(2)]
CURVES = {
    "logit": expit,
    "probit": ndtr,
    "cloglog": lambda eta: -np.expm1(-np.exp(eta)),
    "cauchit": cauchy.cdf,
}
NAMES = ("intercept", "x1", "x2")
# Name, truth, estimate, error and interval of each figure of one survey.
Row = tuple[str, float, float, float, np.ndarray]


def rows_of(names, truth, fit, prefix="") -> list[Row]:
    """Return the rows of a fit's coefficients, those without a finite estimate left out."""
    values, errors = fit.params.ravel(), fit.standard_errors.ravel()
    intervals = fit.interval().reshape(-1, 2)
    kept = zip(names, np.ravel(truth), values, errors, intervals, strict=True)
    return [(prefix + row[0], *row[1:]) for row in kept if np.isfinite(row[3])]


def covariates(rng, n):
    return np.column_stack([rng.normal(size=n), rng.integers(0, 2, n)])


def binary(link, n=2000):
    """Three devices among the respondents, one of them a direct question."""

    def draw(rng) -> list[Row]:
        x, which = covariates(rng, n), rng.integers(0, 3, n)
        chance = CURVES[link](COEFFICIENTS[0] + x @ COEFFICIENTS[1:])
        truths = (rng.random(n) < chance).astype(int)
        fit = rr.RRLogit(DEVICES, link).fit(x, report(rng, truths, DEVICES, which)[0], None, which)
        rows = rows_of(NAMES, COEFFICIENTS, fit)
        for kind in ("expected", "robust"):
            rows += rows_of(NAMES, COEFFICIENTS, fit.with_errors(kind), f"{kind}: ")
        return rows

    return draw


def figures(rng, n=2000) -> list[Row]:
    """Predicted probabilities at two places, and average marginal effects."""
    x = covariates(rng, n)
    eta = COEFFICIENTS[0] + x @ COEFFICIENTS[1:]
    truths = (rng.random(n) < expit(eta)).astype(int)
    fit = rr.RRLogit(DEVICES[1]).fit(x, report(rng, truths, DEVICES[1:2])[0])
    places = np.array([[0.0, 0.0], [1.5, 1.0]])
    found = rr.models.predicted_probabilities(fit, places)
    wanted = expit(COEFFICIENTS[0] + places @ COEFFICIENTS[1:])
    rows = [
        (
            f"Pr(yes) at x = {place.tolist()}",
            wanted[row],
            found.probabilities[row, 1],
            found.standard_errors[row, 1],
            found.intervals[row, 1],
        )
        for row, place in enumerate(places)
    ]
    effects = rr.models.average_marginal_effects(fit)
    level = COEFFICIENTS[0] + COEFFICIENTS[1] * x[:, 0]
    share = expit(eta)
    truth = (
        COEFFICIENTS[1] * np.mean(share * (1 - share)),
        np.mean(expit(level + COEFFICIENTS[2]) - expit(level)),
    )
    for column in range(2):
        rows.append(
            (
                f"average effect of x{column + 1}",
                truth[column],
                effects.effects[column],
                effects.standard_errors[column],
                effects.intervals[column],
            )
        )
    return rows


def multinomial(rng, n=3000) -> list[Row]:
    truth = np.array([[0.2, 0.6, -0.3], [-0.5, 0.2, 0.5]])
    device, x = rr.k_rr(3, 2), covariates(rng, n)
    eta = np.column_stack([np.zeros(n), truth[:, 0] + x @ truth[:, 1:].T])
    truths = np.argmax(eta + rng.gumbel(size=eta.shape), axis=1)
    fit = rr.RRLogit(device).fit(x, report(rng, truths, [device])[0])
    names = [f"{name} of {category}" for category in (1, 2) for name in NAMES]
    return rows_of(names, truth, fit)


def line(rng, n=2000) -> list[Row]:
    """The linear probability model, through two devices."""
    truth, x = np.array([0.3, 0.1, 0.2]), np.column_stack([rng.random(n), rng.integers(0, 2, n)])
    truths = (rng.random(n) < truth[0] + x @ truth[1:]).astype(int)
    which = rng.integers(0, 2, n)
    fit = rr.RRLogit(DEVICES[:2], "identity").fit(
        x, report(rng, truths, DEVICES[:2], which)[0], None, which
    )
    return rows_of(NAMES, truth, fit)


def weighted(rng, size=8000) -> list[Row]:
    """People who would say yes are drawn more often: only the weights tell."""
    x = covariates(rng, size)
    truths = (rng.random(size) < expit(COEFFICIENTS[0] + x @ COEFFICIENTS[1:])).astype(int)
    chance = 0.15 + 0.2 * truths
    drawn = rng.random(size) < chance
    reports, _ = report(rng, truths[drawn], DEVICES[1:2])
    fit = rr.RRLogit(DEVICES[1]).fit(x[drawn], reports, 1 / chance[drawn])
    return rows_of(NAMES, COEFFICIENTS, fit)


def clustered(rng, clusters=60, size=30) -> list[Row]:
    """Groups share a covariate and, with it, latent noise that leaves the probit a probit."""
    owner = np.repeat(np.arange(clusters), size)
    x = np.column_stack([rng.normal(size=clusters)[owner], rng.integers(0, 2, len(owner))])
    # The variances of the two parts of the error add up to one.
    noise = 0.3 * rng.normal(size=clusters)[owner] + np.sqrt(0.91) * rng.normal(size=len(owner))
    truths = (COEFFICIENTS[0] + x @ COEFFICIENTS[1:] + noise > 0).astype(int)
    reports, _ = report(rng, truths, DEVICES[1:2])
    model = rr.RRLogit(DEVICES[1], "probit")
    with_clusters = model.fit(x, reports, sample=rr.SurveySample(n=len(owner), clusters=owner))
    rows = rows_of(NAMES, COEFFICIENTS, with_clusters)
    return rows + rows_of(NAMES, COEFFICIENTS, model.fit(x, reports), "clusters left out: ")


MODELS: dict[str, Callable[[np.random.Generator], list[Row]]] = {
    "logit, three devices, n = 2,000": binary("logit"),
    "probit, the same": binary("probit"),
    "cloglog, the same": binary("cloglog"),
    "cauchit, the same": binary("cauchit"),
    "logit, Warner 0.8, n = 2,000": figures,
    "multinomial, 3 categories at epsilon 2, n = 3,000": multinomial,
    "linear probability, two devices, n = 2,000": line,
    "logit, Warner 0.8, informative weights, n about 1,800": weighted,
    "probit, Warner 0.8, 60 clusters of 30": clustered,
}


def model_lines(name, draw, surveys):
    """Return the table's lines of one model."""
    found: dict[str, list[tuple[float, float, float, bool]]] = {}
    for number in range(surveys):
        for label, truth, value, error, (low, high) in draw(np.random.default_rng([SEED, number])):
            row = (value - truth, truth, error, bool(low <= truth <= high))
            found.setdefault(label, []).append(row)
    for label, rows in found.items():
        misses, truths, errors, covered = np.array(rows, dtype=float).T
        spread = misses.std(ddof=1)
        bias = misses.mean() / (spread / np.sqrt(len(rows)))
        share = 100 * covered.mean()
        figures = f"{truths.mean():.3g} | {misses.mean():+.4f} | {bias:+.1f}"
        ratio = np.median(errors) / spread
        left_out = surveys - len(rows)
        yield f"| {name} | {label} | {figures} | {ratio:.2f} | {share:.1f} | {left_out} |"


def main(surveys):
    for name, draw in MODELS.items():
        for text in model_lines(name, draw, surveys):
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS)
