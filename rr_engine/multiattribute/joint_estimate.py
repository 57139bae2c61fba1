"""Joint proportions of several attributes that were randomized one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, freeze
from rr_engine.channels.protocol import Channel
from rr_engine.estimation.likelihood import Solution, maximise
from rr_engine.estimation.notes import Note, note
from rr_engine.multiattribute.axes import Axes, AxisScores, axes_of
from rr_engine.multiattribute.joint_result import DENSE_CELLS, JointEstimate
from rr_engine.multiattribute.joint_table import (
    ROUNDING,
    JointStratum,
    check_designs,
    check_table,
    joint_solution_notes,
    table_notes,
)
from rr_engine.multiattribute.table_covariance import FactorTableCovariance
from rr_engine.projection import project_to_simplex


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


def _invert(axes: Axes, reported: FloatArray) -> Solution:
    proportions = axes.solve(reported)
    return Solution(proportions, reported if axes.square else axes.apply(proportions))


METHODS = {"inversion": _invert, "mle": maximise_axes}


def estimate_joint(
    designs: Sequence[Channel],
    counts: npt.ArrayLike | Mapping,
    method: str = "inversion",
    population: str = "sample",
) -> JointEstimate:
    """Estimate how often each combination of true answers occurs.

    Parameters
    ----------
    designs : sequence of Channel
        Each worked independently of the others. One for each attribute, or one over several of
        them, such as :func:`rr_engine.joint_design`; any whose reports are counted one by one.
    counts : array_like of int, or mapping of reports to counts
        Contingency table of the reports: how many people gave each combination. One axis for each
        attribute, in the order of the designs and of the questions of each; a mapping has tuples.
    method : {"inversion", "mle"}, default "inversion"
        "inversion" is unbiased and may leave the range 0 to 1; "mle" stays inside it. Up to some
        thousand cells "mle" takes a second at most, beyond that up to some ten, after which it
        ends, settled or not.
    population : {"sample", "fixed"}, default "sample"
        Whom the errors are about, as in :func:`rr_engine.estimate`.

    Returns
    -------
    JointEstimate

    Raises
    ------
    CountsError
        For a table of another shape, negative or fractional counts, or counts of reports that a
        device never makes.
    NotIdentifiableError
        When a device's reports do not determine the proportions.
    ArgumentError
        For designs that are none, an unknown method or population.

    Notes
    -----
    docs/methods/joint.md. The design of the table is the Kronecker product of the designs; its
    factors are applied one axis at a time and the product is never formed.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 22 and 23.

    Examples
    --------
    >>> from rr_engine import estimate_joint, warner
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> joint.proportions.round(3).tolist()
    [[0.556, 0.111], [0.111, 0.222]]
    >>> joint.margin(0).proportions.round(3).tolist()
    [0.667, 0.333]
    """
    devices = check_designs(designs)
    table = check_table(counts, devices)
    solve = METHODS[check.choice(method, "method", METHODS)]
    check.population(population)
    axes, n = axes_of(devices), int(table.sum())
    solution = _without_reports(axes) if n == 0 else solve(axes, table / n)
    covariance_operator, remarks = _covariance_operator(axes, solution, n, method, population)
    remarks += joint_solution_notes(solution.proportions, method, converged=solution.converged)
    return JointEstimate(
        strata=(JointStratum(devices, table),),
        proportions=solution.proportions,
        covariance_operator=covariance_operator,
        method=method,
        population=population,
        converged=solution.converged,
        iterations=solution.iterations,
        notes=tuple(table_notes(devices, table, population) + remarks),
    )


def _without_reports(axes: Axes) -> Solution:
    equal = np.full(axes.shape, 1 / prod(axes.shape))
    return Solution(equal, axes.apply(equal))


def _covariance_operator(
    axes: Axes, solution: Solution, n: int, method: str, population: str
) -> tuple[FactorTableCovariance, list[Note]]:
    proportions = solution.proportions
    scores = _scores(axes, proportions, method)
    divisor = n if population == "fixed" else n - 1

    def at(shares: FloatArray, fitted: FloatArray) -> FactorTableCovariance:
        return FactorTableCovariance(scores, freeze(fitted), freeze(shares), population, divisor)

    operator = at(proportions, solution.fitted)
    if divisor < 1 or not _impossible(operator):
        return operator, []
    nearest = project_to_simplex(proportions.ravel()).reshape(proportions.shape)
    return at(nearest, axes.apply(nearest)), [note("covariance_at_projection")]


def _scores(axes: Axes, proportions: FloatArray, method: str) -> AxisScores:
    """Return left inverses; for likelihood they weigh the reports at the fitted margins.

    With as many reports as truths there is only one. With more, weights that are a product of
    margins keep the inverse a Kronecker product, at no more than the efficiency of the margins.
    """
    if method == "inversion":
        return axes.scores()
    return axes.scores(proportions)


def _impossible(operator: FactorTableCovariance) -> bool:
    """Tell whether proportions outside the simplex make a variance negative.

    They cannot while the shares that the covariance is linear in are not negative. Small tables
    are examined in full, as :func:`rr_engine.estimate` does; in large ones it is taken for granted.
    """
    shares = operator.proportions if operator.population == "fixed" else operator.fitted
    cells = operator.proportions.size
    if shares.min() >= -ROUNDING or cells > DENSE_CELLS:
        return bool(shares.min() < -ROUNDING)
    one_by_one = np.eye(cells).reshape(cells, *operator.proportions.shape)
    covariance = operator.divisor * operator.between(one_by_one, one_by_one)
    limit = -ROUNDING * max(1.0, float(np.abs(covariance).max()))
    return bool(np.linalg.eigvalsh((covariance + covariance.T) / 2)[0] < limit)
