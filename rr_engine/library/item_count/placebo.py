"""A test of an assumption that a placebo makes visible."""

from dataclasses import dataclass

from rr_engine.display.shown import Shown


@dataclass(frozen=True, slots=True)
class PlaceboTest(Shown):
    """An estimate whose true value is known if the assumptions hold, with its two-sided test.

    Attributes
    ----------
    estimate, standard_error, p_value : float
    n : int
        People it rests on.

    Examples
    --------
    >>> from rr_engine.item_count import combine_with_direct
    >>> found = combine_with_direct([[10, 40, 50], [0, 30, 20]], [[8, 36, 42, 14], [0, 2, 29, 19]])
    >>> placebo = found.yes_placebo
    >>> round(placebo.estimate, 3), round(placebo.p_value, 3), placebo.n
    (0.94, 0.569, 100)
    """

    estimate: float
    standard_error: float
    p_value: float
    n: int
