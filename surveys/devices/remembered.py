"""Figures of draft questions, cached by what they depend on.

A page asks for them at every keystroke, and for all of its questions at once. They depend on the
number of the answers and not on their labels, so that questions that are alike share them.
"""

import functools
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from surveys.drafts import AskedQuestion, Draft
from surveys.registry import Registry

Figures = TypeVar("Figures")
# The most figures that are kept of each function; beyond, those asked for least recently are
# forgotten.
MOST_KEPT = 2_048


class Remembered(Generic[Figures]):
    """Keep what a function finds for a draft question and hashable values after it.

    The result is shared, so it must not be changed. An error is not cached.
    """

    def __init__(self, figures: Callable[..., Figures]) -> None:
        functools.update_wrapper(self, figures)
        # Open to tests, which count what is computed.
        self.figures_of = functools.lru_cache(maxsize=MOST_KEPT)(_of_a_revision(figures))

    def __call__(self, question: AskedQuestion | Draft, *values: Any) -> Figures:
        return self.figures_of(Registry.revision, Draft.of(question).without_labels(), *values)


def _of_a_revision(figures: Callable[..., Figures]) -> Callable[..., Figures]:
    """Return the function with the revision of the registries, which its result depends on."""
    return lambda _revision, *values: figures(*values)
