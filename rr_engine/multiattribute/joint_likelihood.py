"""Maximum likelihood for tables, with the devices applied one axis at a time."""

from dataclasses import replace

from rr_engine.estimation.likelihood import maximise
from rr_engine.estimation.solution import Solution
from rr_engine.multiattribute.axes import Axes
from rr_engine.validation import FloatArray


def maximise_axes(axes: Axes, reported: FloatArray) -> Solution:
    """Return the table under which the reports were most likely.

    The maximiser of one attribute (:func:`rr_engine.estimation.likelihood.maximise`) over the
    flattened table.
    """
    solution = maximise(axes.product, reported.ravel())
    return replace(
        solution,
        proportions=solution.proportions.reshape(axes.shape),
        fitted=solution.fitted.reshape(reported.shape),
        weights=None,
    )
