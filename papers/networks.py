"""Networks of the figures: synthetic people, and networks that are known from the literature.

The edge lists in `network_data` are those of networkx 3.6.1 (its functions are named in BUNDLED),
which takes them from the sources given in docs/papers/wang2016_networks.md.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "network_data"
# As many as in the paper's network, which is not public; the groups are ours.
PEOPLE, TIES, GROUPS, SEED = 185, 684, 15, 2016
# File: what it is, and networkx's function.
BUNDLED = {
    "karate": ("Zachary's karate club", "karate_club_graph"),
    "florentine": ("Florentine families", "florentine_families_graph"),
    "davis": ("Southern women and events", "davis_southern_women_graph"),
    "lesmis": ("Les Misérables", "les_miserables_graph"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Undirected ties, as a symmetric table of 0 and 1."""

    name: str
    title: str
    ties: np.ndarray

    @property
    def n(self) -> int:
        return len(self.ties)


def synthetic() -> Network:
    """The synthetic network, of which the figures need no groups."""
    ties, _groups = synthetic_ties()
    return Network("synthetic", f"{PEOPLE} synthetic people, {TIES} ties", ties)


def synthetic_ties(seed: int = SEED) -> tuple[np.ndarray, np.ndarray]:
    """An undirected network of 185 people and 684 ties, and everybody's group.

    A third of the ties are drawn in proportion to how popular both are, ten times as often within a
    group; each other closes a two-path that there is, as people meet friends of friends.
    """
    rng = np.random.default_rng(seed)
    groups = np.sort(rng.integers(0, GROUPS, PEOPLE))
    popular = rng.gamma(2.0, size=PEOPLE)
    chances = np.outer(popular, popular) * np.where(groups[:, None] == groups, 10.0, 1.0)
    pairs = np.array(list(combinations(range(PEOPLE), 2)))
    weights = chances[tuple(pairs.T)]
    ties = np.zeros((PEOPLE, PEOPLE), dtype=np.int64)
    for i, j in pairs[rng.choice(len(pairs), TIES // 3, replace=False, p=weights / weights.sum())]:
        ties[i, j] = ties[j, i] = 1
    while ties.sum() < 2 * TIES:
        neighbours = np.flatnonzero(ties[rng.integers(PEOPLE)])
        if len(neighbours) > 1:
            i, j = rng.choice(neighbours, 2, replace=False)
            ties[i, j] = ties[j, i] = 1
    return ties, groups


def bundled() -> list[Network]:
    """The networks whose edge lists are kept with this program."""
    return [read(FOLDER / f"{name}.csv", title) for name, (title, _) in BUNDLED.items()]


def read(path: Path, title: str) -> Network:
    """Read an edge list with a header line."""
    with path.open(newline="", encoding="utf-8") as file:
        edges = list(csv.reader(file))[1:]
    names = sorted({name for edge in edges for name in edge})
    places = {name: place for place, name in enumerate(names)}
    ties = np.zeros((len(names), len(names)), dtype=np.int64)
    for first, second in edges:
        ties[places[first], places[second]] = ties[places[second], places[first]] = 1
    return Network(path.stem, f"{title}, {len(names)} nodes, {len(edges)} ties", ties)
