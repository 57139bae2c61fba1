"""One table of proportions behind people who used different sets of devices."""

from collections.abc import Sequence
from math import prod

import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import as_list
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.stratified import estimate_strata
from rr_engine.multiattribute.axes import truth_axes
from rr_engine.multiattribute.joint_estimate import estimate_joint
from rr_engine.multiattribute.joint_result import DENSE_CELLS, JointEstimate
from rr_engine.multiattribute.joint_table import (
    JointStratum,
    check_designs,
    check_table,
    combine_designs,
    labels_by_question,
    table_notes,
    without_repeats,
)
from rr_engine.multiattribute.table_covariance import DenseTableCovariance


def estimate_joint_strata(
    designs: Sequence[Sequence[Channel]],
    counts: Sequence[npt.ArrayLike],
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
    >>> from rr_engine import crosswise, estimate_joint_strata, warner
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
        [combine_designs(stratum) for stratum in devices],
        [table.ravel() for table in tables],
        method,
        population,
    )
    strata = tuple(JointStratum(d, t) for d, t in zip(devices, tables, strict=True))
    return _reshape(flat, strata)


def _check_strata(
    designs: Sequence[Sequence[Channel]], counts: Sequence[npt.ArrayLike]
) -> tuple[list[tuple[Channel, ...]], list[npt.NDArray]]:
    devices = [check_designs(stratum) for stratum in as_list(designs) or ()]
    if not devices:
        rule = "be a sequence of one list of designs per stratum"
        raise ArgumentError("designs", designs, rule, "strata_missing")
    tables = as_list(counts)
    if tables is None or len(tables) != len(devices):
        rule = f"have one table for each of {len(devices)} strata"
        raise CountsError("counts", counts, rule, "tallies_do_not_fit")
    labels = [labels_by_question(stratum) for stratum in devices]
    if any(label != labels[0] for label in labels):
        rule = "have the same categories in every stratum"
        raise ArgumentError("designs", labels, rule, "categories_differ")
    if len(devices) > 1:
        _check_size(devices)
    pairs = zip(tables, devices, strict=True)
    return devices, [check_table(table, stratum) for table, stratum in pairs]


def _check_size(devices: list[tuple[Channel, ...]]) -> None:
    sizes = [prod(side) for d in devices for side in _sides(d)]
    if max(sizes) > DENSE_CELLS:
        raise ArgumentError(
            "cells", max(sizes), f"be at most {DENSE_CELLS} to pool strata", "too_many_cells"
        )


def _sides(stratum: tuple[Channel, ...]) -> tuple[list[int], list[int]]:
    """Return the numbers of reports and of truths of each attribute."""
    return [design.tally_size for design in stratum], [design.truth_size for design in stratum]


def _reshape(flat: Estimate, strata: tuple[JointStratum, ...]) -> JointEstimate:
    shape = truth_axes(strata[0].designs)
    remarks = [n for s in strata for n in table_notes(s.designs, s.counts, flat.population)]
    remarks = [note for note in remarks if note.code == "implausible"]
    return JointEstimate(
        strata=strata,
        proportions=flat.proportions.reshape(shape),
        covariance_operator=DenseTableCovariance(flat.covariance, shape),
        method=flat.method,
        population=flat.population,
        converged=flat.converged,
        iterations=flat.iterations,
        notes=without_repeats([*flat.notes, *remarks]),
        pooled=flat,
    )
