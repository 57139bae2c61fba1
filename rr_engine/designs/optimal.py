"""The most accurate yes/no devices that are (epsilon, delta) private."""

from decimal import Decimal
from math import exp, expm1

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon
from rr_engine.design import DesignMatrix
from rr_engine.designs.binary import NO_YES
from rr_engine.designs.categorical import k_rr


def optimal_threshold(epsilon: Epsilon, delta: Epsilon) -> float:
    """Return pi*: the prevalence below which the one-sided device beats the symmetric one.

    Parameters
    ----------
    epsilon : Decimal, str or float
        Above 0.
    delta : Decimal, str or float
        From 0 to below 1.

    Returns
    -------
    float
        ``delta (E + delta) / (E - 1 + 2 delta)**2`` with ``E = e**epsilon``; at 1/2 or more the
        one-sided device on the rarer side is best at every prevalence.

    Raises
    ------
    EpsilonError, ArgumentError

    References
    ----------
    .. [1] N. Holohan, D. J. Leith and O. Mason, "Optimal Differentially Private Mechanisms for
       Randomised Response", IEEE Trans. Inf. Forensics Security 12 (2017), Theorem 3.

    Examples
    --------
    >>> round(optimal_threshold(1, 0.1), 7), optimal_threshold(1, 0)
    (0.0765878, 0.0)
    """
    budget, share = float(check.epsilon(epsilon)), float(check.delta(delta))
    # Scaled by e**-epsilon so that a large budget cannot overflow.
    shrunk = exp(-budget)
    return share * shrunk * (1 + share * shrunk) / (2 * share * shrunk - expm1(-budget)) ** 2


def optimal_warner(epsilon: Epsilon, delta: Epsilon) -> DesignMatrix:
    """The best device that treats yes and no alike under (epsilon, delta).

    Parameters
    ----------
    epsilon : Decimal, str or float
        Above 0.
    delta : Decimal, str or float
        From 0 to below 1; at 0 this is :func:`k_rr` for two categories.

    Returns
    -------
    DesignMatrix
        Either answer is kept with probability ``(E + delta)/(1 + E)``, at every prevalence. Its
        own `epsilon`, ``ln((E + delta)/(1 - delta))``, is above the declared one.

    Raises
    ------
    EpsilonError, ArgumentError

    References
    ----------
    .. [1] N. Holohan, D. J. Leith and O. Mason, "Optimal Differentially Private Mechanisms for
       Randomised Response", IEEE Trans. Inf. Forensics Security 12 (2017), Theorem 4.

    Examples
    --------
    >>> optimal_warner("1", "0.1").matrix.round(4).tolist()
    [[0.758, 0.242], [0.242, 0.758]]
    """
    budget, share = check.epsilon(epsilon), check.delta(delta)
    if share == 0:
        return k_rr(NO_YES, budget)
    shrunk = exp(-float(budget))
    retention = (1 + float(share) * shrunk) / (1 + shrunk)
    changed = float(1 - share) * shrunk / (1 + shrunk)
    return _declared_design([[retention, changed], [changed, retention]], budget, share)


def optimal_binary(epsilon: Epsilon, delta: Epsilon, prevalence: float) -> DesignMatrix:
    """The most accurate yes/no device of all under (epsilon, delta) at a prevalence.

    Parameters
    ----------
    epsilon : Decimal, str or float
        Above 0.
    delta : Decimal, str or float
        From 0 to below 1; at 0 this is :func:`k_rr` for two categories.
    prevalence : float
        Guessed share of yes, from 0 to 1.

    Returns
    -------
    DesignMatrix
        With pi* from :func:`optimal_threshold`: below it the one-sided device
        ``(p00, p11) = (1, delta)``; above 1 - pi* its mirror ``(delta, 1)``; between them, and at
        either of them, where both are equally good, :func:`optimal_warner`. When pi* is above 1/2
        the rarer side counts, "yes" when they are equally rare.

    Raises
    ------
    EpsilonError, ArgumentError

    Warnings
    --------
    The one-sided device **reveals a delta share of the carriers outright**: every "no" is told as
    it is, so a reported "yes" is proof. Its own epsilon is infinite and `quantized` wants that
    accepted. Nobody should choose it without having been told.

    References
    ----------
    .. [1] N. Holohan, D. J. Leith and O. Mason, "Optimal Differentially Private Mechanisms for
       Randomised Response", IEEE Trans. Inf. Forensics Security 12 (2017), Theorem 2 (delta 0),
       Theorem 3 and Corollary 2.

    Examples
    --------
    >>> optimal_binary("1", "0.1", 0.05).matrix.tolist()
    [[1.0, 0.9], [0.0, 0.1]]
    >>> optimal_binary("1", "0.1", 0.2) == optimal_warner("1", "0.1")
    True
    """
    budget, share = check.epsilon(epsilon), check.delta(delta)
    yes = check.probability(prevalence, "prevalence")
    threshold, truthful = optimal_threshold(budget, share), float(share)
    if min(yes, 1 - yes) >= threshold:
        return optimal_warner(budget, share)
    if yes <= 1 - yes:
        return _declared_design([[1, float(1 - share)], [0, truthful]], budget, share)
    return _declared_design([[truthful, 0], [float(1 - share), 1]], budget, share)


def _declared_design(matrix: ArrayLike, epsilon: Decimal, delta: Decimal) -> DesignMatrix:
    return DesignMatrix(matrix, NO_YES, declared_epsilon=epsilon, declared_delta=delta)
