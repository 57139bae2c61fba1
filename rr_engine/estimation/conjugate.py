"""Steps of the likelihood of large tables, by conjugate gradients."""

from collections.abc import Callable

import numpy as np

from rr_engine.channels.protocol import Likelihood
from rr_engine.validation import BoolArray, FloatArray

# Operations in all: of a table of 30,000 cells some ten seconds.
WORK = 10**9
CONJUGATE_STEPS = 60
CONJUGATE_TOLERANCE = 1e-8
RIDGE = 1e-13
# Steps towards the maximum of one quadratic model, and by how much its slope must fall.
MODEL_STEPS, MODEL_TOLERANCE = 30, 1e-2
SMALLEST_STEP = 2.0**-20
ARMIJO = 1e-4

Map = Callable[[FloatArray], FloatArray]


class ConjugateSteps:
    """Maxima of quadratic models over proportions that are not negative.

    With expected information (scoring) and with observed (Newton). A model is climbed by projected
    Newton steps (Bertsekas 1982) among the proportions not held at zero; the inverse of the device,
    which undoes the information of all of them together, is the preconditioner.
    """

    def __init__(self, device: Likelihood, reported: FloatArray) -> None:
        self.device, self.reported = device, reported
        self.left = WORK // device.cost

    @property
    def spent(self) -> bool:
        """Whether so much was computed that the search must end."""
        return self.left <= 0

    def scoring(self, proportions: FloatArray) -> FloatArray:
        return self._target(proportions, lambda expected: 1 / expected)

    def newton(self, proportions: FloatArray) -> FloatArray:
        return self._target(proportions, lambda expected: self.reported / expected**2)

    def _target(self, proportions: FloatArray, weigh: Map) -> FloatArray:
        expected = np.maximum(self.device.apply(proportions), np.finfo(float).tiny)
        slope = self.device.transposed(self.reported / expected) - 1
        weights = weigh(expected)
        ridge = RIDGE * float(weights.max())

        def bend(step: FloatArray) -> FloatArray:
            self.left -= 2
            return self.device.transposed(weights * self.device.apply(step)) + ridge * step

        def unbend(residual: FloatArray) -> FloatArray:
            self.left -= 2
            return self.device.unbent(residual, expected)

        target = nonnegative(bend, unbend, slope, proportions)
        return target / target.sum()


def nonnegative(bend: Map, unbend: Map, slope: FloatArray, start: FloatArray) -> FloatArray:
    """Maximise ``slope'(x - start) - (x - start)' H (x - start) / 2`` over x >= 0, H by `bend`."""
    x, size = start, _still_to_gain(slope, start)
    for _ in range(MODEL_STEPS):
        if _still_to_gain(slope, x) <= MODEL_TOLERANCE * size:
            break
        held = (x <= 0) & (slope <= 0)

        def masked(act: Map, held: BoolArray = held) -> Map:
            return lambda values: np.where(held, 0.0, act(values))

        direction = conjugate(masked(bend), masked(unbend), np.where(held, 0.0, slope))
        moved, bent = _arc(bend, slope, x, direction)
        if not moved.any():
            break
        x, slope = np.maximum(x + moved, 0.0), slope - bent
    return x


def _still_to_gain(slope: FloatArray, x: FloatArray) -> float:
    return float(np.abs(np.maximum(x + slope, 0) - x).max())


def _arc(
    bend: Map, slope: FloatArray, x: FloatArray, direction: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Go along the direction, bent at zero, halving the way until the model rises enough."""
    share = 1.0
    while share > SMALLEST_STEP:
        moved = np.maximum(x + share * direction, 0) - x
        bent, rise = bend(moved), float(slope @ moved)
        if rise > 0 and rise - float(moved @ bent) / 2 >= ARMIJO * rise:
            return moved, bent
        share /= 2
    return np.zeros_like(x), np.zeros_like(x)


def conjugate(bend: Map, unbend: Map, target: FloatArray) -> FloatArray:
    """Solve ``bend(x) = target`` by preconditioned conjugate gradients, as far as it goes."""
    found, residual = np.zeros_like(target), target
    scaled = unbend(residual)
    search, size = scaled, float(residual @ scaled)
    limit = CONJUGATE_TOLERANCE**2 * size
    for _ in range(CONJUGATE_STEPS):
        bent = bend(search)
        curvature = float(search @ bent)
        if size <= limit or curvature <= 0:
            break
        share = size / curvature
        found, residual = found + share * search, residual - share * bent
        scaled = unbend(residual)
        size, before = float(residual @ scaled), size
        search = scaled + size / before * search
    return found
