"""Pan (2024), figure 0: RAPPOR's noisy samples against the relaxation of its permanent response.

Everything is per bit. The text that we have lost the numbers of the captions: the permanent bit has
epsilon 1, at which part (c) ends, and parts (a) and (b) go to 50 samples.
"""

from pathlib import Path

import plotly.graph_objects as go

import rr_engine
from papers.files import AMBER, INK, TEAL, write

PERMANENT = 1.0
SAMPLED = (0.1, 0.2, 0.5, 1.0)
SAMPLES = range(1, 51)
START = 0.1
STRIDES = (0.02, 0.05, 0.1, 0.3)
# The respondents of section 6.1.
PEOPLE = 1000
SHADES = (TEAL, AMBER, INK, "#7a4f9a")


def reproduce(folder: Path) -> None:
    for part, figure in (("a", figure_0a), ("b", figure_0b), ("c", figure_0c)):
        write(folder, f"pan2024-figure-0{part}", *figure())


def figure_0a() -> tuple[list[dict], go.Figure]:
    """The budget spent after K noisy samples of one bit (Eq. 65)."""
    rows = [
        {"samples": samples}
        | {f"epsilon_s {sampled:g}": spent(sampled, samples) for sampled in SAMPLED}
        for samples in SAMPLES
    ]
    chart = go.Figure()
    for sampled, colour in zip(SAMPLED, SHADES, strict=True):
        chart.add_trace(_line(rows, "samples", f"epsilon_s {sampled:g}", colour))
    title = f"Budget after K noisy samples, permanent bit at epsilon {PERMANENT:g}"
    return rows, chart.update_layout(title=title, xaxis_title="K", yaxis_title="epsilon")


def spent(sampled: float, samples: int) -> float:
    """Epsilon of one bit after so many samples."""
    return rr_engine.rappor.budget_after_samples(PERMANENT, sampled, samples)


def figure_0b() -> tuple[list[dict], go.Figure]:
    """The variance of a bit's frequency at the same budget: samples (Eq. 68), relaxation (67)."""
    rows = []
    for sampled in SAMPLED:
        for samples in SAMPLES:
            budget = spent(sampled, samples)
            relaxed = rr_engine.rappor.relaxed_bit_variance(budget, PEOPLE)
            of_samples = rr_engine.rappor.sampled_bit_variance(PERMANENT, sampled, samples, PEOPLE)
            rows.append(
                {
                    "epsilon_s": sampled,
                    "samples": samples,
                    "budget": budget,
                    "relaxation": relaxed,
                    "noisy_samples": of_samples,
                    "ratio": of_samples / relaxed,
                }
            )
    chart = go.Figure()
    for sampled, colour in zip(SAMPLED, SHADES, strict=True):
        part = [row for row in rows if row["epsilon_s"] == sampled]
        for key, dash in (("relaxation", "solid"), ("noisy_samples", "dash")):
            name = f"{key.replace('_', ' ')}, epsilon_s {sampled:g}"
            chart.add_trace(_line(part, "samples", key, colour, name=name, line_dash=dash))
    title = f"Variance of the frequency of a bit, n = {PEOPLE:,}"
    chart.update_layout(title=title, xaxis_title="K", yaxis_title="variance")
    return rows, chart.update_yaxes(type="log")


def figure_0c() -> tuple[list[dict], go.Figure]:
    """The variance when a bit is relaxed linearly from epsilon 0.1 to 1, by different strides."""
    rows = []
    for stride in STRIDES:
        steps = round((PERMANENT - START) / stride)
        for step in range(steps + 1):
            # In decimals: 0.1 + 18 strides of 0.05 is 1.
            epsilon = round(START + step * stride, 10)
            variance = rr_engine.rappor.relaxed_bit_variance(epsilon, PEOPLE)
            rows.append({"stride": stride, "step": step, "epsilon": epsilon, "variance": variance})
    chart = go.Figure()
    for stride, colour in zip(STRIDES, SHADES, strict=True):
        part = [row for row in rows if row["stride"] == stride]
        chart.add_trace(_line(part, "step", "variance", colour, name=f"stride {stride:g}"))
    title = f"Linear relaxation from {START:g} to {PERMANENT:g}, n = {PEOPLE:,}"
    chart.update_layout(title=title, xaxis_title="step", yaxis_title="variance")
    return rows, chart.update_yaxes(type="log")


def _line(rows: list[dict], across: str, key: str, colour: str, **more: object) -> go.Scatter:
    return go.Scatter(
        x=[row[across] for row in rows],
        y=[row[key] for row in rows],
        line_color=colour,
        **({"name": key} | more),
    )
