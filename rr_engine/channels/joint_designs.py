"""The paper's device over several questions, from a chance or from a privacy loss."""

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, log, prod

from rr_engine import check
from rr_engine.arrays import Epsilon
from rr_engine.channels.joint_channel import JointChannel, neighbours
from rr_engine.channels.tallies import check_sizes
from rr_engine.channels.uniform import UniformChannel
from rr_engine.errors import ArgumentError, DesignError, EpsilonError
from rr_engine.privacy.loss import exponential_bounds, ratio_at_most

FORMS = ("changes", "uniform")
# Decimal places of the least epsilon that an error suggests.
PLACES = 4


def joint_design(
    sizes: Sequence[int],
    p: float | None = None,
    bits: int = 32,
    form: str = "changes",
    epsilon: Epsilon | None = None,
) -> JointChannel | UniformChannel:
    """One device over the combinations of answers to several questions.

    Parameters
    ----------
    sizes : sequence of int
        Number of answers to each question.
    p : float, optional
        Chance that the whole combination is reported as it is, strictly between 0 and 1.
    bits : int, default 32
        The denominator is 2**bits; at most 52.
    form : {"changes", "uniform"}
        "changes" weighs each other combination by one over the number of answers that differ, as
        the paper does; "uniform" gives all of them one chance.
    epsilon : Decimal, str or float, optional
        In place of `p`: the privacy loss, never exceeded. For m questions the form "changes" has
        devices from ln(m) on: a combination with one changed answer is m times as likely there as
        one with all of them changed, and the true one is likelier still. At ln(m (1 + ... + 1/m))
        the table of all questions cannot be estimated, though margins can.

    Returns
    -------
    JointChannel or UniformChannel
        In exact integers. The chance of the combination itself is `p` or up to a rounding below;
        for an epsilon it is the largest that these bits and weights, rounded up, allow.

    Raises
    ------
    EpsilonError
        When the epsilon is below ln(m) for the form "changes"; the error says the least.
    DesignError
        When `bits` are too few for so many combinations.
    ArgumentError
        Also when both `p` and `epsilon` are given, or neither.

    References
    ----------
    .. [1] J. Domingo-Ferrer, R. Mulero-Vellido and J. Soria-Comas, "Multiparty Computation with
       Statistical Input Confidentiality via Randomized Response", PSD 2018, Eq. 11.

    Examples
    --------
    >>> channel = joint_design([9, 16], 0.9)
    >>> round(channel.epsilon, 3), channel.margin([0]).truth_shape
    (7.309, (9,))
    >>> same = joint_design([9, 16], epsilon="7.309")
    >>> round(same.weights[0] / same.denominator, 4), same.epsilon_at_most("7.309")
    (0.9, True)
    """
    shape = check_sizes(sizes, "sizes")
    total = 2 ** check.whole(bits, "bits", minimum=1, maximum=check.MAX_BITS)
    check.choice(form, "form", FORMS)
    if (p is None) == (epsilon is None):
        rule = "be given, or epsilon in its place, and not both"
        raise ArgumentError("p", p, rule, "chance_or_epsilon")
    if epsilon is not None and form == "uniform":
        return UniformChannel.from_epsilon(shape, epsilon, bits)
    numbers = neighbours(shape)
    each = [Fraction(1, w if form == "changes" else 1) for w in range(1, len(numbers))]
    if epsilon is None:
        moved = _moved_by_chance(check.open_unit(p, "p"), each, numbers, total)
    else:
        moved = _moved_by_epsilon(check.epsilon(epsilon), each, numbers, total)
    retention = total - _sum(moved, numbers)
    if retention < (1 if epsilon is None else max(moved)):
        raise DesignError("bits", bits, f"be enough for {prod(shape)} combinations", "too_few_bits")
    if form == "uniform" or len(shape) == 1:
        return UniformChannel(shape, retention, moved[0], total)
    return JointChannel(shape, (retention, *moved), total)


def _sum(moved: Sequence[Fraction | int], numbers: Sequence[int]) -> Fraction | int:
    """Return the sum over all other combinations; `moved` is by the number of changed answers."""
    return sum(weight * number for weight, number in zip(moved, numbers[1:], strict=True))


def _moved_by_chance(
    chance: float, each: Sequence[Fraction], numbers: Sequence[int], total: int
) -> list[int]:
    """Return the integers of the other combinations, by the number of changed answers.

    Rounded up, so that the true combination, which receives the remainder, is never likelier.
    """
    unit = (1 - Fraction(chance)) * total / _sum(each, numbers)
    return [ceil(unit * share) for share in each]


def _moved_by_epsilon(
    epsilon: Decimal, each: Sequence[Fraction], numbers: Sequence[int], total: int
) -> list[int]:
    """Return the same for the least integer x that keeps the privacy loss.

    A combination with w of m answers changed has ``ceil(x m / w)``, which is x for w = m. What is
    left for the true one falls as x grows; the least x at which it is e**epsilon x at most is found
    by bisection, below ``D / (E + m S)``, which would do without rounding.
    """
    ratio = each[0] / each[-1]
    if not ratio_at_most(ratio, epsilon):
        least = f"{ceil(log(ratio) * 10**PLACES) / 10**PLACES:.{PLACES}f}"
        rule = f'be at least {least} for {len(each)} questions, or the form be "uniform"'
        raise EpsilonError("epsilon", epsilon, rule, "epsilon_too_small", Decimal(least))
    power = Fraction(exponential_bounds(epsilon)[0])
    relative = [share / each[-1] for share in each]

    def moved(least: int) -> list[int]:
        return [ceil(least * share) for share in relative]

    def keeps(least: int) -> bool:
        return total - _sum(moved(least), numbers) <= power * least

    enough = ceil(total / (power + _sum(relative, numbers)))
    return moved(bisect_left(range(enough), True, lo=1, key=keeps))
