"""Devices for a yes/no question; index 0 is "no", index 1 is "yes"."""

from rr_engine.design import DesignMatrix
from rr_engine.validation import check_probability

NO_YES = ("No", "Yes")


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

    References
    ----------
    .. [1] N. Holohan, D. J. Leith and O. Mason, "Optimal Differentially Private Mechanisms for
       Randomised Response", IEEE Trans. Inf. Forensics Security 12 (2017), Eq. 2.

    Examples
    --------
    >>> generalized_binary(0.5, 1.0).epsilon
    inf
    """
    no, yes = check_probability(p00, "p00"), check_probability(p11, "p11")
    return DesignMatrix([[no, 1 - yes], [1 - no, yes]], NO_YES)


def warner(p: float) -> DesignMatrix:
    """Warner's device: with probability `p` the sensitive statement, else its opposite.

    Parameters
    ----------
    p : float
        From 0 to 1; at 1/2 reports say nothing and no proportion can be estimated.

    Returns
    -------
    DesignMatrix

    References
    ----------
    .. [1] S. L. Warner, "Randomized Response: A Survey Technique for Eliminating Evasive Answer
       Bias", Journal of the American Statistical Association 60 (1965), 63-69.

    Examples
    --------
    >>> round(warner(0.75).epsilon, 4)
    1.0986
    """
    return generalized_binary(check_probability(p, "p"), p)
