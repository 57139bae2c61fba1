"""Pan et al. (2024): the three tables of the appendix, figures 1 and 2.

Figure 0 is in pan2024_rappor.py.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import exp
from pathlib import Path

import numpy as np
import plotly.graph_objects as go

import rr_engine
from papers.files import AMBER, INK, TEAL, write

TABLE_EPSILONS = (0.1, 0.5, 1.0, 2.0, 10.0)
TABLE_SIZES = range(3, 11)
# The contents of each table: (next, previous, truth) with the truth 0.
TABLES = {
    "Pr(a|a,a)": (0, 0, 0),
    "Pr(b|b,a)": (1, 1, 0),
    "Pr(a|b,a)": (0, 1, 0),
}
REPETITIONS, SEED = 100, 2024
# Figure 1. The text that we have lacks both epsilons of Eq. 65; these are ours.
PEOPLE = (400, 600)
PERMANENT, SAMPLE, ROUNDS = 1.0, 0.5, 10
# Figure 2.
GROUPS = (100, 200, 300, 400, 500)
LINEAR = tuple(round(0.1 * step, 1) for step in range(1, 11))
NORMAL_95 = 1.959963984540054
ATTACKS = {
    "last output": (TEAL, "circle"),
    "maximum likelihood": (INK, "x"),
    "most frequent": (AMBER, "square"),
    "weighted most frequent": ("#8a8378", "diamond"),
}


def reproduce(folder: Path) -> None:
    write(folder, "pan2024-tables", *tables())
    binary, polychotomous = binary_experiment(), polychotomous_experiment()
    write(folder, "pan2024-figure-1a", *figure_1a(binary))
    write(folder, "pan2024-figure-1b", *figure_1b(binary))
    write(folder, "pan2024-figure-1c", *error_rates(binary))
    write(folder, "pan2024-figure-2a-to-e", *figure_2(polychotomous))
    write(folder, "pan2024-figure-2f", *error_rates(polychotomous))


def tables() -> tuple[list[dict], go.Figure]:
    """The appendix: chances of a relaxed report for the chain .1, .5, 1, 2, 10."""
    rows = [
        {"table": name, "t": size, "epsilon": first, "to": second, "chance": float(kernel[entry])}
        for name, entry in TABLES.items()
        for size in TABLE_SIZES
        for first, second in pairwise(TABLE_EPSILONS)
        for kernel in [_kernel(size, first, second)]
    ]
    chart = go.Figure()
    for name in TABLES:
        for first in TABLE_EPSILONS[:-1]:
            line = [row for row in rows if (row["table"], row["epsilon"]) == (name, first)]
            chances = [row["chance"] for row in line]
            chart.add_trace(go.Scatter(x=list(TABLE_SIZES), y=chances, name=f"{name} from {first}"))
    title = "Chances of a relaxed report (next | previous, truth)"
    return rows, chart.update_layout(title=title, xaxis_title="t", yaxis_title="chance")


def _kernel(size: int, first: float, second: float) -> np.ndarray:
    return rr_engine.relaxation.relaxation_kernel(
        rr_engine.k_rr(size, first), rr_engine.k_rr(size, second)
    )


class Experiment:
    """The chains of all people in every repetition, and what is estimated from them.

    Attributes
    ----------
    epsilons : list of float
    truths : ndarray of int, shape (n,)
    chain : Chain
    reports : list of ndarray of int, shape (n, devices)
        One for each repetition.
    shares : ndarray of float, shape (repetitions, devices, categories)
        Estimated after each step, from its reports alone.
    """

    def __init__(self, groups: Sequence[int], epsilons: Sequence[float]) -> None:
        self.epsilons = list(epsilons)
        self.truths = np.repeat(np.arange(len(groups)), groups)
        self.chain = rr_engine.relaxation.Chain([rr_engine.k_rr(len(groups), e) for e in epsilons])
        rng = np.random.default_rng(SEED)
        self.reports = [self._relax(rng) for _ in range(REPETITIONS)]
        self.shares = np.array([self._estimates(reports) for reports in self.reports])

    def _relax(self, rng: np.random.Generator) -> np.ndarray:
        """Draw a first report of everybody, and relax it step by step."""
        designs = self.chain.designs
        steps = [designs[0].draw(self.truths, rng.bytes)]
        for now, later in pairwise(designs):
            steps.append(rr_engine.relaxation.relax(steps[-1], self.truths, now, later, rng))
        return np.stack(steps, axis=1)

    def _estimates(self, reports: np.ndarray) -> list[np.ndarray]:
        size = self.chain.designs[0].truth_size
        return [
            rr_engine.estimate(design, np.bincount(column, minlength=size)).proportions
            for design, column in zip(self.chain.designs, reports.T, strict=True)
        ]

    @property
    def proportions(self) -> np.ndarray:
        """The true shares."""
        return np.bincount(self.truths) / len(self.truths)

    def variances(self) -> np.ndarray:
        """Eq. 67 and Appendix G: of each share after each step, the truths being what they are."""
        n, shares = len(self.truths), self.proportions
        spreads = [
            design.variances(shares, design.apply(shares), "fixed") for design in self.chain.designs
        ]
        return np.array(spreads) / n

    def balanced(self) -> np.ndarray:
        """As many people of each category as there are of the rarest: Theorem 6.1 is about them."""
        size = np.bincount(self.truths).min()
        return np.concatenate(
            [np.flatnonzero(self.truths == value)[:size] for value in np.unique(self.truths)]
        )


def binary_experiment() -> Experiment:
    epsilons = [
        rr_engine.rappor.budget_after_samples(PERMANENT, SAMPLE, k) for k in range(1, ROUNDS + 1)
    ]
    return Experiment(PEOPLE, epsilons)


def polychotomous_experiment() -> Experiment:
    return Experiment(GROUPS, LINEAR)


def figure_1a(experiment: Experiment) -> tuple[list[dict], go.Figure]:
    """The mean of the estimated share of ones after each round, with the theoretical interval."""
    rows = _means(experiment, 1)
    chart = _interval_chart(rows)
    title = f"Share of ones, {REPETITIONS} repetitions (band: 95 % of single estimates)"
    return rows, chart.update_layout(title=title, xaxis_title="round", yaxis_title="share")


def _means(experiment: Experiment, category: int) -> list[dict]:
    estimates = experiment.shares[:, :, category]
    variances = experiment.variances()[:, category]
    return [
        {
            "round": step + 1,
            "epsilon": epsilon,
            "category": category + 1,
            "truth": float(experiment.proportions[category]),
            "mean": float(estimates[:, step].mean()),
            "mean_se": float((variances[step] / REPETITIONS) ** 0.5),
            "sd": float(estimates[:, step].std(ddof=1)),
            "sd_theory": float(variances[step] ** 0.5),
        }
        for step, epsilon in enumerate(experiment.epsilons)
    ]


def _interval_chart(rows: Sequence[dict]) -> go.Figure:
    rounds = [row["round"] for row in rows]
    chart = go.Figure()
    for sign, fill in ((-1, None), (1, "tonexty")):
        edge = [row["truth"] + sign * NORMAL_95 * row["sd_theory"] for row in rows]
        line = go.Scatter(x=rounds, y=edge, fill=fill, line_color=AMBER, name="theory, 95 %")
        chart.add_trace(line)
    deviations = [NORMAL_95 * row["sd"] for row in rows]
    means = go.Scatter(
        x=rounds,
        y=[row["mean"] for row in rows],
        error_y={"type": "data", "array": deviations},
        line_color=TEAL,
        name="relaxation",
    )
    return chart.add_trace(means)


def figure_1b(experiment: Experiment) -> tuple[list[dict], go.Figure]:
    """The variance of the share of ones: relaxation and noisy samples at equal spent budget."""
    sampled = sample_noisily(experiment.truths)
    rows = [
        {
            "round": step + 1,
            "epsilon": epsilon,
            "relaxation": float(experiment.shares[:, step, 1].var(ddof=1)),
            "relaxation_theory": relaxed_variance(epsilon, len(experiment.truths)),
            "noisy_samples": float(sampled[:, step].var(ddof=1)),
            "noisy_samples_theory": sampled_variance(step + 1, len(experiment.truths)),
        }
        for step, epsilon in enumerate(experiment.epsilons)
    ]
    chart = go.Figure()
    for name, colour in (("relaxation", TEAL), ("noisy_samples", AMBER)):
        for key, mode in ((name, "markers"), (f"{name}_theory", "lines")):
            values = [row[key] for row in rows]
            rounds = [row["round"] for row in rows]
            line = go.Scatter(x=rounds, y=values, mode=mode, name=key, line_color=colour)
            chart.add_trace(line)
    title = "Variance of the share of ones, at the same epsilon spent"
    chart.update_layout(title=title, xaxis_title="round", yaxis_title="variance")
    return rows, chart.update_yaxes(type="log")


def relaxed_variance(epsilon: float, n: int) -> float:
    """Eq. 67, the truths being what they are."""
    ratio = exp(epsilon)
    return ratio / (n * (ratio - 1) ** 2)


def sampled_variance(samples: int, n: int) -> float:
    """Eq. 68, the same after so many noisy samples of permanent responses."""
    kept, sampled = (exp(epsilon) / (1 + exp(epsilon)) for epsilon in (PERMANENT, SAMPLE))
    noise = sampled * (1 - sampled) / (samples * (2 * sampled - 1) ** 2)
    return (kept * (1 - kept) + noise) / (n * (2 * kept - 1) ** 2)


def sample_noisily(truths: np.ndarray) -> np.ndarray:
    """Shares of ones from 1, 2, ... noisy samples of everybody, shape (repetitions, rounds)."""
    rng = np.random.default_rng(SEED + 1)
    permanent, sampler = (rr_engine.k_rr(2, e).quantized() for e in (PERMANENT, SAMPLE))
    rounds = np.arange(1, ROUNDS + 1)
    shares = []
    for _ in range(REPETITIONS):
        kept = permanent.draw(truths, rng.bytes)
        samples = [sampler.draw(kept, rng.bytes).mean() for _ in rounds]
        ones = np.cumsum(samples) / rounds
        shares.append([_share(_share(float(one), sampler), permanent) for one in ones])
    return np.array(shares)


def _share(reported: float, design: rr_engine.DesignMatrix) -> float:
    return float(design.solve(np.array([1 - reported, reported]))[1])


def error_rates(experiment: Experiment) -> tuple[list[dict], go.Figure]:
    """How often each attack errs after each round, truths equally common, against the floor."""
    people, size = experiment.balanced(), experiment.chain.designs[0].truth_size
    rows = []
    for step, epsilon in enumerate(experiment.epsilons):
        chain = rr_engine.relaxation.Chain(experiment.chain.designs[: step + 1])
        errors = [
            _errors(reports[people, : step + 1], experiment.truths[people], chain, experiment)
            for reports in experiment.reports
        ]
        row = {
            "round": step + 1,
            "epsilon": epsilon,
            "people": len(people),
            "floor": rr_engine.relaxation.attack_floor(size, epsilon),
        }
        for name in ATTACKS:
            rates = np.array([error[name] for error in errors])
            row[name] = float(rates.mean())
            row[f"{name}_sd"] = float(rates.std(ddof=1))
        rows.append(row)
    return rows, _error_chart(rows)


def _errors(
    reports: np.ndarray,
    truths: np.ndarray,
    chain: rr_engine.relaxation.Chain,
    experiment: Experiment,
) -> dict[str, float]:
    size, weights = chain.designs[0].truth_size, experiment.epsilons[: reports.shape[1]]
    guesses = {
        "last output": rr_engine.relaxation.guess_last(reports),
        "maximum likelihood": rr_engine.relaxation.guess_most_likely(reports, chain),
        "most frequent": rr_engine.relaxation.guess_most_frequent(reports, size),
        "weighted most frequent": rr_engine.relaxation.guess_most_frequent(reports, size, weights),
    }
    return {name: float((guess != truths).mean()) for name, guess in guesses.items()}


def _error_chart(rows: Sequence[dict]) -> go.Figure:
    rounds = [row["round"] for row in rows]
    floor = [row["floor"] for row in rows]
    chart = go.Figure(go.Scatter(x=rounds, y=floor, name="floor", line_color=INK, line_dash="dash"))
    for name, (colour, symbol) in ATTACKS.items():
        chart.add_trace(
            go.Scatter(
                x=rounds,
                y=[row[name] for row in rows],
                error_y={"type": "data", "array": [row[f"{name}_sd"] for row in rows]},
                mode="markers",
                marker={"color": colour, "symbol": symbol, "size": 9},
                name=name,
            )
        )
    title = f"Error rates of four attacks, {REPETITIONS} repetitions (bars: one standard deviation)"
    return chart.update_layout(title=title, xaxis_title="round", yaxis_title="error rate")


def figure_2(experiment: Experiment) -> tuple[list[dict], go.Figure]:
    """The mean of the estimated share of each of the five values after each round."""
    rows = [row for category in range(len(GROUPS)) for row in _means(experiment, category)]
    chart = go.Figure()
    for category in range(len(GROUPS)):
        part = [row for row in rows if row["category"] == category + 1]
        for trace in _interval_chart(part).data:
            trace.update(legendgroup=str(category), name=f"{trace.name}, value {category + 1}")
            chart.add_trace(trace)
    title = f"Shares of five values, {REPETITIONS} repetitions (bands: 95 % of single estimates)"
    return rows, chart.update_layout(title=title, xaxis_title="round", yaxis_title="share")
