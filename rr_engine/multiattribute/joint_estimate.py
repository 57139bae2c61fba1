"""Joint proportions of several attributes that were randomized one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, as_list, freeze
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.estimation.likelihood import Solution, maximise
from rr_engine.estimation.notes import Note, note
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.stratified import estimate_strata
from rr_engine.multiattribute import joint_table
from rr_engine.multiattribute.axes import Axes, axes_of, truth_axes
from rr_engine.multiattribute.joint_result import DENSE_CELLS, JointEstimate
from rr_engine.multiattribute.table_covariance import DenseTableCovariance, FactorTableCovariance
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
    counts: ArrayLike | Mapping,
    method: str = "inversion",
    population: str = "sample",
) -> JointEstimate:
    """Estimate how often each combination of true answers occurs.

    Parameters
    ----------
    designs : sequence of Channel
        Each worked independently of the others. One for each attribute, or one over several of
        them, such as :func:`rr_engine.channels.joint_design`; any whose reports are counted one by
        one.
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
    devices = joint_table.check_designs(designs)
    table = joint_table.check_table(counts, devices)
    solve = METHODS[check.choice(method, "method", METHODS)]
    check.population(population)
    axes, n = axes_of(devices), int(table.sum())
    equal = np.full(axes.shape, 1 / prod(axes.shape))
    solution = solve(axes, table / n) if n else Solution(equal, axes.apply(equal))
    covariance_operator, remarks = _covariance_operator(axes, solution, n, method, population)
    remarks += joint_table.joint_solution_notes(
        solution.proportions, method, converged=solution.converged
    )
    return JointEstimate(
        strata=(joint_table.JointStratum(devices, table),),
        proportions=solution.proportions,
        covariance_operator=covariance_operator,
        method=method,
        population=population,
        converged=solution.converged,
        iterations=solution.iterations,
        notes=tuple(joint_table.table_notes(devices, table, population) + remarks),
    )


def _covariance_operator(
    axes: Axes, solution: Solution, n: int, method: str, population: str
) -> tuple[FactorTableCovariance, list[Note]]:
    proportions = solution.proportions
    # For likelihood, left inverses weigh the reports at the fitted margins. With as many reports as
    # truths there is only one. With more, weights that are a product of margins keep the inverse a
    # Kronecker product, at no more than the efficiency of the margins.
    scores = axes.scores(None if method == "inversion" else proportions)
    divisor = n if population == "fixed" else n - 1

    def at(shares: FloatArray, fitted: FloatArray) -> FactorTableCovariance:
        return FactorTableCovariance(scores, freeze(fitted), freeze(shares), population, divisor)

    operator = at(proportions, solution.fitted)
    if divisor < 1 or not _impossible(operator):
        return operator, []
    nearest = project_to_simplex(proportions.ravel()).reshape(proportions.shape)
    return at(nearest, axes.apply(nearest)), [note("covariance_at_projection")]


def _impossible(operator: FactorTableCovariance) -> bool:
    """Tell whether proportions outside the simplex make a variance negative.

    They cannot while the shares that the covariance is linear in are not negative. Small tables
    are examined in full, as :func:`rr_engine.estimate` does; in large ones it is taken for granted.
    """
    shares = operator.proportions if operator.population == "fixed" else operator.fitted
    cells = operator.proportions.size
    if shares.min() >= -joint_table.ROUNDING or cells > DENSE_CELLS:
        return bool(shares.min() < -joint_table.ROUNDING)
    one_by_one = np.eye(cells).reshape(cells, *operator.proportions.shape)
    covariance = operator.divisor * operator.between(one_by_one, one_by_one)
    limit = -joint_table.ROUNDING * max(1.0, float(np.abs(covariance).max()))
    return bool(np.linalg.eigvalsh((covariance + covariance.T) / 2)[0] < limit)


