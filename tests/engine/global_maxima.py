"""Whether fits are at the highest maximum of their likelihood: compared with a global search.

    nice -n 10 python -m tests.engine.global_maxima [surveys] [model]

Writes the table of docs/methods/regression.md. Each simulated survey has its own coefficients,
size, covariates, devices and share of those who do not follow them. The search knows nothing of the
fit: L-BFGS of SciPy from 12 random starts, wide and narrow, by the likelihood's values and slopes.
"""

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

import rr_engine as rr
from rr_engine.library.noncompliance.attention_regression import _scaled
from tests.engine.markdown_tables import head, row
from tests.engine.predictor_coverage import asked, report

SEED, SURVEYS, STARTS = 15226, 100, 12
SPREADS = (0.5, 1.5, 4.0)
# In log-likelihood. Coefficients of scaled columns beyond it lead to infinity.
LOWER, FAR = 1e-3, 12.0
ENDLESS = {"separation", "higher_at_infinity"}


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fit's maximum, its objective, and whether it says that some estimates are infinite."""

    value: float
    objective: Callable
    size: int
    endless: bool


def is_endless(fit, also=()) -> bool:
    """Tell whether a fit says that it prefers a finite maximum, or has none."""
    return bool({note.code for note in fit.notes} & {*ENDLESS, *also})


def covariates(rng, n):
    """Return one to three columns: numbers, counts, yes and no, and a product."""
    columns = [rng.normal(size=n), rng.integers(-3, 4, n) / 2.0, rng.integers(0, 2, n) * 1.0]
    columns.append(columns[0] * columns[1])
    chosen = rng.permutation(4)[: rng.integers(1, 4)]
    return np.column_stack([columns[place] for place in chosen]), bool(rng.random() < 0.5)


def traits(rng, X, *, intercept):
    slopes = rng.normal(scale=rng.choice([0.3, 1.0, 2.0]), size=X.shape[1])
    level = rng.normal(scale=1.2) if intercept or rng.random() < 0.5 else 0.0
    return expit(level + X @ slopes)


def of_types(fit) -> Fitted:
    likelihood, _ = fit.data.likelihood()
    size = likelihood.trait.shape[1] + likelihood.share.shape[1]
    return Fitted(fit.log_likelihood, likelihood, size, is_endless(fit))


def types_survey(rng, form):
    n = int(rng.choice([150, 400, 1200]))
    (X, intercept), which = covariates(rng, n), rng.integers(0, 2, n)
    p = rng.choice([0.1, 1 / 6, 0.3])
    designs = (
        [rr.designs.mangat(p), rr.designs.mangat(1 - p)]
        if form == "carriers"
        else [rr.designs.generalized_binary(1 - p, 1), rr.designs.generalized_binary(p, 1)]
    )
    trait = rng.random(n) < traits(rng, X, intercept=intercept)
    share = rng.choice([0.0, 0.1, 0.3, 0.6])
    varying = rng.random() < 0.25
    shares = np.where(X[:, 0] > 0, share, share / 2) if varying else np.full(n, share)
    astray = rng.random(n) < shares
    reports, _ = report(rng, trait.astype(int), designs, which)
    reports[astray & trait if form == "carriers" else astray] = 0
    kind = rr.models.LieDetectorLogit if form == "carriers" else rr.models.CheatingLogit
    model = kind(designs) if form != "all" else kind(designs, trait_among="all")
    share_X = (X[:, 0] > 0).astype(float) if varying else None
    return of_types(model.fit(X, reports, which=which, share_X=share_X, intercept=intercept))


def attentive(rng, n, X, intercept):
    trait = rng.random(n) < traits(rng, X, intercept=intercept)
    away = rng.random(n) < rng.choice([0.05, 0.2, 0.5])
    p = rng.choice([0.1, 0.25])
    devices = [rr.crosswise(p), rr.crosswise(p)]
    own = report(rng, trait.astype(int), devices[:1])[0]
    known = report(rng, np.zeros(n, int), devices[1:])[0]
    for reports in (own, known):
        reports[away] = rng.integers(0, 2, int(away.sum()))
    return devices, trait, own, known


