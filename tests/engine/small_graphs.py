"""Graphs of few people, all of them, and devices of a tie."""

from itertools import combinations

import numpy as np

from rr_engine import k_rr
from rr_engine.designs import generalized_binary, mangat
from rr_engine.networks import NetworkReports


def pairs_of(people):
    return list(combinations(range(people), 2))


def graph_of(mask, people):
    """The undirected graph whose ties are the bits of a number."""
    table = np.zeros((people, people), dtype=int)
    for bit, (first, second) in enumerate(pairs_of(people)):
        table[first, second] = table[second, first] = mask >> bit & 1
    return table


def all_graphs(people):
    return [graph_of(mask, people) for mask in range(2 ** len(pairs_of(people)))]


def triangles_of(graph):
    """Triangles that each person is in, one by one."""
    counts = np.zeros(len(graph), dtype=int)
    for trio in combinations(range(len(graph)), 3):
        if all(graph[pair] for pair in combinations(trio, 2)):
            counts[list(trio)] += 1
    return counts


def random_graph(people, density, seed):
    upper = np.triu(np.random.default_rng(seed).random((people, people)) < density, 1)
    return (upper | upper.T).astype(int)


SYMMETRIC = k_rr(2, 1).quantized(16)
ASYMMETRIC = generalized_binary(0.9, 0.6).quantized(16)
IDENTIFYING = mangat(0.7)


def reported_once(table):
    """Reports of a noisy graph by the person with the smaller number of each pair."""
    rows = [
        (person, list(range(person + 1, len(table))), list(table[person][person + 1 :]))
        for person in range(len(table) - 1)
    ]
    return NetworkReports.from_rows(len(table), rows)
