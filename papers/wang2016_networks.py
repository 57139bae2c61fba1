"""Wang, Wu & Hu (2016), figures 5 and 6: degrees and triangles of a network, by mechanism.

Each tie is reported once, through randomized response or the paper's Laplace mechanism. From the
reports one graph is rebuilt, as in the paper; the unbiased estimates are ours. The others add noise
to the true counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from pathlib import Path

import numpy as np
import plotly.graph_objects as go

import rr_engine
from papers.files import AMBER, INK, TEAL, write
from papers.networks import Network, bundled, synthetic

EPSILONS = (0.5, 1, 2, 4, 6, 8)
REPETITIONS, SEED = 100, 2016
DELTA = "1e-6"
WAYS = {
    "rr": ("randomized response, rebuilt", TEAL),
    "unbiased": ("randomized response, unbiased", INK),
    "lm": ("Laplace on ties, rebuilt", AMBER),
    "lm_global": ("LM-global", "#8a8378"),
    "lm_smooth": ("LM-smooth", "#7b4a9e"),
    "lm_smooth_one": ("LM-smooth as of one count", "#b48ad0"),
    "constant": ("the same for all, no data", "#c9c2b5"),
}
DESIGNS: dict[str, Callable[[int, float], rr_engine.DesignMatrix]] = {
    "rr": rr_engine.k_rr,
    "lm": rr_engine.designs.laplace,
}


def reproduce(folder: Path, networks: Sequence[Network] | None = None) -> None:
    for network in [synthetic(), *bundled()] if networks is None else networks:
        errors, totals = compare(network)
        for number, statistic in ((5, "degrees"), (6, "triangles")):
            rows = [row for row in errors if row["statistic"] == statistic]
            write(folder, f"wang2016-figure-{number}-{network.name}", rows, picture(rows, network))
        write(folder, f"wang2016-network-{network.name}", totals, totals_picture(totals, network))


def compare(network: Network) -> tuple[list[dict], list[dict]]:
    """Average entrywise errors of degrees and triangles, and the totals, by epsilon."""
    rng = np.random.default_rng(SEED)
    truth = {"degrees": network.ties.sum(axis=1), "triangles": triangles(network.ties)}
    errors, totals = [], []
    for epsilon in EPSILONS:
        found = surveys(network, epsilon, rng)
        for statistic, true in truth.items():
            ways = found[statistic] | noisy(network, statistic, epsilon, rng)
            # The mean degree, and no triangles: what a rebuilt graph tends to.
            same = true.mean() if statistic == "degrees" else 0.0
            ways["constant"] = np.full((REPETITIONS, network.n), same)
            row: dict[str, object] = {"statistic": statistic, "epsilon": epsilon}
            for way in [way for way in WAYS if way in ways]:
                sizes = np.abs(ways[way] - true).mean(axis=1)
                row[way] = float(sizes.mean())
                row[f"{way}_se"] = float(sizes.std(ddof=1) / sqrt(REPETITIONS))
            errors.append(row)
        totals.append(total_row(network, epsilon, found["triangles"]))
    return errors, totals


def surveys(
    network: Network, epsilon: float, rng: np.random.Generator
) -> dict[str, dict[str, np.ndarray]]:
    """Degrees and triangles from simulated surveys, a row for each."""
    found: dict[str, dict[str, list]] = {"degrees": {}, "triangles": {}}
    for way, make in DESIGNS.items():
        design = make(2, epsilon)
        for _ in range(REPETITIONS):
            reported = reported_ties(network, design, rng)
            rebuilt = rr_engine.networks.reconstruct_network(reports_of(reported), design, rng=rng)
            values = {way: (rebuilt.degrees, rebuilt.triangles)}
            if way == "rr":
                scores = unbiased_scores(reported, design)
                values["unbiased"] = scores.sum(axis=1), triangles(scores)
            for name, (degrees, closed) in values.items():
                found["degrees"].setdefault(name, []).append(degrees)
                found["triangles"].setdefault(name, []).append(closed)
    return {
        statistic: {name: np.array(rows, dtype=float) for name, rows in ways.items()}
        for statistic, ways in found.items()
    }


def noisy(
    network: Network, statistic: str, epsilon: float, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Counts with Laplace noise, a row for each repetition."""
    shape = (REPETITIONS, network.n)
    first = rr_engine.networks.noisy_counts(network.ties, statistic, epsilon, rng=rng)
    true = network.ties.sum(axis=1) if statistic == "degrees" else triangles(network.ties)
    scales = {"lm_global": first.scale}
    if statistic == "triangles":
        smooth = rr_engine.networks.noisy_counts(
            network.ties, statistic, epsilon, "smooth", delta=DELTA, rng=rng
        )
        scales |= {
            "lm_smooth": smooth.scale,
            "lm_smooth_one": scale_of_one_count(network.ties, epsilon),
        }
    return {name: true + rng.laplace(scale=scale, size=shape) for name, scale in scales.items()}


