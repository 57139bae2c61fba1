"""Bins of a number, by places that count in bins from the lower end of its range."""

from math import ceil


def bins_around(low: float, high: float, count: int) -> tuple[int, int]:
    """Return the first bin that holds places from `low` to `high`, and the first after those.

    Places count in bins from the lower end of the range, of `count` bins.
    """
    # A quantile at a boundary belongs to the bins on both sides.
    return max(ceil(low) - 1, 0), min(int(high), count - 1) + 1
