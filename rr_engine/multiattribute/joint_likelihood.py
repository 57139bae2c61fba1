"""Maximum likelihood for tables, with the devices applied one axis at a time."""

from collections.abc import Sequence
from dataclasses import replace

from rr_engine.channels.channel_likelihood import Structured
from rr_engine.channels.matrix import PlainMatrix
from rr_engine.channels.product import ProductChannel
from rr_engine.estimation.likelihood import iterate_to_maximum
from rr_engine.estimation.solution import Solution
from rr_engine.kronecker import solve_axes
from rr_engine.validation import FloatArray


def maximise_axes(matrices: Sequence[FloatArray], reported: FloatArray) -> Solution:
    """Return the table under which the reports were most likely.

    Where inversion lands inside the simplex of square designs it is the maximum; elsewhere the
    maximiser of one attribute (:func:`rr_engine.estimation.likelihood.iterate_to_maximum`) runs
    over the flattened table.
    """
    if all(matrix.shape[0] == matrix.shape[1] for matrix in matrices):
        solved = solve_axes(matrices, reported)
        if (solved >= 0).all():
            return Solution(solved, reported)
    channel = ProductChannel(tuple(PlainMatrix(matrix) for matrix in matrices))
    solution = iterate_to_maximum(Structured(channel), reported.ravel())
    return replace(
        solution,
        proportions=solution.proportions.reshape(channel.truth_shape),
        fitted=solution.fitted.reshape(channel.report_shape),
        weights=None,
    )
