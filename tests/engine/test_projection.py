import numpy as np
import pytest
from scipy.optimize import minimize

from rr_engine.estimation import project_to_simplex


@pytest.mark.parametrize("size", [2, 3, 10, 100])
def test_sums_to_one_is_idempotent_and_never_negative(size):
    rng = np.random.default_rng(size)
    for scale in (0.01, 1, 100):
        for _ in range(50):
            once = project_to_simplex(rng.normal(1 / size, scale, size))
            assert once.sum() == pytest.approx(1, abs=1e-12)
            assert (once >= 0).all()
            assert np.array_equal(project_to_simplex(once), once)


def test_is_the_nearest_point():
    rng = np.random.default_rng(2)
    for _ in range(20):
        values = rng.normal(0.3, 0.5, 4)
        found = project_to_simplex(values)
        sums = {"type": "eq", "fun": lambda x: x.sum() - 1}
        best = minimize(
            lambda x, v=values: ((x - v) ** 2).sum(),
            np.full(4, 0.25),
            bounds=[(0, 1)] * 4,
            constraints=sums,
            options={"ftol": 1e-14},
        )
        assert np.allclose(found, best.x, atol=1e-5)
        assert ((found - values) ** 2).sum() <= best.fun + 1e-12


def test_leaves_proportions_as_they_are():
    values = np.array([0.1, 0.2, 0.7])
    assert np.array_equal(project_to_simplex(values), values)


def test_ties_and_extremes():
    assert project_to_simplex(np.array([5.0, 5.0])).tolist() == [0.5, 0.5]
    assert project_to_simplex(np.array([-1.0, -1.0, -3.0])).tolist() == [0.5, 0.5, 0.0]
    assert project_to_simplex(np.array([1.5, -0.5])).tolist() == [1.0, 0.0]
