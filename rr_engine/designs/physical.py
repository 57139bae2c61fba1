"""Physical randomizers: dice, cards, a last digit, a birthday; exact fractions."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, comb, log

import numpy as np

from rr_engine import check
from rr_engine.arrays import Epsilon, FloatArray
from rr_engine.design import DesignMatrix
from rr_engine.designs.binary import NO_YES, yes_given
from rr_engine.errors import ArgumentError, EpsilonError
from rr_engine.privacy.loss import exponential_bounds


def forced_choice(categories: int | Sequence[str], outcomes: int, forced: int) -> DesignMatrix:
    """A physical randomizer: some of its results command a report, the rest command the truth.

    Parameters
    ----------
    categories : int or sequence of str
        At least two, at most 10,000. A table of so many takes gigabytes and some seconds.
    outcomes : int
        Equally likely results of the randomizer: 6 for a die, 36 for two, 10 for a digit.
    forced : int
        Results that force each one of the reports, at least 1; ``forced * t`` of them in all, at
        most `outcomes`. When none is left for the truth, nothing can be estimated.

    Returns
    -------
    DesignMatrix
        Exact, with denominator `outcomes`: ``outcomes - (t - 1) forced`` on the diagonal, `forced`
        elsewhere.

    Raises
    ------
    CategoryError, ArgumentError

    References
    ----------
    .. [1] R. F. Boruch, "Assuring Confidentiality of Responses in Social Research: A Note on
       Strategies", The American Sociologist 6 (1971), 308-311.

    Examples
    --------
    >>> die = forced_choice(["No", "Yes"], 6, 1)
    >>> die.integer_columns, die.denominator, die.likelihood_ratio_bound
    ([[5, 1], [1, 5]], 6, Fraction(5, 1))
    """
    labels, size = check.categories(categories), _outcomes(outcomes)
    each = check.whole(forced, "forced", minimum=1)
    if each * len(labels) > size:
        rule = f"be at most {size // len(labels)}: {len(labels)} reports share {size} outcomes"
        raise ArgumentError("forced", forced, rule, "too_many_outcomes", size // len(labels))
    table = np.full((len(labels), len(labels)), each, dtype=np.int64)
    np.fill_diagonal(table, size - (len(labels) - 1) * each)
    return DesignMatrix.from_integers(table, size, labels)


def crosswise_of(
    numerator: int, denominator: int, categories: Sequence[str] = ("No", "Yes")
) -> DesignMatrix:
    """The crosswise model whose innocuous question has a prevalence that is a known fraction.

    Parameters
    ----------
    numerator, denominator : int
        Prevalence of yes to the innocuous question, strictly between 0 and 1. A birthday in the
        first three months has 361/1461: leap years have their 29 February.
    categories : sequence of str, default ("No", "Yes")

    Returns
    -------
    DesignMatrix
        Exact, with that denominator. Report 0 is "different answers", report 1 "the same".

    Raises
    ------
    CategoryError, ArgumentError

    References
    ----------
    .. [1] J.-W. Yu, G.-L. Tian and M.-L. Tang, "Two New Models for Survey Sampling with Sensitive
       Characteristic: Design and Analysis", Metrika 67 (2008), 251-263.

    Examples
    --------
    >>> crosswise_of(361, 1461).likelihood_ratio_bound
    Fraction(1100, 361)
    """
    size = check.whole(denominator, "denominator", minimum=2, maximum=2**check.MAX_BITS)
    share = check.whole(numerator, "numerator", minimum=1, maximum=size - 1)
    table = [[share, size - share], [size - share, share]]
    reports = ("Different answers", "Same answer")
    return DesignMatrix.from_integers(table, size, categories, reports)


def strongest_fit(categories: int | Sequence[str], outcomes: int, epsilon: Epsilon) -> int:
    """Return the fewest outcomes that must force each report for a privacy loss.

    Parameters
    ----------
    categories : int or sequence of str
        At least two.
    outcomes : int
        Equally likely results of the randomizer.
    epsilon : Decimal, str or float

    Returns
    -------
    int
        Smallest `forced` for which ``forced_choice(categories, outcomes, forced)`` has an epsilon
        of at most this one, decided without rounding; at least one result is left for the truth.

    Raises
    ------
    CategoryError, ArgumentError
        When there are too few outcomes to force every report and still tell the truth sometimes.
    EpsilonError
        When the randomizer cannot keep to it; the error says the smallest epsilon that it can.

    References
    ----------
    Ours: the ratio of the two integers of :func:`forced_choice`, solved for `forced`.

    Examples
    --------
    >>> strongest_fit(2, 6, "1.7"), strongest_fit(2, 10, "1")
    (1, 3)
    """
    labels, budget = check.categories(categories), check.epsilon(epsilon)
    size, truths = _outcomes(outcomes), len(labels)
    most = (size - 1) // truths
    if most == 0:
        rule = f"be more than the {truths} categories"
        raise ArgumentError("outcomes", outcomes, rule, "too_few_outcomes")
    # (n - (t - 1) f) / f <= E  exactly when  f >= n / (E + t - 1).
    power = Fraction(exponential_bounds(budget)[0])
    forced = ceil(size / (power + truths - 1))
    if forced > most:
        least = log((size - (truths - 1) * most) / most)
        rule = f"be at least {_round_up(least)} for {size} outcomes and {truths} categories"
        raise EpsilonError("epsilon", epsilon, rule, "epsilon_too_small", Decimal(_round_up(least)))
    return forced


def _outcomes(value: int) -> int:
    return check.whole(value, "outcomes", minimum=2, maximum=2**check.MAX_BITS)


def _round_up(epsilon: float) -> str:
    # The suggested number must itself be acceptable.
    return f"{ceil(epsilon * 10**4) / 10**4:.4f}"


MOST_DRAWS = 200


def kuk(p1: float, p2: float, draws: int = 1) -> DesignMatrix:
    """Kuk's device: draw from one of two packs with replacement and report the red cards.

    Parameters
    ----------
    p1 : float
        Share of red cards in the pack of those whose truth is yes, from 0 to 1.
    p2 : float
        Share of red cards in the pack of those whose truth is no.
    draws : int, default 1
        Cards drawn, from 1 to 200.

    Returns
    -------
    DesignMatrix
        Shape (draws + 1, 2): report u is the number of red cards, binomial with p1 or p2. Each
        draw costs the epsilon of one; a share of 0 or 1 beside another makes it infinite.

    Raises
    ------
    ArgumentError
        Also when so many draws leave some count a chance that no float can hold.

    References
    ----------
    .. [1] A. Y. C. Kuk, "Asking Sensitive Questions Indirectly", Biometrika 77 (1990), 436-438.

    Examples
    --------
    >>> kuk(0.75, 0.25).matrix.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    >>> kuk(0.5, 0.25, draws=2).matrix.tolist()
    [[0.5625, 0.25], [0.375, 0.5], [0.0625, 0.25]]
    """
    shares = check.probability(p2, "p2"), check.probability(p1, "p1")
    cards = check.whole(draws, "draws", minimum=1, maximum=MOST_DRAWS)
    if cards == 1:
        return yes_given(shares[1], shares[0], ("0", "1"))
    matrix = np.column_stack([_binomial(cards, share) for share in shares])
    possible = np.column_stack([_possible(cards, share) for share in shares])
    if not np.array_equal(matrix > 0, possible):
        rule = "be few enough that every count keeps a chance"
        raise ArgumentError("draws", draws, rule, "too_many_draws")
    return DesignMatrix(matrix, NO_YES, [str(count) for count in range(cards + 1)])


def _binomial(draws: int, share: float) -> FloatArray:
    # In fractions: each chance is then correct to the last bit, however small it is.
    red = Fraction(share)
    chances = [comb(draws, u) * red**u * (1 - red) ** (draws - u) for u in range(draws + 1)]
    return np.array([float(chance) for chance in chances])


def _possible(draws: int, share: float) -> list[bool]:
    return [(share > 0 or u == 0) and (share < 1 or u == draws) for u in range(draws + 1)]


def disguised_response(p: float) -> DesignMatrix:
    """Two packs that mirror each other, one card: Kuk's device with shares p and 1 - p.

    Parameters
    ----------
    p : float
        Share of red cards in the pack of those whose truth is yes, from 0 to 1; the other pack
        has the share 1 - p. At 1/2 nothing can be estimated.

    Returns
    -------
    DesignMatrix
        Warner's table, but the answer is a colour and never a yes or a no.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110 (2015), 1304-1319.

    Examples
    --------
    >>> disguised_response(0.75).matrix.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    red = check.probability(p, "p")
    return DesignMatrix([[red, 1 - red], [1 - red, red]], NO_YES, ("Black", "Red"))
