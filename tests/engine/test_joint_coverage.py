"""How often intervals of a joint device hold: of margins, of pairs and of cells."""

from itertools import combinations

import numpy as np
import pytest

from rr_engine import estimate_joint
from rr_engine.channels import joint_design

pytestmark = pytest.mark.slow

SIZES = (3, 2, 4)
PEOPLE, SURVEYS, SEED = 1_500, 100, 20180703


def truth():
    """Return answers that depend on each other; shares from 0.5 to 12 percent."""
    shares = np.random.default_rng(SEED).gamma(2.0, size=SIZES) + 0.1
    return shares / shares.sum()


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize(("form", "p"), [("changes", 0.6), ("uniform", 0.4)])
def test_intervals_cover_as_often_as_they_say(form, p, population):
    """The share is over cells and surveys; of independent hits its standard error is 0.006 or less.

    For a fixed group the device alone is at work, on the same people every time.
    """
    channel, rng = joint_design(SIZES, p, form=form), np.random.default_rng(SEED)
    people = channel.whole_people(truth().ravel(), PEOPLE)
    shares = truth() if population == "sample" else people.reshape(SIZES) / PEOPLE
    hits: dict[int, list[float]] = {1: [], 2: [], 3: []}
    for _ in range(SURVEYS):
        if population == "sample":
            counts = channel.survey_counts(shares.ravel(), PEOPLE, rng, 1)[0]
        else:
            counts = channel.counts_of(people, PEOPLE, rng)
        joint = estimate_joint([channel], counts.reshape(SIZES), population=population)
        for size, found in hits.items():
            for axes in combinations(range(3), size):
                ends = joint.margin(axes).interval(method="default")
                true = shares.sum(axis=tuple(axis for axis in range(3) if axis not in axes))
                found.append(float(((ends[..., 0] <= true) & (true <= ends[..., 1])).mean()))
    for size, found in hits.items():
        assert 0.935 <= np.mean(found) <= 0.965, size
