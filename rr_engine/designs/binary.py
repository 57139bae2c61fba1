"""Designs for a yes/no question; index 0 is "no", index 1 is "yes".

Two need no device: two questions are answered together, one of them innocuous.
"""

from rr_engine import check
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError
from rr_engine.labelled import also_named

NO_YES = ("No", "Yes")
# Probabilities written as decimals may add up to one and a few units in the last place.
ROUNDING = 1e-12


def generalized_binary(p00: float, p11: float) -> DesignMatrix:
    """Any binary device, from the chance that each answer is reported as it is.

    Parameters
    ----------
    p00 : float
        Pr(report no | truth no), from 0 to 1.
    p11 : float
        Pr(report yes | truth yes), from 0 to 1.

    Returns
    -------
    DesignMatrix

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] N. Holohan, D. J. Leith and O. Mason, "Optimal Differentially Private Mechanisms for
       Randomised Response", IEEE Trans. Inf. Forensics Security 12 (2017), Eq. 2.

    Examples
    --------
    >>> generalized_binary(0.5, 1.0).epsilon
    inf
    """
    no, yes = check.probability(p00, "p00"), check.probability(p11, "p11")
    return DesignMatrix([[no, 1 - yes], [1 - no, yes]], NO_YES)


def yes_given(yes: float, no: float, reports: tuple[str, str] | None = None) -> DesignMatrix:
    """Return the table of a design from Pr(report 1 | yes) and Pr(report 1 | no)."""
    return DesignMatrix([[1 - no, 1 - yes], [no, yes]], NO_YES, reports)


def warner(p: float) -> DesignMatrix:
    """Warner's device: with probability `p` the sensitive statement, else its opposite.

    Parameters
    ----------
    p : float
        From 0 to 1; at 1/2 reports say nothing and no proportion can be estimated.

    Returns
    -------
    DesignMatrix
        Yes is reported with probability p by a yes, 1 - p by a no.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] S. L. Warner, "Randomized Response: A Survey Technique for Eliminating Evasive Answer
       Bias", Journal of the American Statistical Association 60 (1965), 63-69.
    .. [2] Z. Huang and W. Du, "OptRR: Optimizing Randomized Response Schemes for Privacy-Preserving
       Data Mining", ICDE 2008, III-B (the same family for more categories, see
       :func:`uniform_perturbation`).

    Examples
    --------
    >>> round(warner(0.75).epsilon, 4)
    1.0986
    """
    return generalized_binary(check.probability(p, "p"), p)


def forced_response(p_truth: float, p_yes: float) -> DesignMatrix:
    """Boruch's device: tell the truth, or say yes, or say no, as the dice command.

    Parameters
    ----------
    p_truth : float
        Pr(told to answer truthfully), from 0 to 1.
    p_yes : float
        Pr(told to say yes); what is left, ``1 - p_truth - p_yes``, is the chance of a forced no.

    Returns
    -------
    DesignMatrix
        Yes is reported with probability p_truth + p_yes by a yes, p_yes by a no. Without forced
        yes, or without forced no, one of the two answers proves the truth: epsilon is infinite.

    Raises
    ------
    ArgumentError
        When the two add up to more than one.

    References
    ----------
    .. [1] R. F. Boruch, "Assuring Confidentiality of Responses in Social Research: A Note on
       Strategies", The American Sociologist 6 (1971), 308-311.

    Examples
    --------
    >>> forced_response(0.75, 0.125).matrix.tolist()
    [[0.875, 0.125], [0.125, 0.875]]
    """
    truth, forced = check.probability(p_truth, "p_truth"), check.probability(p_yes, "p_yes")
    if truth + forced > 1 + ROUNDING:
        rule = f"be at most 1 - p_truth, which is {1 - truth:.6g}"
        raise ArgumentError("p_yes", p_yes, rule, "share_exceeds_rest")
    return yes_given(min(truth + forced, 1.0), forced)


def unrelated_question(p: float, theta: float) -> DesignMatrix:
    """Greenberg's device: the sensitive question, or an innocuous one of known prevalence.

    Parameters
    ----------
    p : float
        Pr(the sensitive question is drawn), from 0 to 1.
    theta : float
        Prevalence of yes to the innocuous question, from 0 to 1, known and independent of the
        sensitive trait.

    Returns
    -------
    DesignMatrix
        Yes is reported with probability ``p + (1 - p) theta`` by a yes, ``(1 - p) theta`` by a no.
        At theta 0 or 1 the epsilon is infinite.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] B. G. Greenberg, A.-L. A. Abul-Ela, W. R. Simmons and D. G. Horvitz, "The Unrelated
       Question Randomized Response Model: Theoretical Framework", Journal of the American
       Statistical Association 64 (1969), 520-539.

    Examples
    --------
    >>> unrelated_question(0.5, 0.25).matrix.tolist()
    [[0.875, 0.375], [0.125, 0.625]]
    """
    sensitive = check.probability(p, "p")
    innocuous = (1 - sensitive) * check.probability(theta, "theta")
    return yes_given(min(sensitive + innocuous, 1.0), innocuous)


