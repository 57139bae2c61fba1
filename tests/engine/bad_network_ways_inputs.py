"""A valid call of every public callable about networks but the estimates; see bad_inputs.py."""

import rr_engine
from rr_engine import library
from tests.engine.bad_inputs import call

TRIANGLE = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]

REPORTS = rr_engine.NetworkReports.from_matrix(TRIANGLE)

NETWORK_WAYS_CALLS = {
    "network_sensitivity": call(
        library.network_sensitivity,
        {"statistic": "degrees", "people": 3, "neighbours": "tie"},
    ),
    "triangle_sensitivity": call(library.triangle_sensitivity, {"graph": TRIANGLE, "beta": 0.5}),
    "noisy_counts": call(
        library.noisy_counts,
        {
            "graph": TRIANGLE,
            "statistic": "triangles",
            "epsilon": 1,
            "noise": "global",
            "delta": 0,
            "neighbours": "tie",
            "rng": 1,
        },
    ),
    "roster_privacy": call(
        rr_engine.roster_privacy,
        {"design": rr_engine.k_rr(2, 1), "roster": 4, "most_ties": 2, "reports": 1, "named_by": 4},
        most_ties="None|huge|endless",
        named_by="None",
    ),
    "split_roster": call(
        library.split_roster,
        {"sizes": [2, 3], "epsilon": 1, "weights": [1.0, 2.0]},
        sizes="object array of numbers",
        weights="None",
    ),
    "compare_roster_devices": call(
        rr_engine.compare_roster_devices, {"roster": 4, "epsilon": 1, "density": 0.5}
    ),
    "compare_tie_caps": call(
        rr_engine.compare_tie_caps,
        {
            "people": 20,
            "roster": 4,
            "epsilon": 1,
            "caps": [1, 2],
            "ties": 0.2,
            "reciprocity": 0.3,
        },
        caps="empty list|empty array|generator|no rows",
        reciprocity="None",
    ),
    "reconstruct_network": call(
        rr_engine.reconstruct_network,
        {"reports": REPORTS, "design": rr_engine.k_rr(2, 1), "ties": 2, "rng": 1},
        ties="None",
    ),
    "reconstruction_bias": call(
        rr_engine.reconstruction_bias,
        {"graph": TRIANGLE, "design": rr_engine.k_rr(2, 1), "ties": 2},
        ties="None",
    ),
    "plan_network": call(
        rr_engine.plan_network,
        {
            "people": 5,
            "design": rr_engine.k_rr(2, 1),
            "density": 0.3,
            "directed": True,
            "reports": 1,
            "groups": 2,
            "reciprocity": 0.4,
            "answering": 4,
        },
        directed="True|numpy True",
        reciprocity="None",
        answering="None",
    ),
    "solve_tie_epsilon": call(
        rr_engine.solve_tie_epsilon,
        {
            "people": 5,
            "standard_error": 0.1,
            "directed": True,
            "reports": 1,
            "answering": 4,
        },
        directed="True|numpy True",
        answering="None",
    ),
    "network_errors": call(
        rr_engine.network_errors,
        {"graph": TRIANGLE, "design": rr_engine.k_rr(2, 1), "directed": False, "reports": 1},
        directed="True|numpy True",
    ),
}
