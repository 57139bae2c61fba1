"""People drawn from the crowd of a release, some at a time.

All of a file have answers to one block of questions, of which every pair was measured together.
"""

from collections.abc import Iterator

import numpy as np

from surveys.results.crowd.distribution import Crowd

# Rows of a file at most, and those that are drawn at once.
MOST_PEOPLE = 100_000
AT_ONCE = 2000


def synthetic_size(crowd: Crowd) -> int:
    """How many people are drawn: as many as have answered."""
    return min(crowd.people, MOST_PEOPLE) if crowd.distribution else 0


def synthetic_people(crowd: Crowd, block: int = 0) -> Iterator[list[int]]:
    """The codes of the answers of each to the questions of a block, in its order.

    Answers that were put together have the code of the first of them. Drawn anew for each batch of
    rows, with seeds of their own, so that a file of any length takes constant memory and is the
    same each time.
    """
    if crowd.distribution is None:
        return
    count, names = synthetic_size(crowd), crowd.blocks[block]
    codes = [np.array([each[0] for each in crowd.answers[name].together]) for name in names]
    for batch, start in enumerate(range(0, count, AT_ONCE)):
        size = min(AT_ONCE, count - start)
        # The seeds of two releases are 32 bits apart at most; their batches must not meet.
        people = crowd.distribution.synthetic(size, crowd.seed + (batch << 32), names)
        columns = [each[people[:, place]] for place, each in enumerate(codes)]
        yield from np.column_stack(columns).tolist()
