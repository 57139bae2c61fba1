"""Kinds of question: one module for each, found by its name."""

from surveys.kinds.kind import MAX_OPTIONS, Kind, option_labels
from surveys.kinds.registry import KINDS, categories, is_about_members, kind_of

__all__ = [
    "KINDS",
    "MAX_OPTIONS",
    "Kind",
    "categories",
    "is_about_members",
    "kind_of",
    "option_labels",
]
