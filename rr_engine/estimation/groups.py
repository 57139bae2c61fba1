"""Groups that everybody is known to be in: each of them estimated from its own reports."""

from collections.abc import Sequence

import numpy.typing as npt

from rr_engine.arguments import check_channel_list
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.stratified import estimate_strata
from rr_engine.validation import as_array, as_list


def estimate_groups(
    designs: Sequence[Channel],
    counts: Sequence[npt.ArrayLike],
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
    tables = as_list(counts)
    if tables is None or len(tables) != len(given):
        rule = f"have one table for each of the {len(given)} designs"
        raise ArgumentError("counts", counts, rule, "tallies_do_not_fit")
    given_arrays = [as_array(table) for table in tables]
    arrays = [table for table in given_arrays if table is not None and table.ndim == 2]
    widths = {table.shape[1] for table in arrays}
    if len(arrays) < len(tables) or len(widths) > 1 or 0 in widths:
        rule = "be tables of reports and groups, with the same groups in every stratum"
        raise CountsError("counts", counts, rule, "table_does_not_fit")
    return [
        estimate_strata(given, [table[:, group] for table in arrays], method, population)
        for group in range(widths.pop())
    ]
