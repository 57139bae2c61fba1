"""Domingo-Ferrer, Mulero-Vellido & Soria-Comas (2018), figures 1 to 3 and the step they leave out.

Nine attributes of the Adult data in the three clusters of Table 1, each with one device. The
paper's figures are of the randomized data as they came in; beside them are the estimates that it
does not make, and those from nine independent devices at the same total epsilon.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

import rr_engine
from papers.domingoferrer2018_clusters import CHANCES, SEED, SIZES, TABLE_1, Clusters
from papers.files import AMBER, INK, TEAL, write
from papers.populations import Records, pair_counts

# Relative errors beyond are drawn in the same colour.
SHOWN = 100.0
# Combinations of fewer people are left out of medians: a few of them make any relative error.
ENOUGH = 100
SCALE = [[0, AMBER], [0.5, "#ffffff"], [1, TEAL]]
RAW, ESTIMATED, PRODUCT, INDEPENDENT = (
    "randomized data", "estimated", "clusters taken as independent", "independent devices",
)  # fmt: skip

Pair = tuple[int, int]


def reproduce(folder: Path, records: Records) -> None:
    surveys = [Survey.of(records, p) for p in CHANCES]
    for number, survey in enumerate(surveys, 1):
        write(folder, f"domingoferrer2018-figure-{number}", *figure(survey, records))
    write(folder, "domingoferrer2018-errors", *errors(surveys, records))


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """Reports of all people by the devices of three clusters, and by nine at the same total."""

    p: float
    clusters: Clusters
    channels: tuple[rr_engine.channels.Channel, ...]
    reports: np.ndarray
    alone: tuple[rr_engine.channels.Channel, ...]
    alone_reports: np.ndarray

    @classmethod
    def of(cls, records: Records, p: float) -> Survey:
        """Randomize every record, with a seed of its own for each chance."""
        generator = np.random.default_rng([SEED, round(10 * p)])
        divided = tuple(members for members, _ in TABLE_1[p])
        channels = tuple(
            rr_engine.channels.joint_design([SIZES[place] for place in members], p)
            for members in divided
        )
        reports = np.empty_like(records.answers)
        for members, channel in zip(divided, channels, strict=True):
            shape = channel.truth_shape
            truths = np.ravel_multi_index(tuple(records.answers[:, list(members)].T), shape)
            sent = channel.sample(truths, generator)
            reports[:, list(members)] = np.column_stack(np.unravel_index(sent, shape))
        each = sum(channel.epsilon for channel in channels) / len(SIZES)
        alone = tuple(rr_engine.channels.UniformChannel.from_epsilon(size, each) for size in SIZES)
        sent = [
            channel.sample(answers, generator)
            for channel, answers in zip(alone, records.answers.T, strict=True)
        ]
        return cls(p, divided, channels, reports, alone, np.column_stack(sent))

    @property
    def epsilon(self) -> float:
        """The total of a person's reports."""
        return sum(channel.epsilon for channel in self.channels)

    def together(self, pair: Pair) -> bool:
        """Whether one device covers both attributes."""
        return any(set(pair) <= set(members) for members in self.clusters)

    def devices(self, pair: Pair) -> list[rr_engine.channels.Channel]:
        """The devices that the reports on a pair come from: one, or one for each attribute."""
        places = [
            (number, members.index(place))
            for place in pair
            for number, members in enumerate(self.clusters)
            if place in members
        ]
        if self.together(pair):
            return [self.channels[places[0][0]].margin([part for _, part in places])]
        return [self.channels[number].margin([part]) for number, part in places]

    def counts(self, pair: Pair) -> np.ndarray:
        return pair_counts(self.reports, pair, SIZES)

    def tables(self, pair: Pair) -> dict[str, np.ndarray]:
        """The table of a pair in people, by each way to read the reports."""
        counts, n = self.counts(pair), len(self.reports)
        estimated = rr_engine.estimate_joint(self.devices(pair), counts).proportions
        product = np.outer(estimated.sum(axis=1), estimated.sum(axis=0))
        alone = pair_counts(self.alone_reports, pair, SIZES)
        apart = rr_engine.estimate_joint([self.alone[place] for place in pair], alone)
        return {
            RAW: counts.astype(float),
            ESTIMATED: n * estimated,
            PRODUCT: n * (estimated if self.together(pair) else product),
            INDEPENDENT: n * apart.proportions,
        }


def relative_errors(truth: np.ndarray, found: np.ndarray) -> np.ndarray:
    """(X - Y)/X in per cent; nan where nobody has the combination."""
    errors = np.full(truth.shape, np.nan)
    np.divide(100 * (truth - found), truth, out=errors, where=truth > 0)
    return errors


