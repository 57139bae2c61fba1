"""Wang, Wu & Hu (2016), figures 1 to 4: randomized response against the Laplace mechanism.

Every figure has the theoretical values (Eq. 18 at the true proportions) and those of simulated
surveys, so that each checks the other.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import plotly.graph_objects as go

import rr_engine
from papers.files import AMBER, INK, TEAL, write
from papers.populations import Population
from rr_engine.distributions import normal_isf

FIGURE_1_EPSILON = 5
# The axis of the paper's figures 2 to 4 has no printed values.
EPSILONS = (0.5, 1, 2, 3, 4, 5, 6, 7, 8)
SURVEYS = 400
SEED = 2016
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Mechanism:
    name: str
    label: str
    colour: str
    design: Callable[[int, float], rr_engine.DesignMatrix]


MECHANISMS = (
    Mechanism("rr", "randomized response", TEAL, rr_engine.k_rr),
    Mechanism("laplace", "Laplace", AMBER, rr_engine.designs.laplace),
)


def reproduce(population: Population, folder: Path) -> None:
    for number, figure in enumerate((figure_1, figure_2, figure_3, figure_4), 1):
        rows, chart = figure(population)
        write(folder, f"wang2016-figure-{number}-{population.name}", rows, chart)


def figure_1(population: Population) -> tuple[list[dict], go.Figure]:
    """The shares of one attribute from one survey at epsilon 5, with standard deviations."""
    shares, levels = population.shares, population.levels[0]
    rows = [
        {"level": level, "truth": float(share)} for level, share in zip(levels, shares, strict=True)
    ]
    chart = go.Figure(go.Bar(x=levels, y=shares, name="truth", marker_color=INK))
    for mechanism in MECHANISMS:
        design = mechanism.design(len(shares), FIGURE_1_EPSILON)
        counts = rr_engine.simulate_counts(design, shares, population.n, SEED)
        estimates = rr_engine.estimate(design, counts).proportions
        deviations = standard_deviations(design, shares, population.n)
        for row, estimate, deviation in zip(rows, estimates, deviations, strict=True):
            row[mechanism.name] = float(estimate)
            row[f"{mechanism.name}_sd"] = float(deviation)
        error = {"type": "data", "array": deviations}
        bar = go.Bar(
            x=levels,
            y=estimates,
            error_y=error,
            name=mechanism.label,
            marker_color=mechanism.colour,
        )
        chart.add_trace(bar)
    title = f"Shares of {population.attributes[0]}, epsilon {FIGURE_1_EPSILON} ({population.title})"
    return rows, chart.update_layout(title=title, yaxis_title="share", barmode="group")


def figure_2(population: Population) -> tuple[list[dict], go.Figure]:
    """Average mean squared error of the shares, by epsilon."""
    shares, rows = population.shares, []
    generator = np.random.default_rng(SEED)
    for epsilon in EPSILONS:
        row = {"epsilon": epsilon}
        for mechanism in MECHANISMS:
            design = mechanism.design(len(shares), epsilon)
            errors = [
                float(np.mean((estimate.proportions - shares) ** 2))
                for estimate in simulate_estimates(design, shares, population.n, generator)
            ]
            row[f"{mechanism.name}_mse"] = design.mse(shares, population.n)
            row[f"{mechanism.name}_simulated"] = float(np.mean(errors))
            row[f"{mechanism.name}_simulated_se"] = float(np.std(errors) / SURVEYS**0.5)
        row["ratio"] = row["laplace_mse"] / row["rr_mse"]
        rows.append(row)
    chart = go.Figure()
    for mechanism in MECHANISMS:
        chart.add_trace(_line(mechanism, rows, f"{mechanism.name}_mse"))
    title = f"Mean squared error of the shares of {population.attributes[0]} ({population.title})"
    chart.update_layout(title=title, xaxis_title="epsilon", yaxis_title="mean squared error")
    return rows, chart.update_yaxes(type="log")


def figure_3(population: Population) -> tuple[list[dict], go.Figure]:
    """The entropy of one attribute, in bits, by epsilon."""
    exact = rr_engine.estimate(
        rr_engine.designs.direct(len(population.shares)), _people(population)
    )
    truth = rr_engine.association.entropy(exact, "none").value

    def values(mechanism: Mechanism, epsilon: float, rng: np.random.Generator) -> list[float]:
        design = mechanism.design(len(population.shares), epsilon)
        surveys = simulate_estimates(design, population.shares, population.n, rng)
        return [rr_engine.association.entropy(estimate, "none").value for estimate in surveys]

    title = f"Entropy of {population.attributes[0]} ({population.title})"
    return _over_epsilon(truth, values, title, "bits")


def figure_4(population: Population) -> tuple[list[dict], go.Figure]:
    """Chi-square of the two attributes, both asked at the same epsilon, by epsilon."""
    sizes = population.counts.shape
    exact = rr_engine.estimate_joint(
        [rr_engine.designs.direct(size) for size in sizes], population.counts
    )
    truth = rr_engine.association.chi_square(exact, "none").value

    def values(mechanism: Mechanism, epsilon: float, rng: np.random.Generator) -> list[float]:
        designs = [mechanism.design(size, epsilon) for size in sizes]
        first, second = (design.matrix for design in designs)
        reported = first @ population.table @ second.T
        statistics = []
        for _ in range(SURVEYS):
            counts = rng.multinomial(population.n, reported.ravel()).reshape(reported.shape)
            joint = rr_engine.estimate_joint(designs, counts)
            statistics.append(rr_engine.association.chi_square(joint, "none").value)
        return statistics

    title = f"Chi-square of {' and '.join(population.attributes)} ({population.title})"
    return _over_epsilon(truth, values, title, "chi-square")


def standard_deviations(design: rr_engine.DesignMatrix, shares: np.ndarray, n: int) -> np.ndarray:
    """True standard deviations of the unbiased estimates (Wang Eq. 18 at the true shares)."""
    margins = [
        rr_engine.margin_of_error(design, shares, n, LEVEL, category=index)
        for index in range(len(shares))
    ]
    return np.array(margins) / normal_isf((1 - LEVEL) / 2)


def simulate_estimates(
    design: rr_engine.DesignMatrix, shares: np.ndarray, n: int, rng: np.random.Generator
) -> Iterator[rr_engine.Estimate]:
    """Estimates from SURVEYS simulated surveys, each of `n` people drawn with these shares."""
    for _ in range(SURVEYS):
        yield rr_engine.estimate(design, rng.multinomial(n, design.matrix @ shares))


def _people(population: Population) -> np.ndarray:
    return population.counts.sum(axis=1)


def _over_epsilon(
    truth: float,
    values: Callable[[Mechanism, float, np.random.Generator], list[float]],
    title: str,
    unit: str,
) -> tuple[list[dict], go.Figure]:
    generator = np.random.default_rng(SEED)
    rows = []
    for epsilon in EPSILONS:
        row = {"epsilon": epsilon, "truth": truth}
        for mechanism in MECHANISMS:
            statistics = np.array(values(mechanism, epsilon, generator))
            row[mechanism.name] = float(np.mean(statistics))
            row[f"{mechanism.name}_sd"] = float(np.std(statistics, ddof=1))
            row[f"{mechanism.name}_rmse"] = float(np.sqrt(np.mean((statistics - truth) ** 2)))
        rows.append(row)
    line = go.Scatter(x=EPSILONS, y=[truth] * len(EPSILONS), name="truth", line_color=INK)
    chart = go.Figure(line)
    for mechanism in MECHANISMS:
        deviations = {"type": "data", "array": [row[f"{mechanism.name}_sd"] for row in rows]}
        chart.add_trace(_line(mechanism, rows, mechanism.name, error_y=deviations))
    return rows, chart.update_layout(title=title, xaxis_title="epsilon", yaxis_title=unit)


def _line(mechanism: Mechanism, rows: list[dict], key: str, **more: object) -> go.Scatter:
    return go.Scatter(
        x=[row["epsilon"] for row in rows],
        y=[row[key] for row in rows],
        name=mechanism.label,
        line_color=mechanism.colour,
        **more,
    )
