"""Counts of items: list experiments, and sums of several randomized items of one person."""

from rr_engine.item_count.bounds import ListBounds, list_bounds
from rr_engine.item_count.design_effects import DesignEffectTest, design_effect_test
from rr_engine.item_count.direct import (
    CombinedListExperiment,
    PlaceboTest,
    combine_with_direct,
)
from rr_engine.item_count.double import DoubleListExperiment, double_list_experiment
from rr_engine.item_count.list_experiment import ListExperiment, list_experiment
from rr_engine.item_count.power import (
    power_list_experiment,
    solve_sample_size_list_experiment,
)
from rr_engine.item_count.privacy import ListPrivacy, list_privacy
from rr_engine.item_count.repeated import RepeatedItem, repeated_item
from rr_engine.item_count.sum_design import sum_design
from rr_engine.item_count.sum_scores import SumScores, sum_scores, sum_scores_of_totals

__all__ = [
    "CombinedListExperiment",
    "DesignEffectTest",
    "DoubleListExperiment",
    "ListBounds",
    "ListExperiment",
    "ListPrivacy",
    "PlaceboTest",
    "RepeatedItem",
    "SumScores",
    "combine_with_direct",
    "design_effect_test",
    "double_list_experiment",
    "list_bounds",
    "list_experiment",
    "list_privacy",
    "power_list_experiment",
    "repeated_item",
    "solve_sample_size_list_experiment",
    "sum_design",
    "sum_scores",
    "sum_scores_of_totals",
]
