"""The abilities of a survey beyond asking questions: one folder for each feature.

`FEATURES` has an object for each, which the rooms ask at run time. They know none of its names
(tests/app/contract/test_feature_names.py); docs/extending.md says how one is written.
"""

from surveys.features.feature import (
    FEATURES,
    Feature,
    analyses_of,
    asked_together,
    at_rest,
    audiences_without_script,
    common_texts,
    crossed_pairs,
    draw_fields,
    given_without_script,
    has_trait,
    mode_of,
    modes_of_features,
    part_titles,
    problems_of_features,
    sections_of,
    terms_of,
    untranslatable,
    used_features,
    weighting_of,
    whole_text,
)
from surveys.features.modes import Mode, OwnKey, Sending
from surveys.features.traits import Trait

__all__ = [
    "FEATURES",
    "Feature",
    "Mode",
    "OwnKey",
    "Sending",
    "Trait",
    "analyses_of",
    "asked_together",
    "at_rest",
    "audiences_without_script",
    "common_texts",
    "crossed_pairs",
    "draw_fields",
    "given_without_script",
    "has_trait",
    "mode_of",
    "modes_of_features",
    "part_titles",
    "problems_of_features",
    "sections_of",
    "terms_of",
    "untranslatable",
    "used_features",
    "weighting_of",
    "whole_text",
]
