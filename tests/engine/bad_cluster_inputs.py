"""A valid call of every public callable about clusters of attributes; see bad_inputs.py."""

import rr_engine
from rr_engine import Attribute, estimate_joint, k_rr, library
from tests.engine.bad_inputs import call

GIVEN = [Attribute("a", 2), Attribute("b", 3)]
PAIRS = {("a", "b"): estimate_joint([k_rr(2, 1), k_rr(3, 1)], [[30, 20, 10], [10, 20, 30]])}
SIMILAR = [[1, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 1]]
CHOICE = {"similarity": SIMILAR, "sizes": [2, 3, 4], "n": 100, "multiple": 0.5}

CLUSTER_CALLS = {
    "dependence_graph": call(
        rr_engine.dependence_graph, {"attributes": GIVEN, "estimates": PAIRS, "missing": "refuse"}
    ),
    "equal_frequency_bins": call(
        library.equal_frequency_bins,
        {"lower": 0, "upper": 2, "shares": [0.2, 0.3, 0.5], "count": 2},
        lower="-1|-0.5",
        shares="too long",
    ),
    "cluster_attributes": call(
        rr_engine.cluster_attributes, {"similarity": SIMILAR, "k": 2, "method": "pic"}
    ),
    "choose_clusters": call(rr_engine.choose_clusters, {**CHOICE, "method": "best", "least": 0.1}),
    "judge_clusters": call(rr_engine.judge_clusters, {"clusters": [[0, 1], [2]], **CHOICE}),
    "cluster_costs": call(
        rr_engine.cluster_costs,
        {"clusters": [[0, 1], [2]], "sizes": [2, 3, 4], "epsilon": 3, "n": 100, "form": "best"},
        epsilon="object array of numbers|list of words",
    ),
    "merge_categories": call(
        rr_engine.merge_categories,
        {"names": ["b"], "attributes": GIVEN, "estimates": PAIRS, "cells": 2},
        cells="huge|endless",
    ),
}
