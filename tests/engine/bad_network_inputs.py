"""A valid call of every public callable about networks; see bad_inputs.py."""

import rr_engine
from rr_engine import NetworkReports, warner
from tests.engine.bad_inputs import call

DEVICE = warner(0.8)
REPORTS = NetworkReports.from_matrix([[0, 1, 0], [1, 0, 1], [0, 1, 0]], groups=[0, 0, 1])
FOUND = rr_engine.estimate_network(REPORTS, DEVICE, directed=False)
DEGREES = rr_engine.estimate_degrees(REPORTS, DEVICE, "undirected")

NETWORK_CALLS = {
    "NetworkReports": call(
        NetworkReports,
        {
            "n": 3,
            "reporters": [0, 2],
            "indptr": [0, 2, 3],
            "alters": [1, 2, 0],
            "bits": [1, 0, 1],
            "groups": [0, 1, 0],
        },
        groups="None",
    ),
    "NetworkReports.from_matrix": call(
        NetworkReports.from_matrix,
        {"matrix": [[0, 1], [1, 0]], "reported": [True, False], "groups": None},
        reported="None|list of bool",
        groups="None",
    ),
    "NetworkReports.from_rows": call(
        NetworkReports.from_rows,
        {"n": 3, "rows": ((0, [1, 2], [1, 0]), (2, [0], [1])), "groups": None},
        groups="None",
    ),
    "estimate_network": call(
        rr_engine.estimate_network,
        {"reports": REPORTS, "design": DEVICE, "directed": False, "density": 0.1},
        directed="True|numpy True",
        density="None",
    ),
    "estimate_mixing": call(
        rr_engine.estimate_mixing,
        {"reports": REPORTS, "design": DEVICE, "directed": False, "density": 0.1},
        directed="True|numpy True",
        density="None",
    ),
    "estimate_degrees": call(
        rr_engine.estimate_degrees, {"reports": REPORTS, "design": DEVICE, "kind": "in"}
    ),
    "DegreeDistribution.at_most": call(DEGREES.at_most, {"degree": 1}, degree="huge|endless"),
    "DegreeDistribution.at_most_interval": call(
        DEGREES.at_most_interval, {"degree": 1, "level": 0.9}, degree="huge|endless"
    ),
    "DegreeDistribution.share_between": call(
        DEGREES.share_between,
        {"lowest": 0, "highest": None},
        lowest="huge|endless",
        highest="huge|None|endless",
    ),
    "DegreeDistribution.share_interval": call(
        DEGREES.share_interval,
        {"lowest": 0, "highest": None, "level": 0.9},
        lowest="huge|endless",
        highest="huge|None|endless",
    ),
    "DegreeDistribution.quantile": call(DEGREES.quantile, {"chance": 0.5}),
    "DegreeDistribution.quantile_interval": call(
        DEGREES.quantile_interval, {"chance": 0.5, "level": 0.9}
    ),
    "NetworkCount.interval": call(FOUND.ties.interval, {"level": 0.9}),
    "NetworkRatio.interval": call(FOUND.clustering.interval, {"level": 0.9}),
}
