"""Huang & Du (2008), OptRR: figures 4 and 5, with the certified bound.

Every front is shown with the Warner family, the front of a gradient search for square matrices, and
the certified bound: the least error of any mechanism, with any number of reports.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from scipy.stats import gamma, norm

import rr_engine
from papers.files import AMBER, INK, TEAL, write
from papers.populations import Population
from rr_engine.optimisation.front import evaluate, lowest_errors, undominated

N, SIZE = 10_000, 10
GENERATIONS = 300
GENERATIONS_OF_PAPER = 20_000
DELTA = 0.75
DELTAS = (0.6, 0.7, 0.8, 0.9)
LEVELS, BOUND_POINTS = 24, 200
# The step of Warner's diagonal from 0 to 1, as in section VI-B.
STEP = 0.001
SURVEYS, SEED = 60, 2008
# The number of members of each front that are simulated under the iterative estimator.
SIMULATED = 16
WARNER, OPTRR, LOCAL, BOUND = "Warner", "OptRR", "local search", "certified bound"
COLOURS = {WARNER: "#8a8378", OPTRR: AMBER, LOCAL: TEAL, BOUND: INK}


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    matrix: np.ndarray | None
    privacy: float
    mse: float


def reproduce(
    folder: Path, generations: int = GENERATIONS, adult_population: Population | None = None
) -> None:
    priors = binned_priors()
    for delta in DELTAS:
        name = f"optrr2008-figure-4-delta-{delta:g}"
        write(
            folder, name, *figure(priors["normal"], delta, generations, f"normal, delta {delta:g}")
        )
    fronts = all_fronts(priors["gamma"], DELTA, generations)
    write(folder, "optrr2008-figure-5a", *draw_fronts(fronts, "gamma(1, 2), delta 0.75"))
    uniform = figure(priors["uniform"], DELTA, generations, "uniform, delta 0.75")
    write(folder, "optrr2008-figure-5b", *uniform)
    if adult_population is not None:
        write(folder, "optrr2008-figure-5c", *adult(adult_population, generations))
    write(folder, "optrr2008-figure-5d", *iterative(fronts, priors["gamma"]))
    write(folder, "optrr2008-theorem-2-fact-1", *one_family(priors["normal"]))


def binned_priors() -> dict[str, np.ndarray]:
    """Ten equal bins on the mean and three standard deviations each way, cut to the
    support.
    """
    return {
        "normal": _bin_masses(norm.cdf, -3, 3),
        "gamma": _bin_masses(gamma(1, scale=2).cdf, 0, 8),
        "uniform": np.full(SIZE, 1 / SIZE),
    }


def _bin_masses(cdf: Callable, low: float, high: float) -> np.ndarray:
    masses = np.diff(cdf(np.linspace(low, high, SIZE + 1)))
    return masses / masses.sum()


def figure(
    prior: np.ndarray, delta: float, generations: int, title: str
) -> tuple[list[dict], go.Figure]:
    return draw_fronts(all_fronts(prior, delta, generations), title)


def all_fronts(prior: np.ndarray, delta: float, generations: int) -> dict[str, list[Point]]:
    optrr = rr_engine.optimisation.search_designs(
        prior, N, delta, generations=generations, seed=SEED
    )
    local = rr_engine.optimisation.search_designs(
        prior, N, delta, "local", seed=SEED, levels=LEVELS
    )
    return {
        WARNER: warner_front(prior, delta),
        OPTRR: _points(optrr),
        LOCAL: _points(local),
        BOUND: _bound(optrr),
    }


def _points(front: rr_engine.optimisation.Front) -> list[Point]:
    return [Point(member.matrix, member.privacy, member.mse) for member in front.members]


def _bound(front: rr_engine.optimisation.Front) -> list[Point]:
    """The certified bound on a fine grid: it is convex, so chords of few points lie above it."""
    highest = front.certificates[-1].privacy
    grid = np.linspace(1 - front.delta, highest, BOUND_POINTS)
    errors = lowest_errors(front.certificates, grid) / front.n
    return [Point(None, *point) for point in zip(grid.tolist(), errors.tolist(), strict=True)]


def warner_front(prior: np.ndarray, delta: float) -> list[Point]:
    size = len(prior)
    retention = np.arange(0, 1 + STEP / 2, STEP)[:, None, None]
    matrices = (1 - retention) / (size - 1) * (1 - np.eye(size)) + retention * np.eye(size)
    privacy, error, worst = evaluate(matrices, prior)
    allowed = np.flatnonzero((worst <= delta) & np.isfinite(error))
    best = allowed[undominated(privacy[allowed], 1 / error[allowed])[::-1]]
    return [Point(matrices[i], float(privacy[i]), float(error[i]) / N) for i in best]


def draw_fronts(fronts: dict[str, list[Point]], title: str) -> tuple[list[dict], go.Figure]:
    rows = [
        {"front": name, "privacy": point.privacy, "mse": point.mse}
        for name, points in fronts.items()
        for point in points
    ]
    chart = go.Figure([_line(name, points) for name, points in fronts.items()])
    chart.update_layout(
        title=f"OptRR, {title}", xaxis_title="privacy (Eq. 8)", yaxis_title="mean squared error"
    )
    # Towards the largest privacy the error of every front grows without bound.
    return rows, chart.update_yaxes(range=[0, 8 * min(point.mse for point in fronts[BOUND])])


def _line(name: str, points: Sequence[Point]) -> go.Scatter:
    return go.Scatter(
        x=[point.privacy for point in points],
        y=[point.mse for point in points],
        mode="lines" if name in (WARNER, BOUND) else "markers",
        name=name,
        line_color=COLOURS[name],
        line_dash="dash" if name == BOUND else "solid",
        marker_size=5,
    )


def adult(people: Population, generations: int) -> tuple[list[dict], go.Figure]:
    """Figure 5c: the first attribute of a population; levels that nobody has are left out."""
    shares = people.shares[people.shares > 0]
    delta = max(DELTA, (1 + float(shares.max())) / 2)
    return figure(shares, delta, generations, f"{people.title}, {people.attributes[0]}")


def iterative(fronts: dict[str, list[Point]], prior: np.ndarray) -> tuple[list[dict], go.Figure]:
    """Figure 5d: the same matrices under the iterative estimator (maximum likelihood)."""
    names = (WARNER, OPTRR, LOCAL)
    rows = [
        {"front": name, "privacy": point.privacy, "mse_formula": point.mse}
        | _simulate(point, prior)
        for name in names
        for point in _sample(fronts[name])
    ]
    # The bound holds for unbiased estimates; maximum likelihood has a bias at every finite n.
    chart = go.Figure(_line(BOUND, fronts[BOUND]))
    for name in names:
        points = [row for row in rows if row["front"] == name]
        chart.add_trace(
            go.Scatter(
                x=[row["privacy"] for row in points],
                y=[row["mse_iterative"] for row in points],
                error_y={"type": "data", "array": [2 * row["standard_error"] for row in points]},
                mode="markers",
                name=name,
                marker_color=COLOURS[name],
            )
        )
    chart.update_layout(
        title=f"gamma(1, 2), iterative estimator, {SURVEYS} surveys a point (2 standard errors)",
        xaxis_title="privacy (Eq. 8)",
        yaxis_title="mean squared error",
    )
    return rows, chart.update_yaxes(type="log", exponentformat="power")


def _sample(points: Sequence[Point]) -> Iterator[Point]:
    for index in np.unique(np.linspace(0, len(points) - 1, SIMULATED).round().astype(int)):
        yield points[index]


def _simulate(point: Point, prior: np.ndarray) -> dict[str, float]:
    rng = np.random.default_rng(SEED)
    design = rr_engine.DesignMatrix(point.matrix).quantized(accept_infinite_epsilon=True)
    squares = []
    for _ in range(SURVEYS):
        counts = rr_engine.simulate_counts(design, prior, N, rng=rng)
        estimate = rr_engine.estimate(design, counts, method="mle")
        squares.append(((estimate.proportions - prior) ** 2).mean())
    standard_error = float(np.std(squares, ddof=1) / np.sqrt(SURVEYS))
    return {"mse_iterative": float(np.mean(squares)), "standard_error": standard_error}


def one_family(prior: np.ndarray) -> tuple[list[dict], go.Figure]:
    """Theorem 2: Warner matrices compared with the UP and FRAPP matrices of the same diagonal."""
    rows = []
    for retention in np.arange(0.15, 0.96, 0.1):
        ratio = retention * (SIZE - 1) / (1 - retention)
        warner = np.full((SIZE, SIZE), (1 - retention) / (SIZE - 1))
        np.fill_diagonal(warner, retention)
        designs = {
            "UP": rr_engine.designs.uniform_perturbation(SIZE, (SIZE * retention - 1) / (SIZE - 1)),
            "FRAPP": rr_engine.designs.frapp(SIZE, ratio),
        }
        differences = {
            f"largest difference, {name}": float(np.abs(design.matrix - warner).max())
            for name, design in designs.items()
        }
        error = {"mse": rr_engine.DesignMatrix(warner).mse(prior, N)}
        rows.append({"p": float(retention)} | differences | error)
    chart = go.Figure(go.Scatter(x=[row["p"] for row in rows], y=[row["mse"] for row in rows]))
    chart.update_layout(
        title=f"One family; Fact 1: {comb(109, 100) ** 10:.3g} matrices of ten categories in steps "
        "of 1 %",
        xaxis_title="Warner's p",
        yaxis_title="mean squared error",
    )
    return rows, chart
