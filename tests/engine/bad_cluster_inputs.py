"""A valid call of every public callable about clusters of attributes; see bad_inputs.py."""

import rr_engine as rr
from rr_engine import estimate_joint, k_rr
from rr_engine.clusters import Attribute
from tests.engine.bad_inputs import also, named_calls, valid

GIVEN = [Attribute("a", 2), Attribute("b", 3)]
PAIRS = {("a", "b"): estimate_joint([k_rr(2, 1), k_rr(3, 1)], [[30, 20, 10], [10, 20, 30]])}
SIMILAR = [[1, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 1]]
CHOICE = {"similarity": SIMILAR, "sizes": [2, 3, 4], "n": 100, "multiple": 0.5}

CLUSTER_CALLS = named_calls(
    valid(rr.clusters.dependence_graph, attributes=GIVEN, estimates=PAIRS),
    valid(
        rr.clusters.equal_frequency_bins,
        also(0, "-1|-0.5"),
        2,
        also([0.2, 0.3, 0.5], "too long"),
        2,
    ),
    valid(rr.clusters.cluster_attributes, similarity=SIMILAR, k=2),
    valid(rr.clusters.choose_clusters, **CHOICE),
    valid(rr.clusters.judge_clusters, clusters=[[0, 1], [2]], **CHOICE),
    valid(
        rr.clusters.cluster_costs,
        *([[0, 1], [2]], [2, 3, 4]),
        *(also(3, "object array of numbers|list of words"), 100),
    ),
    valid(rr.clusters.merge_categories, ["b"], GIVEN, PAIRS, also(2, "huge|endless")),
)
