"""Power of the test of independence of two attributes."""

from collections.abc import Sequence
from dataclasses import dataclass

from rr_engine import check
from rr_engine.arguments import check_design_list
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.association.independence import score_statistic
from rr_engine.channels.tallies import labelled_table
from rr_engine.design import DesignMatrix
from rr_engine.distributions import chi2_isf, noncentral_chi2_sf, noncentrality
from rr_engine.errors import ArgumentError
from rr_engine.frames.tallies import counted
from rr_engine.labelled import column_labels
from rr_engine.planning.proportion import people
from rr_engine.planning.solving import settle_sample_size
from rr_engine.precision import check_identifiable

# A statistic per respondent below this is rounding.
INDEPENDENT = 1e-14


def power_independence(
    designs: Sequence[DesignMatrix], table: ArrayLike, n: int, alpha: float = 0.05
) -> float:
    """Probability that the test of independence finds the association of a table.

    Parameters
    ----------
    designs : two DesignMatrix
        The device of each of the two questions, which draw independently of each other.
    table : array_like of float, shape (truths of the first, truths of the second)
        True proportions of all pairs of answers; they sum to 1.
    n : int
        Respondents, each of whom answers both questions.
    alpha : float, default 0.05

    Returns
    -------
    float
        From `alpha`, where the table is independent, to 1. By the normal limit.

    Raises
    ------
    NotIdentifiableError, DistributionError, ArgumentError

    Notes
    -----
    The statistic of :func:`rr_engine.independence_test` is nearly noncentral chi-square, with the
    statistic of the reports that are expected as its noncentrality. docs/methods/planning.md.

    References
    ----------
    .. [1] J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", 2nd ed., Lawrence
       Erlbaum, 1988, chapter 7 (without a device: noncentrality n w^2).

    Examples
    --------
    Asked directly, and through a device, 100 people with an association of w = 0.3:

    >>> from rr_engine import k_rr
    >>> from rr_engine.designs import direct
    >>> table = [[0.325, 0.175], [0.175, 0.325]]
    >>> round(power_independence([direct(2), direct(2)], table, 100), 3)
    0.851
    >>> round(power_independence([direct(2), k_rr(2, 2)], table, 100), 3)
    0.627
    """
    (freedom, each), size = _plan(designs, table), check.size(n)
    return _power(freedom, size * each, check.open_unit(alpha, "alpha"))


def solve_sample_size_independence(
    designs: Sequence[DesignMatrix], table: ArrayLike, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Smallest number of respondents with whom the test of independence has the required power.

    Parameters
    ----------
    designs, table, alpha
        As in :func:`power_independence`.
    power : float, default 0.8
        Strictly between 0 and 1.

    Returns
    -------
    int
        One respondent fewer misses the power.

    Raises
    ------
    NotIdentifiableError, DistributionError
    ArgumentError
        Also for a table that is independent.

    References
    ----------
    .. [1] J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", second edition,
       Erlbaum 1988, chapter 7 (the noncentral chi-square).

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.designs import direct
    >>> table = [[0.325, 0.175], [0.175, 0.325]]
    >>> solve_sample_size_independence([direct(2), direct(2)], table)
    88
    >>> solve_sample_size_independence([k_rr(2, 2), k_rr(2, 2)], table)
    260
    """
    freedom, each = _plan(designs, table)
    target, level = check.open_unit(power, "power"), check.open_unit(alpha, "alpha")
    if not each > INDEPENDENT:
        raise ArgumentError("table", table, "differ from that of independent answers", "no_effect")
    if target <= level:
        return 1
    needed = noncentrality(float(chi2_isf(level, freedom)), freedom, target)
    start = people(float(needed) / each, "table", table)
    return settle_sample_size(lambda n: _power(freedom, n * each, level), start, target)


@dataclass(frozen=True, slots=True)
class _Expected:
    """The expected shares of reports, which the test takes for reports."""

    designs: tuple[DesignMatrix, ...]
    counts: FloatArray


def _plan(designs: Sequence[DesignMatrix], table: ArrayLike) -> tuple[int, float]:
    """Return the degrees of freedom, and what each respondent adds to the noncentrality."""
    pair = check_design_list(designs, rule="be a list of two DesignMatrix, one for each question")
    if len(pair) != 2:
        raise ArgumentError("designs", designs, "be two, one for each question", "not_two_designs")
    for design in pair:
        check_identifiable(design.matrix)
    shape = tuple(len(design.categories) for design in pair)
    rule = f"be a table of proportions, {shape[0]} rows of {shape[1]}"
    names = [design.categories for design in pair]
    labelled = column_labels(counted(table)) is not None
    given = labelled_table(table, shape, "table", names) if labelled else table
    proportions = check.reals(given, shape, "table", rule)
    truths = check.distribution(proportions.ravel(), proportions.size, "table").reshape(shape)
    shares = pair[0].matrix @ truths @ pair[1].matrix.T
    each, freedom = score_statistic(_Expected(tuple(pair), shares / shares.sum()))
    if freedom == 0:
        rule = "leave more than one answer to each question"
        raise ArgumentError("table", table, rule, "too_few_answers")
    return freedom, float(each)


def _power(freedom: int, moved: float, alpha: float) -> float:
    return float(noncentral_chi2_sf(chi2_isf(alpha, freedom), freedom, moved))
