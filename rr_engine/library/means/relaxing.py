"""The relaxation of a report on a mean: the same number at a higher epsilon, the noise reused."""

from fractions import Fraction

from rr_engine import check
from rr_engine.bounded.mean_device import MeanDevice, check_mean_device
from rr_engine.device import RandomBytes, uniform_below
from rr_engine.errors import ArgumentError


def flip_chance(device_now: MeanDevice, device_next: MeanDevice) -> Fraction:
    """Return how often a report must be changed to be as noisy as one of the device before.

    Parameters
    ----------
    device_now, device_next : MeanDevice
        Of the same steps, the epsilon of the next at least that of the first, in exact numbers.

    Returns
    -------
    Fraction
        c with ``l_now = c + (1 - 2 c) l_next`` for the chances l of the report 1 at the lowest
        value; below one half. Since the chances rise in a line, symmetric about one half, a report
        of the next device changed with chance c has exactly the law of the first, at every value.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Theorem 3.1 and section 5.2.

    Examples
    --------
    >>> flip_chance(MeanDevice(2, 3, 1, 8), MeanDevice(2, 1, 3, 8))
    Fraction(1, 3)
    """
    now = check_mean_device(device_now, "device_now")
    after = check_mean_device(device_next, "device_next")
    if after.steps != now.steps:
        rule = f"have as many steps as the device before, {now.steps}"
        raise ArgumentError("device_next", after, rule, "categories_differ")
    if after.gap < now.gap:
        rule = "have an epsilon of at least that of the device before"
        raise ArgumentError("device_next", after, rule, "budget_falls")
    return (1 - now.gap / after.gap) / 2


def relaxed_chance(
    previous: int, value: int, device_now: MeanDevice, device_next: MeanDevice
) -> Fraction:
    """Return the probability that the relaxed report is 1, exactly.

    Parameters
    ----------
    previous : int
        The report of the first device, 0 or 1.
    value : int
        The place of the number on the grid.
    device_now, device_next : MeanDevice
        As for :func:`flip_chance`.

    Returns
    -------
    Fraction
        ``C[y1, 1] P_next[1 | value] / P_now[y1 | value]``, C the channel that changes a report with
        the chance of :func:`flip_chance`.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Theorems 3.1 to 3.3 and section 5.2.

    Examples
    --------
    >>> relaxed_chance(1, 0, MeanDevice(2, 3, 1, 8), MeanDevice(2, 1, 3, 8))
    Fraction(2, 9)
    """
    flip = flip_chance(device_now, device_next)
    report = check.whole(previous, "previous", maximum=1)
    kept = 1 - flip if report == 1 else flip
    return kept * device_next.chance(value) / device_now.chance(value, report)


def relax_mean_report(
    previous: int,
    value: int,
    device_now: MeanDevice,
    device_next: MeanDevice,
    random_bytes: RandomBytes,
) -> int:
    """Draw the report of a device of a higher epsilon, given that of the one before.

    Parameters
    ----------
    previous, value, device_now, device_next
        As for :func:`relaxed_chance`.
    random_bytes : callable
        Such as ``secrets.token_bytes``; see :func:`rr_engine.designs.uniform_below`.

    Returns
    -------
    int
        0 or 1: exactly the law of the next device; both reports together leak its epsilon.

    Raises
    ------
    ArgumentError

    Notes
    -----
    Of a chance a/b a uniform integer below b is drawn, of any number of digits, and the report is
    1 where it is at least b - a, as in :func:`rr_engine.designs.draw_report`.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Theorem 3.1 and section 5.2.

    Examples
    --------
    >>> now, after = MeanDevice(2, 3, 1, 8), MeanDevice(2, 1, 3, 8)
    >>> relax_mean_report(1, 0, now, after, lambda size: b"\\x07" * size)
    1
    """
    chance = relaxed_chance(previous, value, device_now, device_next)
    number = uniform_below(chance.denominator, random_bytes)
    return int(number >= chance.denominator - chance.numerator)
