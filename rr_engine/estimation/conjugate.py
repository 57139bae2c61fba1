"""Steps of the likelihood of large tables, by conjugate gradients."""

from collections.abc import Callable

import numpy as np

from rr_engine.arrays import BoolArray, FloatArray
from rr_engine.channels.protocol import Likelihood

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
        """Whether the operations allowed are used up."""
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

        def curvature_product(step: FloatArray) -> FloatArray:
            self.left -= 2
            return self.device.transposed(weights * self.device.apply(step)) + ridge * step

        def precondition(residual: FloatArray) -> FloatArray:
            self.left -= 2
            return self.device.precondition(residual, expected)

        target = maximise_nonnegative(curvature_product, precondition, slope, proportions)
        return target / target.sum()


def maximise_nonnegative(
    curvature_product: Map, precondition: Map, slope: FloatArray, start: FloatArray
) -> FloatArray:
    """Maximise ``slope'(x - start) - (x - start)' H (x - start) / 2`` over x >= 0.

    `curvature_product` multiplies by H.
    """
    x, size = start, _projected_slope(slope, start)
    for _ in range(MODEL_STEPS):
        if _projected_slope(slope, x) <= MODEL_TOLERANCE * size:
            break
        active = (x <= 0) & (slope <= 0)

        def mask(act: Map, active: BoolArray = active) -> Map:
            return lambda values: np.where(active, 0.0, act(values))

        direction = conjugate_gradients(
            mask(curvature_product), mask(precondition), np.where(active, 0.0, slope)
        )
        moved, curved = _projected_line_search(curvature_product, slope, x, direction)
        if not moved.any():
            break
        x, slope = np.maximum(x + moved, 0.0), slope - curved
    return x


def _projected_slope(slope: FloatArray, x: FloatArray) -> float:
    return float(np.abs(np.maximum(x + slope, 0) - x).max())


def _projected_line_search(
    curvature_product: Map, slope: FloatArray, x: FloatArray, direction: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Search along the direction, projected to x >= 0, halving the step until the model rises."""
    share = 1.0
    while share > SMALLEST_STEP:
        moved = np.maximum(x + share * direction, 0) - x
        curved, rise = curvature_product(moved), float(slope @ moved)
        if rise > 0 and rise - float(moved @ curved) / 2 >= ARMIJO * rise:
            return moved, curved
        share /= 2
    return np.zeros_like(x), np.zeros_like(x)


def conjugate_gradients(
    curvature_product: Map, precondition: Map, target: FloatArray
) -> FloatArray:
    """Solve ``H x = target`` approximately by preconditioned conjugate gradients."""
    x, residual = np.zeros_like(target), target
    scaled = precondition(residual)
    direction, size = scaled, float(residual @ scaled)
    limit = CONJUGATE_TOLERANCE**2 * size
    for _ in range(CONJUGATE_STEPS):
        curved = curvature_product(direction)
        curvature = float(direction @ curved)
        if size <= limit or curvature <= 0:
            break
        share = size / curvature
        x, residual = x + share * direction, residual - share * curved
        scaled = precondition(residual)
        size, before = float(residual @ scaled), size
        direction = scaled + size / before * direction
    return x
