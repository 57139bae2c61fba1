"""Groups that everybody is known to be in: each of them estimated from its own reports."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arguments import check_channel_list
from rr_engine.arrays import ArrayLike, as_array
from rr_engine.channels.protocol import Channel
from rr_engine.errors import CountsError
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.stratified import estimate_strata
from rr_engine.frames.tallies import counted
from rr_engine.labelled import column_labels, place_of, row_labels


def estimate_groups(
    designs: Sequence[Channel],
    counts: Sequence[ArrayLike],
    method: str = "inversion",
    population: str = "sample",
) -> list[Estimate]:
    """Estimate the proportions of every group by itself, given everybody's group.

    Parameters
    ----------
    designs : sequence of Channel
        One per stratum, as in :func:`rr_engine.estimate_strata`.
    counts : sequence of array_like of int, one of shape (reports, groups) per stratum
        How often each report came from each group.
    method, population : str
        As in :func:`rr_engine.estimate_strata`.

    Returns
    -------
    list of Estimate
        One for each group. Different people: compare two by
        :func:`rr_engine.estimate_difference`.

    Raises
    ------
    ArgumentError, CategoryError, CountsError, NotIdentifiableError

    Notes
    -----
    A ratio of two shares of everybody, as of :meth:`JointEstimate.conditional`, takes its error
    from the reports of the group, which is zero when they are all alike. A group's own estimate
    has intervals that invert a test and keep their width.

    References
    ----------
    .. [1] C.-E. Särndal, B. Swensson and J. Wretman, "Model Assisted Survey Sampling", Springer
       1992, chapter 10 (domains).

    Examples
    --------
    >>> from rr_engine import warner
    >>> groups = estimate_groups([warner(0.75)], [[[600, 380], [400, 620]]])
    >>> [group.proportions.round(3).tolist() for group in groups]
    [[0.7, 0.3], [0.26, 0.74]]
    """
    given = check_channel_list(designs)
    rule = f"have one table for each of the {len(given)} designs"
    several = check.entries(counts, "counts", len(given), rule, "tallies_do_not_fit")
    tables = [counted(table) for table in several]
    _check_same_groups(tables)
    given_arrays = [
        _rows_in_order(table, channel) for table, channel in zip(tables, given, strict=True)
    ]
    arrays = [table for table in given_arrays if table is not None and table.ndim == 2]
    widths = {table.shape[1] for table in arrays}
    if len(arrays) < len(tables) or len(widths) > 1 or 0 in widths:
        rule = "be tables of reports and groups, with the same groups in every stratum"
        raise CountsError("counts", counts, rule, "table_does_not_fit")
    return [
        estimate_strata(given, [table[:, group] for table in arrays], method, population)
        for group in range(widths.pop())
    ]


def _check_same_groups(tables: Sequence[object]) -> None:
    """Refuse tables whose columns are groups in different orders."""
    found = [labels for labels in map(column_labels, tables) if labels is not None]
    if any(labels != found[0] for labels in found):
        rule = "have the same groups as columns in every stratum, in one order"
        raise CountsError("counts", found, rule, "table_does_not_fit")


def _rows_in_order(table: object, channel: Channel) -> npt.NDArray | None:
    """Return a table with its rows, which may be labelled, in the order of the reports."""
    array, labels = as_array(table), row_labels(table)
    if array is None or labels is None or array.ndim != 2:
        return array
    names = getattr(channel, "report_labels", ()) or check.number_labels(channel.tally_size)
    places = [place_of(label, names, "counts", error=CountsError) for label in labels]
    result = np.zeros((channel.tally_size, array.shape[1]), array.dtype)
    np.add.at(result, places, array)
    return result
