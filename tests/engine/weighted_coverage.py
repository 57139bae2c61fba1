"""Simulated coverage of weighted estimates: python tests/engine/weighted_coverage.py [runs]

Populations are superpopulations: each run draws its clusters, their members' truths (with a
correlation inside clusters), weights that go with the truth or not, and the devices' reports.
Writes the tables of docs/methods/sampling.md.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import rr_engine as rr
from tests.engine.markdown_tables import head, row

METHODS = ("score", "normal")


@dataclass(frozen=True)
class Setting:
    """How a sample is drawn."""

    name: str
    clusters: int
    size: int  # people of a cluster
    correlation: float  # of two people's truths within a cluster
    spread: float  # of the logarithm of the weights


SETTINGS = (
    Setting("200 people, equal weights", 200, 1, 0.0, 0.0),
    Setting("200 people, Kish 1.5", 200, 1, 0.0, 0.64),
    Setting("1,000 people, Kish 2", 1000, 1, 0.0, 0.83),
    Setting("20 clusters of 20, Kish 1.5", 20, 20, 0.05, 0.64),
    Setting("50 clusters of 20, Kish 1.5", 50, 20, 0.05, 0.64),
)


def truths_of(setting: Setting, share: float, rng: np.random.Generator) -> np.ndarray:
    """Draw truths with a beta-binomial correlation within clusters."""
    chances = np.full(setting.clusters, share)
    if setting.correlation and 0 < share < 1:
        size = 1 / setting.correlation - 1
        chances = rng.beta(share * size, (1 - share) * size, setting.clusters)
    return (rng.random((setting.clusters, setting.size)) < chances[:, None]).ravel().astype(int)


def samples(
    setting: Setting, share: float, runs: int, seed: int
) -> Iterator[tuple[np.ndarray, rr.SurveySample, np.random.Generator]]:
    rng = np.random.default_rng(seed)
    n = setting.clusters * setting.size
    clusters = np.repeat(np.arange(setting.clusters), setting.size)
    for _ in range(runs):
        truths = truths_of(setting, share, rng)
        weights = np.exp(setting.spread * rng.normal(size=n))
        yield truths, rr.SurveySample(weights, clusters=clusters), rng


def coverage(
    setting: Setting, design: rr.DesignMatrix, share: float, runs: int, seed: int = 2015
) -> dict[str, float]:
    """Return how often each method's interval holds the share, and the bias in standard errors."""
    held = dict.fromkeys(METHODS, 0)
    errors = []
    for truths, sample, rng in samples(setting, share, runs, seed):
        found = rr.estimate_weighted(design, design.sample(truths, rng), sample)
        errors.append(found.values[1] - share)
        for method in METHODS:
            low, high = found.interval(method=method)[1]
            held[method] += bool(low <= share <= high)
    bias = np.mean(errors) / (np.std(errors) / runs**0.5) if np.std(errors) else 0.0
    return {"bias": float(bias), **{method: held[method] / runs for method in METHODS}}


def rejection_rate(setting: Setting, design: rr.DesignMatrix, runs: int, seed: int = 2016) -> float:
    """Return how often independence of two questions is rejected at 5 % where it holds."""
    rejected = 0
    for truths, sample, rng in samples(setting, 0.3, runs, seed):
        group = rng.integers(0, 3, len(truths))
        table = rr.sampling.estimate_weighted_table(
            rr.sampling.report_scores(design, design.sample(truths, rng)),
            rr.sampling.report_scores(rr.designs.direct(3), group),
            sample,
        )
        rejected += table.independence().p_value < 0.05
    return rejected / runs


def drawn_by_size(sizes: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw people with probabilities in proportion to sizes, systematically in random order."""
    order = rng.permutation(len(sizes))
    ends = np.cumsum(sizes[order] * n / sizes.sum())
    return order[np.searchsorted(ends, rng.random() + np.arange(n))]


def coverage_of_population(
    design: rr.DesignMatrix, runs: int, seed: int = 2017
) -> dict[str, tuple[float, float, float]]:
    """Return bias, error over its estimate, and coverage, of one population of 2,000 people.

    Its people are drawn with unequal chances that go with the trait, 300 at a time.
    """
    rng = np.random.default_rng(seed)
    people, n = 2000, 300
    sizes = np.clip(np.exp(0.5 * rng.normal(size=people)), 0.3, 4)
    truths = (rng.random(people) < 0.1 + 0.05 * sizes).astype(int)
    groups = np.minimum((4 * truths + rng.integers(0, 6, people)) // 3, 2)
    shares = np.bincount(groups) / people
    results: dict[str, list[tuple[float, float, bool]]] = {}
    for _ in range(runs):
        chosen = drawn_by_size(sizes, n, rng)
        sample = rr.sampling.ProbabilitySample(sizes[chosen] * n / sizes.sum())
        scores = rr.sampling.report_scores(design, design.sample(truths[chosen], rng))
        raked = rr.sampling.post_stratify(sample, groups[chosen], shares, total=people)
        for name, found, truth in (
            ("total", rr.sampling.estimate_total(scores, sample), truths.sum()),
            ("mean", rr.sampling.estimate_mean(scores, sample), truths.mean()),
            ("mean, post-stratified", rr.sampling.estimate_mean(scores, raked), truths.mean()),
        ):
            low, high = found.interval()[1]
            entry = (found.values[1] - truth, found.standard_errors[1], low <= truth <= high)
            results.setdefault(name, []).append(entry)
    summary = {}
    for name, entries in results.items():
        errors, spreads, held = np.array(entries, dtype=float).T
        bias = float(errors.mean() / (errors.std() / runs**0.5))
        summary[name] = (bias, float(spreads.mean() / errors.std()), float(held.mean()))
    return summary


def main(runs: int) -> None:
    devices = {"direct": rr.designs.direct(2), "warner(0.8)": rr.warner(0.8)}
    head("sample", "device", "share", "bias", "score", "normal")
    for setting in SETTINGS:
        for name, design in devices.items():
            for share in (0.01, 0.05, 0.3):
                found = coverage(setting, design, share, runs)
                numbers = (f"{found[key]:.3f}" for key in ("score", "normal"))
                row(setting.name, name, share, f"{found['bias']:+.1f}", *numbers)
    head("sample", "device", "rejected at 5 %")
    for setting in SETTINGS:
        for name, design in devices.items():
            row(setting.name, name, f"{rejection_rate(setting, design, runs):.3f}")
    head("estimate", "device", "bias", "error told / error", "coverage")
    for name, design in devices.items():
        for what, (bias, ratio, held) in coverage_of_population(design, runs).items():
            row(what, name, f"{bias:+.1f}", f"{ratio:.3f}", f"{held:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
