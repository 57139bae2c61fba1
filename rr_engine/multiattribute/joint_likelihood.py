"""Maximum likelihood for tables, with the devices applied one axis at a time."""

from dataclasses import replace

from rr_engine.channels.channel_likelihood import Structured
from rr_engine.estimation.likelihood import iterate_to_maximum
from rr_engine.estimation.solution import Solution
from rr_engine.multiattribute.axes import Axes
from rr_engine.validation import FloatArray


def maximise_axes(axes: Axes, reported: FloatArray) -> Solution:
    """Return the table under which the reports were most likely.

    Where inversion lands inside the simplex of square designs it is the maximum; elsewhere the
    maximiser of one attribute (:func:`rr_engine.estimation.likelihood.iterate_to_maximum`) runs
    over the flattened table.
    """
    if axes.square:
        solved = axes.solve(reported)
        if (solved >= 0).all():
            return Solution(solved, reported)
    solution = iterate_to_maximum(Structured(axes.product), reported.ravel())
    return replace(
        solution,
        proportions=solution.proportions.reshape(axes.shape),
        fitted=solution.fitted.reshape(reported.shape),
        weights=None,
    )
