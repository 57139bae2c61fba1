"""Figures of draft questions are kept by what they depend on.

A page asks for them at every keystroke, and for all of its questions at once. They depend on the
number of the answers and not on their labels, so that questions that are alike share them.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from surveys.drafts import Asked, Draft

Figures = TypeVar("Figures")
# Of each function; beyond, the figures that were asked for least recently are forgotten.
MOST_KEPT = 2_048


def remembered(figures: Callable[..., Figures]) -> Callable[..., Figures]:
    """Keep what a function finds for a draft question and hashable values after it.

    What it returns is shared: it must not be changed. An error is not kept.
    """
    kept = functools.lru_cache(maxsize=MOST_KEPT)(figures)

    @functools.wraps(figures)
    def asked(question: Asked | Draft, *values: Any) -> Figures:
        return kept(Draft.of(question).unlabelled(), *values)

    asked.kept = kept  # for tests that count what is computed
    return asked
