"""Holohan, Leith & Mason (2017): Example 1 in numbers, and which design is optimal where."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import plotly.graph_objects as go

import rr_engine
from papers.files import write

# The text that we have lacks the example's settings; these settings of ours cover its four cases.
# The fourth lies on the threshold itself.
CASES = (
    ("above the threshold", 1.0, 0.1, 0.2),
    ("below the threshold", 0.5, 0.3, 0.1),
    ("a common trait, mirrored", 2.0, 0.05, 0.995),
    ("on the threshold", 1.0, 0.1, None),
)
MAP_EPSILONS = (0.25, 0.5, 1.0, 2.0)
STEPS = 60
SYMMETRIC, RARE, COMMON = "symmetric", "one-sided (1, delta)", "one-sided (delta, 1)"
CODES = {RARE: -1, SYMMETRIC: 0, COMMON: 1}
SCALE = [
    [0, "#a85b00"], [1 / 3, "#a85b00"],
    [1 / 3, "#e3ded4"], [2 / 3, "#e3ded4"],
    [2 / 3, "#0a6264"], [1, "#0a6264"],
]  # fmt: skip


def reproduce(folder: Path) -> None:
    write(folder, "holohan2017-example-1", *example_1())
    for epsilon in MAP_EPSILONS:
        name = f"holohan2017-map-epsilon-{epsilon:g}"
        write(folder, name, *optimal_map(epsilon))


def example_1() -> tuple[list[dict], go.Figure]:
    """Each case, with the variance of one report under each candidate of Theorem 3."""
    rows = [_case(*case) for case in CASES]
    chart = go.Figure()
    for name in CODES:
        key = f"variance, {name}"
        chart.add_trace(
            go.Bar(x=[row["case"] for row in rows], y=[row[key] for row in rows], name=name)
        )
    chart.update_layout(title="Variance of one report, by design", yaxis_title="variance")
    return rows, chart.update_yaxes(type="log")


def optimal_map(epsilon: float) -> tuple[list[dict], go.Figure]:
    """The optimal design at each delta and prevalence; the line is the threshold."""
    deltas = np.linspace(0.0, 0.5, STEPS + 1)[1:]
    prevalences = (np.arange(STEPS) + 0.5) / STEPS
    rows = [
        {"epsilon": epsilon, "delta": float(delta), "prevalence": float(prevalence)}
        | _optimum(epsilon, float(delta), float(prevalence))
        for prevalence in prevalences
        for delta in deltas
    ]
    codes = np.array([CODES[row["optimal"]] for row in rows]).reshape(STEPS, STEPS)
    cells = go.Heatmap(
        x=deltas, y=prevalences, z=codes, zmin=-1, zmax=1, colorscale=SCALE, showscale=False
    )
    threshold = [rr_engine.designs.optimal_threshold(epsilon, float(delta)) for delta in deltas]
    line = go.Scatter(x=deltas, y=threshold, line_color="#1d2329", name="threshold pi*")
    title = f"Epsilon {epsilon:g}: amber one-sided for a rare trait, teal for a common one"
    chart = go.Figure([cells, line])
    chart.update_layout(title=title, xaxis_title="delta", yaxis_title="prevalence")
    return rows, chart.update_yaxes(range=[0, 1])


def _case(name: str, epsilon: float, delta: float, prevalence: float | None) -> dict:
    threshold = rr_engine.designs.optimal_threshold(epsilon, delta)
    share = threshold if prevalence is None else prevalence
    settings = {"case": name, "epsilon": epsilon, "delta": delta, "prevalence": share}
    variances = {
        f"variance, {label}": design.mse([1 - share, share], 1)
        for label, design in candidates(epsilon, delta)
    }
    return settings | {"pi*": threshold} | _optimum(epsilon, delta, share) | variances


def candidates(epsilon: float, delta: float) -> Iterator[tuple[str, rr_engine.DesignMatrix]]:
    retention = (np.exp(epsilon) + delta) / (1 + np.exp(epsilon))
    yield RARE, rr_engine.designs.generalized_binary(1.0, delta)
    yield SYMMETRIC, rr_engine.designs.generalized_binary(retention, retention)
    yield COMMON, rr_engine.designs.generalized_binary(delta, 1.0)


def _optimum(epsilon: float, delta: float, prevalence: float) -> dict:
    design = rr_engine.designs.optimal_binary(epsilon, delta, prevalence)
    p00, p11 = float(design.matrix[0, 0]), float(design.matrix[1, 1])
    kind = RARE if p00 == 1 else COMMON if p11 == 1 else SYMMETRIC
    return {"optimal": kind, "p00": p00, "p11": p11}