@also_named(p_truth="T")
def two_stage(T: float, p: float) -> DesignMatrix:
    """Mangat and Singh's device: with probability `T` the truth at once, else Warner's device.

    Parameters
    ----------
    T : float
        Pr(told to answer truthfully in the first stage), from 0 to 1; also taken as `p_truth`, as
        in :func:`forced_response`.
    p : float
        Pr(the sensitive statement) in the second stage, from 0 to 1.

    Returns
    -------
    DesignMatrix
        Yes is reported with probability ``T + (1 - T) p`` by a yes, ``(1 - T)(1 - p)`` by a no.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] N. S. Mangat and R. Singh, "An Alternative Randomized Response Procedure", Biometrika
       77 (1990), 439-442.

    Examples
    --------
    >>> two_stage(0.5, 0.75).matrix.tolist()
    [[0.875, 0.125], [0.125, 0.875]]
    """
    first, second = check.probability(T, "T"), check.probability(p, "p")
    return yes_given(min(first + (1 - first) * second, 1.0), (1 - first) * (1 - second))


def mangat(p: float) -> DesignMatrix:
    """Mangat's device: a yes says yes; a no uses Warner's device.

    Parameters
    ----------
    p : float
        Pr(the sensitive statement) for those whose truth is no, from 0 to 1.

    Returns
    -------
    DesignMatrix
        Yes is reported for certain by a yes, with probability 1 - p by a no.

    Raises
    ------
    ArgumentError

    Notes
    -----
    Epsilon is infinite (unless p is 0): a reported "no" proves that the truth is no, and so
    whoever can report "no" to clear themselves will.

    References
    ----------
    .. [1] N. S. Mangat, "An Improved Randomized Response Strategy", Journal of the Royal
       Statistical Society B 56 (1994), 93-95.

    Examples
    --------
    >>> mangat(0.75).matrix.tolist(), mangat(0.75).epsilon
    ([[0.75, 0.0], [0.25, 1.0]], inf)
    """
    return yes_given(1.0, 1 - check.probability(p, "p"))


def crosswise(theta: float) -> DesignMatrix:
    """The crosswise model: "are your answers to these two questions the same?".

    Parameters
    ----------
    theta : float
        Prevalence of yes to the innocuous question, from 0 to 1, known and independent of the
        sensitive trait. At 1/2 reports say nothing and no proportion can be estimated.

    Returns
    -------
    DesignMatrix
        Report 1 is "the same": probability theta for a yes, 1 - theta for a no. The table is
        Warner's.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] J.-W. Yu, G.-L. Tian and M.-L. Tang, "Two New Models for Survey Sampling with Sensitive
       Characteristic: Design and Analysis", Metrika 67 (2008), 251-263.

    Examples
    --------
    >>> crosswise(0.25).matrix.tolist()
    [[0.25, 0.75], [0.75, 0.25]]
    """
    share = check.probability(theta, "theta")
    reports = ("Different answers", "Same answer")
    return DesignMatrix([[share, 1 - share], [1 - share, share]], ("No", "Yes"), reports)


def triangular(theta: float) -> DesignMatrix:
    """The triangular model: "no to both questions", or "yes to at least one".

    Parameters
    ----------
    theta : float
        Prevalence of yes to the innocuous question, from 0 to 1, known and independent of the
        sensitive trait.

    Returns
    -------
    DesignMatrix
        Report 1 is "yes to at least one": certain for a yes, probability theta for a no.

    Raises
    ------
    ArgumentError

    Notes
    -----
    Epsilon is infinite (unless theta is 1): "no to both" proves that the sensitive answer is no.

    References
    ----------
    .. [1] J.-W. Yu, G.-L. Tian and M.-L. Tang, "Two New Models for Survey Sampling with Sensitive
       Characteristic: Design and Analysis", Metrika 67 (2008), 251-263.

    Examples
    --------
    >>> triangular(0.25).matrix.tolist(), triangular(0.25).epsilon
    ([[0.75, 0.0], [0.25, 1.0]], inf)
    """
    share = check.probability(theta, "theta")
    return yes_given(1.0, share, ("No to both", "Yes to at least one"))
