"""Equal bins of a number, as the engine cuts them."""

import rr_engine


def equal_starts(steps: int, count: int) -> tuple[int, ...]:
    """The steps at which so many bins of as equal sizes as possible begin."""
    return rr_engine.Bins.equal(0, 1, steps, count).starts
