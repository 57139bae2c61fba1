"""Yes/no devices with a box of cards, under the names that the literature knows them by."""

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, as_array
from rr_engine.design import DesignMatrix
from rr_engine.designs.binary import NO_YES, mangat, yes_given
from rr_engine.errors import DistributionError

MOST_CARDS = 1000


def devore(p: float) -> DesignMatrix:
    """Devore's device: the sensitive question, or an innocuous one that everybody says yes to.

    Parameters
    ----------
    p : float
        Pr(the sensitive question is drawn), from 0 to 1.

    Returns
    -------
    DesignMatrix
        Yes is reported for certain by a yes, with probability 1 - p by a no: the table of
        :func:`unrelated_question` with prevalence 1, and of :func:`mangat`.

    Raises
    ------
    ArgumentError

    Notes
    -----
    Epsilon is infinite (unless p is 0): a reported "no" proves that the truth is no.

    References
    ----------
    .. [1] J. L. Devore, "A Note on the Randomized Response Technique", Communications in
       Statistics - Theory and Methods 6 (1977), 1525-1529.

    Examples
    --------
    >>> devore(0.75).matrix.tolist()
    [[0.75, 0.0], [0.25, 1.0]]
    """
    return mangat(p)


def mangat_singh_singh(p: float, theta: float) -> DesignMatrix:
    """Mangat, Singh and Singh's device: a yes says yes; a no uses the unrelated question.

    Parameters
    ----------
    p : float
        Pr(the card names the sensitive trait) for those whose truth is no, from 0 to 1.
    theta : float
        Prevalence of the innocuous trait among them, from 0 to 1, known. Where it is not known:
        :class:`TwoCards`.

    Returns
    -------
    DesignMatrix
        Yes is reported for certain by a yes, with probability ``(1 - p) theta`` by a no.

    Raises
    ------
    ArgumentError

    Notes
    -----
    Epsilon is infinite: a reported "no" proves that the truth is no.

    References
    ----------
    .. [1] N. S. Mangat, R. Singh and S. Singh, "An Improved Unrelated Question Randomized Response
       Strategy", Calcutta Statistical Association Bulletin 42 (1992), 277-281.

    Examples
    --------
    >>> mangat_singh_singh(0.5, 0.5).matrix.tolist()
    [[0.75, 0.0], [0.25, 1.0]]
    """
    innocuous = (1 - check.probability(p, "p")) * check.probability(theta, "theta")
    return yes_given(1.0, innocuous)


def soberanis_cruz(p: float, theta_yes: float, theta_no: float) -> DesignMatrix:
    """Soberanis-Cruz's device: an innocuous question that is related to the sensitive one.

    Parameters
    ----------
    p : float
        Pr(the sensitive question is drawn), from 0 to 1.
    theta_yes, theta_no : float
        Prevalence of yes to the other question among those whose truth is yes, and no, from 0 to 1,
        both known. The same for both: :func:`unrelated_question`.

    Returns
    -------
    DesignMatrix
        Yes is reported with probability ``p + (1 - p) theta_yes`` by a yes and
        ``(1 - p) theta_no`` by a no.

    Raises
    ------
    ArgumentError

    Notes
    -----
    The more yes goes with yes, the more a report says, to the researcher and about the person.

    References
    ----------
    .. [1] V. Soberanis Cruz, G. Ramírez Valverde, S. Pérez Elizalde and F. González Cossio,
       "Muestreo de respuestas aleatorizadas en poblaciones finitas: un enfoque unificador",
       Agrociencia 42 (2008), 537-549 (model C).

    Examples
    --------
    >>> soberanis_cruz(0.5, 0.5, 0.25).matrix.tolist()
    [[0.875, 0.25], [0.125, 0.75]]
    """
    other = 1 - check.probability(p, "p")
    among_yes = 1 - other * (1 - check.probability(theta_yes, "theta_yes"))
    return yes_given(among_yes, other * check.probability(theta_no, "theta_no"))


def singh_joarder(p: float) -> DesignMatrix:
    """Singh and Joarder's device: as Warner's, but a yes whose card makes it a no draws once more.

    Parameters
    ----------
    p : float
        Pr(the sensitive statement is drawn), from 0 to 1.

    Returns
    -------
    DesignMatrix
        Yes is reported with probability ``p + (1 - p) p`` by a yes, 1 - p by a no. At
        ``p = (3 - sqrt 5) / 2 = 0.382`` both are the same, and nothing can be estimated.

    Raises
    ------
    ArgumentError

    Notes
    -----
    A yes says no after two cards of the opposite statement only: for p above 0.382 epsilon is
    ``ln(p / (1 - p)^2)``, by as much more than Warner's as a "no" says more.

    References
    ----------
    .. [1] S. Singh and A. H. Joarder, "Unknown Repeated Trials in Randomized Response Sampling",
       Journal of the Indian Statistical Association 30 (1997), 109-122.

    Examples
    --------
    >>> singh_joarder(0.75).matrix.tolist()
    [[0.75, 0.0625], [0.25, 0.9375]]
    """
    share = check.probability(p, "p")
    return yes_given(1 - (1 - share) ** 2, 1 - share)


def christofides(probabilities: ArrayLike) -> DesignMatrix:
    """Christofides' device: a numbered card, reported as it is by a no and turned round by a yes.

    Parameters
    ----------
    probabilities : array_like of float, shape (L,)
        How often each of the cards 1 to L is drawn; two or more.

    Returns
    -------
    DesignMatrix
        Shape (L, 2): report k has the chance of card k for a no, and of card ``L + 1 - k`` for a
        yes. With chances that are the same from both ends nothing can be estimated.

    Raises
    ------
    DistributionError

    Notes
    -----
    The paper estimates from the mean of the reports, as :class:`LinearScrambling` does. Estimates
    of this table weigh every card by itself: with two cards, which are Warner's, they are the
    same, and with more they have the smallest variance at the shares of their prior.

    References
    ----------
    .. [1] T. C. Christofides, "A Generalized Randomized Response Technique", Metrika 57 (2003),
       195-200.

    Examples
    --------
    >>> christofides([0.5, 0.25, 0.25]).matrix.tolist()
    [[0.5, 0.25], [0.25, 0.25], [0.25, 0.5]]
    """
    given = as_array(probabilities)
    if given is None or given.ndim != 1 or not 2 <= len(given) <= MOST_CARDS:
        rule = f"be a list of 2 to {MOST_CARDS} chances, one for each card"
        raise DistributionError("probabilities", probabilities, rule, "not_a_distribution")
    cards = check.distribution(given, len(given), "probabilities")
    labels = [str(card) for card in range(1, len(cards) + 1)]
    return DesignMatrix(np.column_stack([cards, cards[::-1]]), NO_YES, labels)