def attention_survey(rng):
    n = int(rng.choice([150, 400, 1200]))
    X, intercept = covariates(rng, n)
    devices, _, own, known = attentive(rng, n, X, intercept)
    share_X = X[:, 0] if rng.random() < 0.25 else None
    model = rr.models.AttentionLogit(*devices)
    return of_types(model.fit(X, own, known, share_X=share_X, intercept=intercept))


def attention_number_survey(rng):
    n = int(rng.choice([200, 600]))
    X, intercept = covariates(rng, n)
    devices, trait, own, known = attentive(rng, n, X, intercept)
    numbers = X @ rng.normal(size=X.shape[1]) + rng.normal(scale=1.5) * trait + rng.normal(size=n)
    model = rr.models.AttentionRegression(*devices)
    fit = model.fit(numbers, X, own, known, intercept=intercept)
    first = model.reports_model.fit(X, own, known, intercept=intercept)
    likelihood = _scaled(numbers, first.data).likelihood
    units = float(likelihood.groups.weights.sum() * np.log(_scaled(numbers, first.data).spread))
    size = sum(part.shape[1] for part in likelihood.parts)
    return Fitted(fit.log_likelihood + units, likelihood, size, is_endless(fit))


def logit_survey(rng):
    n = int(rng.choice([60, 200, 800]))
    (X, intercept), which = covariates(rng, n), rng.integers(0, 2, n)
    told = rng.choice([0.4, 0.7])
    devices = [rr.warner(rng.choice([0.65, 0.8])), rr.forced_response(told, (1 - told) / 2)]
    truths = (rng.random(n) < traits(rng, X, intercept=intercept)).astype(int)
    link = str(rng.choice(["logit", "probit", "cloglog"]))
    reports = report(rng, truths, devices, which)[0]
    fit = rr.RRLogit(devices, link).fit(X, reports, None, which, intercept=intercept)
    return Fitted(fit.log_likelihood, fit.fitted.likelihood, fit.params.size, is_endless(fit))


def categories_survey(rng):
    n = int(rng.choice([200, 800]))
    X, intercept = covariates(rng, n)
    eta = X @ rng.normal(size=(X.shape[1], 3)) + rng.normal(size=3) * intercept
    truths = (eta + rng.gumbel(size=(n, 3))).argmax(axis=1)
    device = rr.k_rr(3, rng.choice([0.7, 1.5, 3.0]))
    reports = report(rng, truths, [device])[0]
    fit = rr.RRLogit(device).fit(X, reports, intercept=intercept)
    return Fitted(fit.log_likelihood, fit.fitted.likelihood, fit.params.size, is_endless(fit))


def predictor_survey(rng):
    n = int(rng.choice([150, 500]))
    X, intercept = covariates(rng, n)
    X = X[:, :2]
    truth = (rng.random(n) < traits(rng, X, intercept=True)).astype(int)
    effect = rng.normal(scale=1.5)
    asked_of = [asked(rng, truth, [rr.warner(rng.choice([0.65, 0.8]))])]
    eta = X @ rng.normal(size=X.shape[1]) * 0.6 + effect * truth
    if rng.random() < 0.5:
        fit = rr.RRRegression().fit(eta + rng.normal(size=n), X, asked_of, intercept=intercept)
        units = fit.log_likelihood - fit.fitted.likelihood.value(fit.fitted.theta)
    else:
        outcome = (rng.random(n) < expit(eta)).astype(int)
        if rng.random() < 0.5:
            outcome = asked(rng, outcome, [rr.warner(0.8)])
        fit, units = rr.RRRegression("logit").fit(outcome, X, asked_of, intercept=intercept), 0.0
    likelihood = fit.fitted.likelihood
    endless = is_endless(fit, ["empty_combinations"])
    return Fitted(fit.log_likelihood - units, likelihood, len(fit.fitted.theta), endless)


