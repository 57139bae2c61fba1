"""Direct against randomized: does the device bring out another prevalence than asking openly?"""

from dataclasses import dataclass

from rr_engine import check
from rr_engine.arguments import check_channel, truth_labels
from rr_engine.arrays import ArrayLike
from rr_engine.channels.protocol import Channel
from rr_engine.channels.uniform import UniformChannel
from rr_engine.compliance.share_results import ShareResult
from rr_engine.design import DesignMatrix
from rr_engine.designs.categorical import direct
from rr_engine.errors import ArgumentError
from rr_engine.estimation.difference import estimate_difference
from rr_engine.estimation.estimating import estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectComparison(ShareResult):
    """The prevalence of a randomized arm beside that of a direct one.

    Attributes
    ----------
    randomized, direct : float
        Unbiased prevalence of the category in each arm.
    difference, standard_error : float
        The randomized arm's less the direct one's; each arm's variance estimated for itself.
    interval : tuple of float
        By MOVER from the arms' own intervals; not cut to the range -1 to 1.
    level : float
    statistic, p_value : float
        Score test of one and the same prevalence: the difference divided by the standard error
        that it has if there is none.
    alternative : str
    notes : tuple of Note
        Of both arms' estimates, each once.

    Examples
    --------
    >>> from rr_engine import compare_with_direct, forced_response
    >>> found = compare_with_direct(forced_response(2 / 3, 1 / 6), [350, 150], [440, 60])
    >>> round(found.randomized, 2), round(found.direct, 2), round(found.difference, 2)
    (0.2, 0.12, 0.08)
    """

    randomized: float
    direct: float
    difference: float
    statistic: float
    p_value: float
    alternative: str = "two-sided"


def compare_with_direct(
    design: Channel,
    counts: ArrayLike,
    direct_counts: ArrayLike,
    category: int | None = None,
    alternative: str = "two-sided",
    level: float = 0.95,
) -> DirectComparison:
    """Test whether a randomized arm and a direct one have the same prevalence.

    Parameters
    ----------
    design : Channel
        The randomized arm's device; everybody has one of its truths.
    counts : array_like of int, shape (reports,); or mapping of reports to counts
        The randomized arm's reports.
    direct_counts : array_like of int, shape (truths,)
        Answers of the direct arm: other people, from the same population by chance.
    category : int, optional
        1 ("yes" in a binary design) when left out.
    alternative : {"two-sided", "greater", "less"}
        What is looked for in the randomized arm's prevalence: "greater" is "more is better".
    level : float, default 0.95
        Of the interval.

    Returns
    -------
    DirectComparison

    Raises
    ------
    ArgumentError, CountsError, NotIdentifiableError

    Notes
    -----
    :func:`rr_engine.estimate_difference` has the same for all categories and for any two devices;
    :func:`rr_engine.planning.power_difference` with ``variance="null"`` plans the test. The
    interval does not rest on the null hypothesis and may, at the edge, disagree with the test.
    docs/methods/compliance.md.

    References
    ----------
    .. [1] G. J. L. M. Lensvelt-Mulders, J. J. Hox, P. G. M. van der Heijden and C. J. M. Maas,
       "Meta-Analysis of Randomized Response Research", Sociological Methods & Research 33 (2005),
       319-348 (the assumption that more is better).
    .. [2] C. P. Farrington and G. Manning, "Test statistics and sample size formulae for
       comparative binomial trials", Statistics in Medicine 9 (1990), 1447-1454 (null variance).

    Examples
    --------
    >>> from rr_engine import forced_response
    >>> found = compare_with_direct(forced_response(2 / 3, 1 / 6), [350, 150], [440, 60])
    >>> round(found.difference, 3), round(found.statistic, 2), round(found.p_value, 4)
    (0.08, 2.41, 0.0158)
    >>> [round(end, 3) for end in found.interval]
    [0.014, 0.147]
    """
    size = _exclusive(design).truth_size
    confidence = check.open_unit(level, "level")
    answers = check.counts(direct_counts, size, "direct_counts", truth_labels(design))
    position = 1 if category is None else category
    index = check.whole(position, "category", maximum=size - 1)
    arms = estimate(design, counts), estimate(_direct(design), answers)
    difference = estimate_difference(*arms)
    test = difference.score_test(alternative)
    return DirectComparison(
        randomized=float(arms[0].proportions[index]),
        direct=float(arms[1].proportions[index]),
        difference=float(difference.values[index]),
        standard_error=float(difference.standard_errors[index]),
        interval=tuple(difference.interval(confidence)[index].tolist()),
        level=confidence,
        statistic=float(test.statistics[index]),
        p_value=float(test.p_values[index]),
        alternative=alternative,
        notes=tuple(dict.fromkeys(arms[0].notes + arms[1].notes)),
    )


def _exclusive(design: Channel) -> Channel:
    if not check_channel(design).exclusive:
        rule = "have truths of which everybody has exactly one"
        raise ArgumentError("design", design, rule, "truths_not_exclusive")
    return design


def _direct(design: Channel) -> Channel:
    """Return the direct question about the same truths."""
    if isinstance(design, DesignMatrix):
        return direct(design.categories)
    return UniformChannel(design.truth_shape, kept=1, other=0, denominator=1)
