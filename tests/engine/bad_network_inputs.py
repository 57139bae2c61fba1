"""A valid call of every public callable about networks; see bad_inputs.py."""

import rr_engine as rr
from rr_engine import warner
from rr_engine.networks import NetworkReports
from tests.engine.bad_inputs import NOTHING, also, named_calls, valid

DEVICE = warner(0.8)
REPORTS = NetworkReports.from_matrix([[0, 1, 0], [1, 0, 1], [0, 1, 0]], groups=[0, 0, 1])
FOUND = rr.networks.estimate_network(REPORTS, DEVICE, directed=False)
DEGREES = rr.networks.estimate_degrees(REPORTS, DEVICE, "undirected")

TRIANGLE, K_RR = [[0, 1, 1], [1, 0, 1], [1, 1, 0]], rr.k_rr(2, 1)
COMPLETE = NetworkReports.from_matrix(TRIANGLE)

NETWORK_CALLS = named_calls(
    valid(NetworkReports, 3, [0, 2], [0, 2, 3], [1, 2, 0], [1, 0, 1], [0, 1, 0]),
    valid(NetworkReports.from_matrix, [[0, 1], [1, 0]], also([True, False], "None|list of bool")),
    valid(NetworkReports.from_rows, 3, ((0, [1, 2], [1, 0]), (2, [0], [1]))),
    valid(rr.networks.estimate_network, REPORTS, DEVICE, directed=False, density=0.1),
    valid(rr.networks.estimate_mixing, REPORTS, DEVICE, directed=False, density=0.1),
    valid(rr.networks.estimate_degrees, reports=REPORTS, design=DEVICE, kind="in"),
    valid(DEGREES.at_most, degree=also(1, "huge|endless")),
    valid(DEGREES.at_most_interval, degree=also(1, "huge|endless"), level=0.9),
    valid(DEGREES.share_between, also(0, "huge|endless"), also(None, "huge|None|endless")),
    valid(DEGREES.share_interval, also(0, "huge|endless"), also(None, "huge|None|endless"), 0.9),
    valid(DEGREES.quantile, chance=0.5),
    valid(DEGREES.quantile_interval, chance=0.5, level=0.9),
    valid(FOUND.ties.interval, level=0.9),
    valid(FOUND.clustering.interval, level=0.9),
    valid(rr.networks.network_sensitivity, statistic="degrees", people=3),
    valid(rr.networks.triangle_sensitivity, graph=TRIANGLE, beta=0.5),
    valid(rr.networks.noisy_counts, TRIANGLE, "triangles", 1, "global", rng=1),
    valid(rr.networks.roster_privacy, K_RR, 4, also(2, "None|huge|endless"), 1, 4),
    valid(rr.networks.split_roster, also([2, 3], "object array of numbers"), 1, [1.0, 2.0]),
    valid(rr.networks.compare_roster_devices, roster=4, epsilon=1),
    valid(rr.networks.compare_tie_caps, *(20, 4, 1, also([1, 2], NOTHING), 0.2), reciprocity=0.3),
    valid(rr.networks.reconstruct_network, reports=COMPLETE, design=K_RR, ties=2, rng=1),
    valid(rr.networks.reconstruction_bias, graph=TRIANGLE, design=K_RR, ties=2),
    valid(
        rr.networks.plan_network,
        *(5, K_RR, 0.3),
        directed=True,
        groups=2,
        reciprocity=0.4,
        answering=4,
    ),
    valid(rr.networks.solve_tie_epsilon, 5, 0.1, directed=True, answering=4),
    valid(rr.networks.network_errors, TRIANGLE, K_RR, directed=False),
)
