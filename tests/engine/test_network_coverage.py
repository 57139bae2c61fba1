"""How often intervals of a network cover; docs/methods/networks.md has more surveys."""

import numpy as np
import pytest

from tests.engine.network_coverage import cases, coverage

pytestmark = pytest.mark.slow

SURVEYS = 50
# Four standard errors of a share of SURVEYS.
LEAST = 0.95 - 4 * np.sqrt(0.95 * 0.05 / SURVEYS)


@pytest.mark.parametrize("number", range(3), ids=[case.name for case in cases()])
def test_intervals_cover_a_fixed_network(number):
    found = coverage(cases()[number], 1, SURVEYS)
    assert min(found.values()) >= LEAST, found
    # No wider than they have to be.
    assert np.mean(list(found.values())) <= 0.99, found
