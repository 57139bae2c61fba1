"""A valid call of every public callable about counts of items, cheating and inattention."""

import rr_engine
from rr_engine import direct, library, warner
from tests.engine.bad_inputs import call

LISTS = {"control": [3, 4, 5], "treatment": [2, 4, 4, 2]}
TABLES = {"control": [[3, 4], [2, 3]], "treatment": [[3, 4, 2], [1, 2, 3]]}
DOUBLE = {"first": [[3, 4], [2, 3], [1, 2]], "second": [[3, 4, 2], [1, 2, 3]]}
PLAN = {
    "control": [0.2, 0.5, 0.3],
    "prevalence": 0.3,
    "null": 0.1,
    "treated": 0.4,
    "alpha": 0.05,
    "alternative": "greater",
    "design": None,
    "variance": "null",
}
ITEMS = [warner(0.8), direct(2)]
ANCHOR = {
    "theta": 0.2,
    "anchor_theta": 0.2,
    "prevalence": 0.3,
    "attentive": 0.8,
    "null": 0.1,
    "known": 0.1,
    "alpha": 0.05,
    "alternative": "greater",
}
CHEATING = {
    "designs": [warner(0.8), warner(0.3)],
    "honest": 0.3,
    "allocation": [0.4, 0.6],
    "alpha": 0.05,
    "safe": 0,
}
DEVICES = "devices|three devices"

COUNT_CALLS = {
    "list_experiment": call(
        library.list_experiment, {**LISTS, "level": 0.9, "design": None}, design="None"
    ),
    "design_effect_test": call(
        library.design_effect_test, {**LISTS, "selection": True}, selection="True|numpy True"
    ),
    "list_bounds": call(library.list_bounds, {**LISTS, "level": 0.9}),
    "list_privacy": call(
        library.list_privacy,
        {"items": 2, "design": None, "control": [0.2, 0.5, 0.3]},
        design="None",
        control="None",
    ),
    "power_list_experiment": call(library.power_list_experiment, {**PLAN, "n": 100}, design="None"),
    "solve_sample_size_list_experiment": call(
        library.solve_sample_size_list_experiment, {**PLAN, "power": 0.8}, design="None"
    ),
    "list_regression": call(
        library.list_regression,
        {
            "X": [0.1, 0.7, 0.2, 0.9, 0.4, 0.3, 0.8, 0.5],
            "counts": [0, 1, 2, 1, 1, 2, 3, 0],
            "treated": [0, 0, 0, 0, 1, 1, 1, 1],
            "items": 2,
            "weights": [1.0, 2.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0],
            "intercept": True,
            "names": ["age"],
            "design": None,
            "sample": None,
        },
        weights="None",
        intercept="True|numpy True",
        names="None",
        design="None",
        sample="None",
    ),
    "combine_with_direct": call(library.combine_with_direct, {**TABLES, "level": 0.9}),
    "double_list_experiment": call(library.double_list_experiment, {**DOUBLE, "level": 0.9}),
    "sum_design": call(library.sum_design, {"designs": ITEMS}, designs=DEVICES),
    "sum_scores": call(
        library.sum_scores, {"designs": ITEMS, "reports": [[0, 1], [1, 1]], "level": 0.9}
    ),
    "sum_scores_of_totals": call(
        library.sum_scores_of_totals,
        {"designs": ITEMS, "counts": [3, 4, 5], "level": 0.9},
        counts="empty dict",
    ),
    "repeated_item": call(
        library.repeated_item, {"design": warner(0.8), "counts": [3, 4, 5], "level": 0.9}
    ),
    "inattention_bounds": call(
        rr_engine.inattention_bounds,
        {
            "design": warner(0.8),
            "counts": [60, 40],
            "shares": [0.0, 0.1],
            "otherwise": [0.5, 0.5],
            "category": 1,
            "level": 0.9,
            "direct": 0.1,
        },
        counts="empty dict",
        shares="None|too long",
        otherwise="None",
        category="None",
        direct="None",
    ),
    "weighted_crosswise": call(
        library.weighted_crosswise,
        {
            "theta": 0.2,
            "anchor_theta": 0.2,
            "reports": [[0, 1], [1, 1]],
            "weights": [1.0, 2.0],
            "known": 0.1,
            "level": 0.9,
        },
    ),
    "power_with_anchor": call(library.power_with_anchor, {**ANCHOR, "n": 100}),
    "solve_sample_size_with_anchor": call(
        library.solve_sample_size_with_anchor, {**ANCHOR, "power": 0.8}
    ),
    "sample_size_with_anchor": call(
        library.sample_size_with_anchor,
        {
            "theta": 0.2,
            "anchor_theta": 0.2,
            "prevalence": 0.3,
            "attentive": 0.8,
            "margin": 0.1,
            "known": 0.1,
            "level": 0.9,
        },
    ),
    "power_cheating": call(
        library.power_cheating,
        {**CHEATING, "cheaters": 0.1, "n": 100, "method": "normal"},
        allocation="None",
        cheaters="too long",
    ),
    "solve_sample_size_cheating": call(
        library.solve_sample_size_cheating,
        {**CHEATING, "cheaters": 0.1, "power": 0.8},
        allocation="None",
    ),
    "power_noncompliance": call(
        library.power_noncompliance,
        {
            "design": warner(0.8),
            "prevalence": 0.3,
            "null": 0.1,
            "n": 100,
            "shares": [0.0, 0.1],
            "otherwise": [1.0, 0.0],
            "alpha": 0.05,
            "alternative": "greater",
            "category": 1,
            "method": "exact",
        },
        shares="too long",
        otherwise="None",
        category="None",
    ),
}