def list_survey(rng):
    n, items = int(rng.choice([150, 500])), int(rng.choice([2, 4]))
    (X, intercept), treated = covariates(rng, n), rng.integers(0, 2, n)
    trait = rng.random(n) < traits(rng, X, intercept=intercept)
    chance = expit(rng.normal(scale=0.7) + X @ rng.normal(scale=0.7, size=X.shape[1]))
    counts = rng.binomial(items, chance) + trait * treated
    fit = rr.list_regression(X, counts, treated, items, intercept=intercept)
    likelihood = fit.fitted.likelihood
    return Fitted(
        fit.log_likelihood,
        likelihood,
        2 * X.shape[1] + 2 * intercept,
        is_endless(fit),
    )


def multilevel_survey(rng):
    n, groups = 300, 15
    X, _ = covariates(rng, n)
    X, school = X[:, :2], rng.integers(0, groups, n)
    level = rng.normal(scale=rng.choice([0.0, 0.7, 1.5]), size=groups)[school]
    slopes = rng.normal(scale=0.8, size=X.shape[1])
    truths = (rng.random(n) < expit(rng.normal() + X @ slopes + level)).astype(int)
    device = rr.warner(rng.choice([0.75, 0.85]))
    fit = rr.models.RRMultilevelLogit(device).fit(X, report(rng, truths, [device])[0], school)
    return Fitted(fit.log_likelihood, fit.fitted.likelihood, len(fit.params) + 1, is_endless(fit))


MODELS: dict[str, Callable[[np.random.Generator], Fitted]] = {
    "liars": lambda rng: types_survey(rng, "carriers"),
    "cheaters among followers": lambda rng: types_survey(rng, "followers"),
    "cheaters among all": lambda rng: types_survey(rng, "all"),
    "attention": attention_survey,
    "attention, a number": attention_number_survey,
    "yes or no": logit_survey,
    "three categories": categories_survey,
    "randomized predictor": predictor_survey,
    "list": list_survey,
    "groups": multilevel_survey,
}


def highest(found: Fitted, rng, starts=STARTS) -> tuple[float, bool]:
    """Return the highest value that random starts lead to, and whether it is at infinity."""

    def falling(theta):
        value, slope, _ = found.objective(theta)
        if not np.isfinite(value) or not np.isfinite(slope).all():
            return 1e10, np.zeros(len(theta))
        return -value, -slope

    best, place = -np.inf, np.zeros(found.size)
    for number in range(starts):
        start = rng.normal(scale=SPREADS[number % len(SPREADS)], size=found.size)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            end = minimize(falling, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
        if -end.fun > best:
            best, place = -float(end.fun), end.x
    return best, bool(np.abs(place).max() > FAR)


def compare(name: str, surveys: int, starts: int = STARTS) -> dict[str, float]:
    """Return how many fits are below a finite maximum of the search, and how many below infinity.

    A fit prefers a finite maximum; that the likelihood is higher at infinity it says, or it missed.
    """
    rng = np.random.default_rng([SEED, *name.encode()])
    search = np.random.default_rng([SEED, 1])
    counts = {"surveys": 0, "refused": 0, "lower": 0, "fall": 0.0, "said": 0, "missed": 0}
    for _ in range(surveys):
        try:
            found = MODELS[name](rng)
        except ValueError:
            counts["refused"] += 1
            continue
        counts["surveys"] += 1
        best, far = highest(found, search, starts)
        if best <= found.value + LOWER:
            continue
        if not far:
            counts["lower"] += 1
            counts["fall"] = max(counts["fall"], best - found.value)
        else:
            counts["said" if found.endless else "missed"] += 1
    return counts


def main() -> None:
    surveys = int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS
    names = [name for name in MODELS if len(sys.argv) < 3 or sys.argv[2] == name]
    said = ("below infinity, said", "not said")
    head("model", "surveys", "below a finite maximum", "by at most", *said)
    for name in names:
        found = compare(name, surveys)
        fall = f"{found['fall']:.3f}"
        row(name, found["surveys"], found["lower"], fall, found["said"], found["missed"])


if __name__ == "__main__":
    main()
