"""Figures 5 and 6 of Wang et al. (2016), and the networks that they are computed on."""

import numpy as np
import pytest

import rr_engine
from papers import networks, wang2016_networks

# People, ties and triangles, as networkx counts them in its graphs.
SIZES = {
    "synthetic": (185, 684, 856),
    "karate": (34, 78, 45),
    "florentine": (15, 20, 3),
    "davis": (32, 89, 0),
    "lesmis": (77, 254, 467),
}


@pytest.mark.parametrize(
    "network", [networks.synthetic(), *networks.bundled()], ids=lambda n: n.name
)
def test_networks_have_their_sizes(network):
    ties = network.ties
    assert (ties == ties.T).all()
    assert not ties.diagonal().any()
    closed = int(wang2016_networks.triangles(ties).sum() / 3)
    assert (network.n, int(ties.sum() / 2), closed) == SIZES[network.name]


def test_unbiased_values_are_those_of_the_engine():
    network, design = networks.bundled()[0], rr_engine.k_rr(2, 2)
    reported = wang2016_networks.reported_ties(network, design, np.random.default_rng(1))
    scores = wang2016_networks.unbiased_scores(reported, design)
    found = rr_engine.networks.estimate_network(
        wang2016_networks.reports_of(reported), design, directed=False
    )
    assert found.degrees.value == pytest.approx(scores.sum(axis=1))
    assert found.node_triangles.value == pytest.approx(wang2016_networks.triangles(scores))


@pytest.fixture(scope="module")
def karate():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wang2016_networks, "EPSILONS", (1, 5))
        yield wang2016_networks.compare(networks.bundled()[0])


def test_errors_of_laplace_noise_are_their_scales(karate):
    errors, _ = karate
    for row in errors:
        sensitivity = 2 if row["statistic"] == "degrees" else 3 * 32
        expected = sensitivity / row["epsilon"]
        assert abs(row["lm_global"] - expected) < 4 * row["lm_global_se"]


def test_rebuilt_and_unbiased_triangles_are_what_is_computed(karate):
    for row in karate[1]:
        assert abs(row["rebuilt"] - row["rebuilt_exact"]) < 4 * row["rebuilt_se"]
        standard_error = row["unbiased_sd_exact"] / 10
        assert abs(row["unbiased"] - row["triangles"]) < 4 * standard_error
        assert row["rebuilt_exact"] < row["triangles"]


def test_randomized_response_beats_laplace_where_there_is_something_to_see(karate):
    for row in karate[0]:
        if row["epsilon"] == 5:
            assert row["rr"] + 4 * row["rr_se"] < row["lm"]
        # One count takes less noise than all of them.
        if row["statistic"] == "triangles":
            assert row["lm_smooth_one"] < row["lm_smooth"]


def test_figures_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(wang2016_networks, "EPSILONS", (1,))
    monkeypatch.setattr(wang2016_networks, "REPETITIONS", 3)
    wang2016_networks.reproduce(tmp_path, networks.bundled()[1:2])
    assert {path.name for path in tmp_path.iterdir()} == {
        f"wang2016-{name}-florentine.{ending}"
        for name in ("figure-5", "figure-6", "network")
        for ending in ("csv", "html")
    }
