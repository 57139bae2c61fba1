"""A valid call of every public callable about counts of items, cheating and inattention."""

import rr_engine
from rr_engine import warner
from rr_engine.designs import direct
from tests.engine.bad_inputs import COIN, DEVICES, also, named_calls, optional, valid

# A device of any other size is refused: there is none.
NO_DEVICE = optional(None)
COUNTS, LISTS = [3, 4, 5], ([3, 4, 5], [2, 4, 4, 2])
PLAN = {
    "null": 0.1,
    "design": NO_DEVICE,
    "treated": 0.4,
    "alternative": "greater",
    "variance": "null",
}
ITEMS = [COIN, direct(2)]
ANCHOR = {"null": 0.1, "known": 0.1, "alternative": "greater"}
CHEATING = ([COIN, warner(0.3)], 0.3)
ALLOCATION = optional([0.4, 0.6])

COUNT_CALLS = named_calls(
    valid(rr_engine.list_experiment, *LISTS, level=0.9, design=NO_DEVICE),
    valid(rr_engine.item_count.design_effect_test, *LISTS, selection=also(True, "True|numpy True")),
    valid(rr_engine.item_count.list_bounds, *LISTS, level=0.9),
    valid(rr_engine.item_count.list_privacy, items=2, design=NO_DEVICE, control=[0.2, 0.5, 0.3]),
    valid(rr_engine.item_count.power_list_experiment, [0.2, 0.5, 0.3], 0.3, n=100, **PLAN),
    valid(rr_engine.item_count.solve_sample_size_list_experiment, [0.2, 0.5, 0.3], 0.3, **PLAN),
    valid(
        rr_engine.list_regression,
        X=[0.1, 0.7, 0.2, 0.9, 0.4, 0.3, 0.8, 0.5],
        counts=[0, 1, 2, 1, 1, 2, 3, 0],
        treated=[0, 0, 0, 0, 1, 1, 1, 1],
        items=2,
        weights=[1.0, 2.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0],
        names=["age"],
        design=NO_DEVICE,
    ),
    valid(
        rr_engine.item_count.combine_with_direct,
        [[3, 4], [2, 3]],
        [[3, 4, 2], [1, 2, 3]],
        level=0.9,
    ),
    valid(
        rr_engine.item_count.double_list_experiment,
        first=[[3, 4], [2, 3], [1, 2]],
        second=[[3, 4, 2], [1, 2, 3]],
        level=0.9,
    ),
    valid(rr_engine.item_count.sum_design, designs=also(ITEMS, DEVICES)),
    valid(rr_engine.item_count.sum_scores, ITEMS, reports=[[0, 1], [1, 1]], level=0.9),
    valid(rr_engine.item_count.sum_scores_of_totals, ITEMS, also(COUNTS, "empty dict"), level=0.9),
    valid(rr_engine.item_count.repeated_item, COIN, COUNTS, level=0.9),
    valid(
        rr_engine.compliance.inattention_bounds,
        *(COIN, also([60, 40], "empty dict"), also([0.0, 0.1], "None|too long"), [0.5, 0.5]),
        category=1,
        level=0.9,
        direct=0.1,
    ),
    valid(
        rr_engine.compliance.weighted_crosswise, 0.2, 0.2, [[0, 1], [1, 1]], [1.0, 2.0], 0.1, 0.9
    ),
    valid(
        rr_engine.planning.power_with_anchor,
        0.2,
        0.2,
        prevalence=0.3,
        attentive=0.8,
        n=100,
        **ANCHOR,
    ),
    valid(rr_engine.planning.solve_sample_size_with_anchor, 0.2, 0.2, 0.3, attentive=0.8, **ANCHOR),
    valid(
        rr_engine.planning.sample_size_with_anchor,
        0.2,
        0.2,
        0.3,
        0.8,
        margin=0.1,
        known=0.1,
        level=0.9,
    ),
    valid(rr_engine.planning.power_cheating, *CHEATING, also(0.1, "too long"), 100, ALLOCATION),
    valid(
        rr_engine.planning.solve_sample_size_cheating,
        *CHEATING,
        cheaters=0.1,
        allocation=ALLOCATION,
    ),
    valid(
        rr_engine.planning.power_noncompliance,
        *(COIN, 0.3, 0.1, 100, also([0.0, 0.1], "too long"), [1.0, 0.0]),
        alternative="greater",
        category=1,
    ),
)
