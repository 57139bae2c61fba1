"""A valid call of every public callable about counts of items; see bad_inputs.py."""

import rr_engine
from rr_engine import direct, warner
from tests.engine.bad_inputs import call

LISTS = {"control": [3, 4, 5], "treatment": [2, 4, 4, 2]}
TABLES = {"control": [[3, 4], [2, 3]], "treatment": [[3, 4, 2], [1, 2, 3]]}
DOUBLE = {"first": [[3, 4], [2, 3], [1, 2]], "second": [[3, 4, 2], [1, 2, 3]]}
ITEMS = [warner(0.8), direct(2)]
DEVICES = "devices|three devices"

COUNT_CALLS = {
    "list_experiment": call(
        rr_engine.list_experiment, {**LISTS, "level": 0.9, "design": None}, design="None"
    ),
    "design_effect_test": call(
        rr_engine.design_effect_test, {**LISTS, "selection": True}, selection="True|numpy True"
    ),
    "list_bounds": call(rr_engine.list_bounds, {**LISTS, "level": 0.9}),
    "list_privacy": call(
        rr_engine.list_privacy,
        {"items": 2, "design": None, "control": [0.2, 0.5, 0.3]},
        design="None",
        control="None",
    ),
    "combine_with_direct": call(rr_engine.combine_with_direct, {**TABLES, "level": 0.9}),
    "double_list_experiment": call(rr_engine.double_list_experiment, {**DOUBLE, "level": 0.9}),
    "sum_design": call(rr_engine.sum_design, {"designs": ITEMS}, designs=DEVICES),
    "sum_scores": call(
        rr_engine.sum_scores, {"designs": ITEMS, "reports": [[0, 1], [1, 1]], "level": 0.9}
    ),
    "sum_scores_of_totals": call(
        rr_engine.sum_scores_of_totals,
        {"designs": ITEMS, "counts": [3, 4, 5], "level": 0.9},
        counts="empty dict",
    ),
    "repeated_item": call(
        rr_engine.repeated_item, {"design": warner(0.8), "counts": [3, 4, 5], "level": 0.9}
    ),
}