def figure(survey: Survey, records: Records) -> tuple[list[dict], go.Figure]:
    """Relative errors of all pairs of values: of the randomized data, and of estimates."""
    shown = (RAW, ESTIMATED, INDEPENDENT)
    starts = np.concatenate([[0], np.cumsum(SIZES)])
    maps = {name: np.full((starts[-1], starts[-1]), np.nan) for name in shown}
    rows = []
    for pair in combinations(range(len(SIZES)), 2):
        truth, tables = records.table(*pair), survey.tables(pair)
        first, second = (slice(starts[place], starts[place + 1]) for place in pair)
        errors_by_name = {name: relative_errors(truth, tables[name]) for name in shown}
        for name, table in errors_by_name.items():
            maps[name][first, second], maps[name][second, first] = table, table.T
        rows += list(_value_rows(pair, truth, errors_by_name, records))
    titles = (
        "randomized data, as in the paper", "estimated from the same reports",
        "estimated, nine independent devices",
    )  # fmt: skip
    chart = make_subplots(rows=1, cols=3, subplot_titles=titles, horizontal_spacing=0.04)
    for column, name in enumerate(shown, 1):
        trace = go.Heatmap(z=maps[name], coloraxis="coloraxis")
        trace.update(hovertemplate="%{z:.0f} %<extra></extra>")
        chart.add_trace(trace, row=1, col=column)
    middles = (starts[:-1] + starts[1:] - 1) / 2
    ticks = {"tickvals": middles, "ticktext": records.attributes, "showgrid": False}
    chart.update_xaxes(**ticks, tickangle=90).update_yaxes(**ticks)
    chart.update_yaxes(showticklabels=False, col=2).update_yaxes(showticklabels=False, col=3)
    bar = {"title": "error, %", "tickvals": [-100, -50, 0, 50, 100]}
    bar["ticktext"] = ["-100 or less", "-50", "0", "50", "100 or more"]
    axis = {"colorscale": SCALE, "cmin": -SHOWN, "cmax": SHOWN, "colorbar": bar}
    title = f"Relative errors of pairs of values, p {survey.p}, total epsilon {survey.epsilon:.3f}"
    chart.update_layout(title=title, coloraxis=axis, plot_bgcolor="#d9d9d9", width=1500, height=570)
    return rows, chart


def _value_rows(
    pair: Pair, truth: np.ndarray, errors_by_name: dict[str, np.ndarray], records: Records
) -> Iterator[dict]:
    first, second = pair
    for row, column in np.argwhere(truth > 0):
        yield {
            "first": f"{records.attributes[first]}: {records.levels[first][row]}",
            "second": f"{records.attributes[second]}: {records.levels[second][column]}",
            "people": int(truth[row, column]),
        } | {f"{name}, %": float(errors[row, column]) for name, errors in errors_by_name.items()}


def errors(surveys: Sequence[Survey], records: Records) -> tuple[list[dict], go.Figure]:
    """Errors of all pairs by each way to read the reports, within clusters and between them."""
    rows = []
    for survey in surveys:
        for place, within in (("within clusters", True), ("between clusters", False)):
            pairs = [
                pair
                for pair in combinations(range(len(SIZES)), 2)
                if survey.together(pair) == within
            ]
            truths = [records.table(*pair) for pair in pairs]
            tables = [survey.tables(pair) for pair in pairs]
            for name in (RAW, ESTIMATED, PRODUCT, INDEPENDENT):
                found = [table[name] for table in tables]
                row = {"p": survey.p, "epsilon": survey.epsilon, "pairs": place, "way": name}
                rows.append(row | _summary(truths, found))
    chart = go.Figure()
    colours = {RAW: AMBER, ESTIMATED: TEAL, PRODUCT: "#8a8378", INDEPENDENT: INK}
    for name, colour in colours.items():
        part = [row for row in rows if row["way"] == name]
        labels = [f"p {row['p']}<br>{row['pairs']}" for row in part]
        values = [row["distance"] for row in part]
        chart.add_trace(go.Bar(x=labels, y=values, name=name, marker_color=colour))
    title = "Mean distance of estimated tables of pairs from the true ones"
    chart.update_layout(title=title, yaxis_title="total variation", barmode="group")
    return rows, chart


def _summary(truths: Sequence[np.ndarray], found: Sequence[np.ndarray]) -> dict:
    """Median relative error of common combinations, and the mean total variation of a table."""
    relative = np.concatenate(
        [
            np.abs(relative_errors(truth, table))[truth >= ENOUGH]
            for truth, table in zip(truths, found, strict=True)
        ]
    )
    distances = [
        np.abs(truth - table).sum() / truth.sum() / 2
        for truth, table in zip(truths, found, strict=True)
    ]
    return {
        "median_error_percent": float(np.median(relative)),
        "beyond_50_percent": float((relative > 50).mean()),
        "distance": float(np.mean(distances)),
    }
