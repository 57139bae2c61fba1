"""People drawn from the crowd of a release, some at a time."""

from collections.abc import Iterator

from surveys.results.crowd import Crowd

# Rows of a file at most, and those that are drawn at once.
MOST_PEOPLE = 100_000
AT_ONCE = 2000


def synthetic_size(crowd: Crowd) -> int:
    """How many people are drawn: as many as have answered."""
    return min(crowd.people, MOST_PEOPLE) if crowd.distribution else 0


def synthetic_people(crowd: Crowd) -> Iterator[list[int]]:
    """The codes of the answers of each, in the order of the questions.

    Drawn anew for each batch of rows, with seeds of their own, so that a file of any length takes
    constant memory and is the same each time.
    """
    if crowd.distribution is None:
        return
    count = synthetic_size(crowd)
    for batch, start in enumerate(range(0, count, AT_ONCE)):
        size = min(AT_ONCE, count - start)
        # The seeds of two releases are 32 bits apart at most; their batches must not meet.
        yield from crowd.distribution.synthetic(size, crowd.seed + (batch << 32)).tolist()
