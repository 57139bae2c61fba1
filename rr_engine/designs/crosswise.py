"""Designs without a device: two questions answered together, one of them innocuous."""

from rr_engine.design import DesignMatrix
from rr_engine.designs.binary import yes_given
from rr_engine.validation import check_probability


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
    share = check_probability(theta, "theta")
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
    share = check_probability(theta, "theta")
    return yes_given(1.0, share, ("No to both", "Yes to at least one"))
