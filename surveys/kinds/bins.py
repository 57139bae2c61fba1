"""Equal bins of a number, as the engine cuts them, and bins of their own for values at the ends."""

import rr_engine


def equal_starts(
    steps: int, count: int, *, lowest: bool = False, highest: bool = False
) -> tuple[int, ...]:
    """The steps at which so many bins of as equal sizes as possible begin.

    `lowest`, `highest`: that value has a bin of its own beside them, because many people have it.
    """
    between = steps - lowest - highest
    starts = (0,) if count == 1 else rr_engine.Bins.equal(0, 1, between, count).starts
    ends = (0,) * lowest, (steps,) * highest
    return (*ends[0], *(start + lowest for start in starts), *ends[1])
