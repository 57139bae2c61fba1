"""The generators of simulated surveys: one for each cluster and each way of asking, by its number.

What is drawn for one does not depend on which others are drawn.
"""

from __future__ import annotations

from functools import cache

import numpy as np


class Chances:
    """The generators that a seed stands for; each goes on where it stopped."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.of_cluster = cache(self._of_cluster)
        self.of_pattern = cache(self._of_pattern)

    def _of_cluster(self, number: int) -> np.random.Generator:
        # The child of this number, as `spawn` gives it.
        return np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=(number,)))

    def _of_pattern(self, number: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=(0, number)))
