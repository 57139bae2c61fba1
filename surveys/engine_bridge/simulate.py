"""Simulated respondents: test fill before launch, and the demo. Nobody real is protected by this,
so an ordinary generator will do for the truths; the devices are the ones that would be launched.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import rr_engine
from surveys.engine_bridge.designs import frozen_design
from surveys.engine_bridge.results import results_document


def test_fill(
    document: Mapping[str, Any], digest: str, truth: Mapping[str, Sequence[float]], n: int
) -> dict[str, Any]:
    """The results document of `n` simulated respondents whose shares are `truth` by question."""
    generator = np.random.default_rng()
    tallies = {}
    for device in document["devices"]:
        design = _design(document, device)
        shares = list(truth[device["id"]])
        counts = rr_engine.simulate_counts(design, shares, n, generator)
        tallies[device["id"], device["stratum"]] = [int(count) for count in counts]
    return results_document(document, digest, tallies, n)


def simulated_reports(
    document: Mapping[str, Any], truth: Mapping[str, Sequence[float]], n: int, seed: int
) -> list[dict[str, int]]:
    """Reports of `n` simulated respondents, device by device drawn with the system's randomness."""
    generator = np.random.default_rng(seed)
    columns = {}
    for device in document["devices"]:
        shares = np.asarray(truth[device["id"]], dtype=float)
        truths = generator.choice(len(shares), size=n, p=shares / shares.sum())
        columns[device["id"]] = rr_engine.randomize(_design(document, device), truths)
    return [{name: int(column[row]) for name, column in columns.items()} for row in range(n)]


def _design(document: Mapping[str, Any], device: Mapping[str, Any]) -> rr_engine.DesignMatrix:
    questions = {question["id"]: question for question in document["questions"]}
    return frozen_design(device, questions[device["questions"][0]])