def scale_of_one_count(ties: np.ndarray, epsilon: float) -> float:
    """Scale for the number of triangles alone: Nissim et al. (2007), Lemma 2.9 in one dimension."""
    beta = epsilon / (2 * log(2 / float(DELTA)))
    return 2 * rr_engine.networks.triangle_sensitivity(ties, beta).smooth / epsilon


def total_row(network: Network, epsilon: float, found: dict[str, np.ndarray]) -> dict:
    """The number of triangles: what is rebuilt on average, and the error of the unbiased one."""
    design = rr_engine.k_rr(2, epsilon)
    truth = float(triangles(network.ties).sum() / 3)
    exact = rr_engine.networks.reconstruction_bias(network.ties, design)
    plan = rr_engine.networks.network_errors(network.ties, design, directed=False).statistics
    rebuilt, unbiased = (found[way].sum(axis=1) / 3 for way in ("rr", "unbiased"))
    return {
        "epsilon": epsilon,
        "ties": float(network.ties.sum() / 2),
        "ties_se": plan["ties"].standard_error,
        "tie_kept": exact.tie_kept,
        "triangles": truth,
        "rebuilt": float(rebuilt.mean()),
        "rebuilt_se": float(rebuilt.std(ddof=1) / sqrt(REPETITIONS)),
        "rebuilt_exact": float(exact.triangles.sum() / 3),
        "unbiased": float(unbiased.mean()),
        "unbiased_sd": float(unbiased.std(ddof=1)),
        "unbiased_sd_exact": plan["triangles"].standard_error,
        "laplace_global_sd": sqrt(2) * (network.n - 2) / epsilon,
        "laplace_smooth_sd": sqrt(2) * scale_of_one_count(network.ties, epsilon),
    }


def reported_ties(
    network: Network, design: rr_engine.DesignMatrix, rng: np.random.Generator
) -> np.ndarray:
    """Noisy ties, each pair reported once."""
    chances = np.where(network.ties == 1, design.matrix[1, 1], design.matrix[1, 0])
    upper = np.triu(rng.random(network.ties.shape) < chances, 1)
    return (upper | upper.T).astype(np.int64)


def reports_of(reported: np.ndarray) -> rr_engine.networks.NetworkReports:
    """Reports in which the person with the smaller number speaks of each pair."""
    n = len(reported)
    pairs = np.triu_indices(n, 1)
    ends = np.concatenate([[0], np.cumsum(np.arange(n - 1, 0, -1))])
    return rr_engine.networks.NetworkReports(n, np.arange(n - 1), ends, pairs[1], reported[pairs])


def unbiased_scores(reported: np.ndarray, design: rr_engine.DesignMatrix) -> np.ndarray:
    """Scores (y - q)/(p - q), zero on the diagonal."""
    p, q = design.matrix[1, 1], design.matrix[1, 0]
    scores = (reported - q) / (p - q)
    np.fill_diagonal(scores, 0)
    return scores


def triangles(ties: np.ndarray) -> np.ndarray:
    """Triangles of each person, or sums of products of scores."""
    table = ties.astype(float)
    return ((table @ table) * table).sum(axis=1) / 2


def picture(rows: Sequence[dict], network: Network) -> go.Figure:
    statistic = str(rows[0]["statistic"])
    chart = go.Figure()
    for way, (label, colour) in WAYS.items():
        if way in rows[0]:
            x, y = ([row[key] for row in rows] for key in ("epsilon", way))
            chart.add_trace(go.Scatter(x=x, y=y, name=label, line_color=colour))
    title = f"Average entrywise error of the {statistic} ({network.title})"
    chart.update_layout(title=title, xaxis_title="epsilon", yaxis_title="mean absolute error")
    return chart.update_yaxes(type="log")


def totals_picture(rows: Sequence[dict], network: Network) -> go.Figure:
    epsilons = [row["epsilon"] for row in rows]
    errors = {"type": "data", "array": [row["unbiased_sd"] for row in rows]}
    chart = go.Figure(
        [
            go.Scatter(x=epsilons, y=[row["triangles"] for row in rows], name="truth"),
            go.Scatter(x=epsilons, y=[row["rebuilt"] for row in rows], name="rebuilt"),
            go.Scatter(
                x=epsilons, y=[row["unbiased"] for row in rows], name="unbiased", error_y=errors
            ),
        ]
    )
    for trace, colour in zip(chart.data, (INK, AMBER, TEAL), strict=True):
        trace.line.color = colour
    title = f"Number of triangles ({network.title})"
    return chart.update_layout(title=title, xaxis_title="epsilon", yaxis_title="triangles")
