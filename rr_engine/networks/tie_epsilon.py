"""The epsilon of a tie at which the density of a network is known well enough."""

from __future__ import annotations

from math import asinh, comb, sqrt

from rr_engine.errors import ArgumentError
from rr_engine.networks.planning import MOST_PEOPLE, check_answering
from rr_engine.validation import check_real, check_switch, check_whole


def solve_tie_epsilon(
    people: int,
    standard_error: float,
    *,
    directed: bool,
    reports: int = 1,
    answering: int | None = None,
) -> float:
    """Compute the epsilon of each tie that gives the density a wanted standard error.

    Parameters
    ----------
    people : int
        On the roster, at least 3.
    standard_error : float
        Of the share of pairs that are tied, above 0 and at most 1.
    directed : bool
        Whether i may be tied to j without j being tied to i.
    reports : {1, 2}
        Of each undirected tie, by one of its ends or both, whose mean is taken.
    answering : int, optional
        People who answer, from 2 on; everybody when left out.

    Returns
    -------
    float
        Of the symmetric device, ``k_rr(2, epsilon)``.

    Raises
    ------
    ArgumentError

    Notes
    -----
    docs/methods/network-privacy.md, "Planning". The noise of a tie, ``v = 1/(4 sinh(e/2)**2)``,
    does not depend on the truth; the density has ``v (pairs asked once + pairs asked twice / 2)``
    over the square of the asked pairs, solved for e.

    References
    ----------
    Ours: from the variance of a sum of independent scores, docs/methods/network-privacy.md.

    Examples
    --------
    >>> from rr_engine import k_rr, plan_network
    >>> epsilon = solve_tie_epsilon(60, 0.01, directed=True, answering=45)
    >>> round(epsilon, 3)
    1.721
    >>> plan = plan_network(60, k_rr(2, f"{epsilon:.6f}"), 0.1, directed=True, answering=45)
    >>> round(plan.statistics["density"].standard_error, 6)
    0.01
    """
    size = check_whole(people, "people", minimum=3, maximum=MOST_PEOPLE)
    error = check_real(standard_error, "standard_error")
    if not 0 < error <= 1:
        rule = "be above 0 and at most 1, as a share of the pairs"
        raise ArgumentError("standard_error", standard_error, rule, "out_of_range")
    both_ways = check_switch(directed, "directed")
    times = check_whole(reports, "reports", minimum=1, maximum=1 if both_ways else 2)
    reporters = check_answering(answering, size, both_ways or times == 2)
    if both_ways:
        asked, noises = reporters * (size - 1), float(reporters * (size - 1))
    else:
        by_both, by_one = comb(reporters, 2), reporters * (size - reporters)
        asked, noises = by_both + by_one, by_both / times + by_one
    return 2 * asinh(sqrt(noises) / (2 * error * asked))
