"""Before the survey: how well a mean will be known, and how many respondents that takes."""

from rr_engine import check
from rr_engine.bounded.mean_device import MeanDevice, check_mean, check_mean_device, check_range
from rr_engine.planning.margins import margin_of_error, sample_size


def mean_margin_of_error(
    device: MeanDevice,
    mean: float,
    n: int,
    lower: float = 0.0,
    upper: float = 1.0,
    level: float = 0.95,
) -> float:
    """Half width of the normal interval of a mean that `n` respondents are expected to give.

    Parameters
    ----------
    device : MeanDevice
    mean : float
        Expected, within the range; the margin is largest in its middle.
    n : int
        At least 1.
    lower, upper : float, default 0 and 1
        The range.
    level : float, default 0.95

    Returns
    -------
    float
        In the units of the number; for a fixed group an upper bound.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Eq. 70 (its variance, of a binomial share).

    Examples
    --------
    >>> round(mean_margin_of_error(MeanDevice.from_epsilon(100, "1"), 50, 1000, 0, 100), 2)
    6.71
    """
    share, width = _share(device, mean, lower, upper)
    return width * margin_of_error(device.ends, share, n, level)


def mean_sample_size(
    device: MeanDevice,
    mean: float,
    margin: float,
    lower: float = 0.0,
    upper: float = 1.0,
    level: float = 0.95,
) -> int:
    """Smallest number of respondents whose expected margin of error is at most `margin`.

    Parameters
    ----------
    device, mean, lower, upper, level
        As in :func:`mean_margin_of_error`.
    margin : float
        Half width wanted, above 0, in the units of the number.

    Returns
    -------
    int

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Eq. 70 (its variance, solved for n).

    Examples
    --------
    >>> mean_sample_size(MeanDevice.from_epsilon(100, "1"), 50, 5, 0, 100)
    1799
    """
    share, width = _share(device, mean, lower, upper)
    target = check.positive(margin, "margin")
    return sample_size(device.ends, share, target / width, level)


def _share(device: MeanDevice, mean: float, lower: float, upper: float) -> tuple[float, float]:
    """Return the share of the upper end that has this mean, and the width of the range."""
    check_mean_device(device)
    low, high = check_range(lower, upper)
    return (check_mean(mean, (low, high)) - low) / (high - low), high - low