def estimate_joint_strata(
    designs: Sequence[Sequence[Channel]],
    counts: Sequence[ArrayLike],
    method: str = "inversion",
    population: str = "sample",
) -> JointEstimate:
    """Estimate a joint table from people who answered through different devices.

    Parameters
    ----------
    designs : sequence of sequences of Channel
        For every stratum the devices of all attributes, in the same order and with the same
        categories: the page's device for both, the page's for one and an own coin for the other...
    counts : sequence of array_like of int
        For every stratum the contingency table of its reports.
    method : {"inversion", "mle"}, default "inversion"
    population : {"sample", "fixed"}, default "sample"
        Both as in :func:`rr_engine.estimate_strata`.

    Returns
    -------
    JointEstimate
        With one stratum it is that of :func:`estimate_joint`.

    Raises
    ------
    ArgumentError
        For no strata, lists of different length, devices of different categories, or more than
        400 cells of truths or of reports: each stratum's design is formed in full.
    CountsError
        As in :func:`estimate_joint`.

    Notes
    -----
    docs/methods/joint.md. Strata are pooled by :func:`rr_engine.estimate_strata`; people in all of
    them are taken to have the same proportions.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 22 and 23.
    .. [2] A. C. Aitken, "On Least Squares and Linear Combination of Observations", Proceedings of
       the Royal Society of Edinburgh 55, 1935.

    Examples
    --------
    >>> from rr_engine import crosswise, warner
    >>> from rr_engine.joint import estimate_joint_strata
    >>> page, coin = [warner(0.8), warner(0.8)], [warner(0.8), crosswise(0.25)]
    >>> tables = [[[400, 200], [200, 200]], [[20, 30], [25, 25]]]
    >>> joint = estimate_joint_strata([page, coin], tables)
    >>> joint.n, joint.proportions.round(3).tolist()
    (1100, [[0.542, 0.109], [0.12, 0.228]])
    """
    devices, tables = _check_strata(designs, counts)
    check.population(population)
    if len(devices) == 1:
        return estimate_joint(devices[0], tables[0], method, population)
    flat = estimate_strata(
        [joint_table.combine_designs(stratum) for stratum in devices],
        [table.ravel() for table in tables],
        method,
        population,
    )
    strata = tuple(joint_table.JointStratum(d, t) for d, t in zip(devices, tables, strict=True))
    return _reshape(flat, strata)


def _check_strata(
    designs: Sequence[Sequence[Channel]], counts: Sequence[ArrayLike]
) -> tuple[list[tuple[Channel, ...]], list[npt.NDArray]]:
    devices = [joint_table.check_designs(stratum) for stratum in as_list(designs) or ()]
    if not devices:
        rule = "be a sequence of one list of designs per stratum"
        raise ArgumentError("designs", designs, rule, "strata_missing")
    size = len(devices)
    rule = f"have one table for each of {size} strata"
    tables = check.entries(counts, "counts", size, rule, "tallies_do_not_fit", CountsError)
    labels = [joint_table.labels_by_question(stratum) for stratum in devices]
    if any(label != labels[0] for label in labels):
        rule = "have the same categories in every stratum"
        raise ArgumentError("designs", labels, rule, "categories_differ")
    if len(devices) > 1:
        _check_size(devices)
    pairs = zip(tables, devices, strict=True)
    return devices, [joint_table.check_table(table, stratum) for table, stratum in pairs]


def _check_size(devices: list[tuple[Channel, ...]]) -> None:
    sizes = [prod(side) for d in devices for side in _sides(d)]
    if max(sizes) > DENSE_CELLS:
        raise ArgumentError(
            "cells", max(sizes), f"be at most {DENSE_CELLS} to pool strata", "too_many_cells"
        )


def _sides(stratum: tuple[Channel, ...]) -> tuple[list[int], list[int]]:
    """Return the numbers of reports and of truths of each attribute."""
    return [design.tally_size for design in stratum], [design.truth_size for design in stratum]


def _reshape(flat: Estimate, strata: tuple[joint_table.JointStratum, ...]) -> JointEstimate:
    shape = truth_axes(strata[0].designs)
    remarks = [
        n for s in strata for n in joint_table.table_notes(s.designs, s.counts, flat.population)
    ]
    remarks = [note for note in remarks if note.code == "implausible"]
    return JointEstimate(
        strata=strata,
        proportions=flat.proportions.reshape(shape),
        covariance_operator=DenseTableCovariance(flat.covariance, shape),
        method=flat.method,
        population=flat.population,
        converged=flat.converged,
        iterations=flat.iterations,
        notes=joint_table.without_repeats([*flat.notes, *remarks]),
        pooled=flat,
    )
