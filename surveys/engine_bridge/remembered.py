"""Figures of draft questions are kept by what they depend on.

A page asks for them at every keystroke, and for all of its questions at once. They depend on the
number of the answers and not on their labels, so that questions that are alike share them.
"""

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from surveys.models import Question

Figures = TypeVar("Figures")
# Of each function; beyond, the figures that were asked for least recently are forgotten.
MOST_KEPT = 2_048


class _Key(NamedTuple):
    """All of a draft question that its figures depend on."""

    kind: str
    options: int
    prefer_not: bool
    randomized: bool
    epsilon: Decimal | None
    design: str
    parameters: str


@dataclass(slots=True)
class _Draft:
    """Stands in for a `Question` of the same figures: nothing of it but what the key says."""

    kind: str
    options: list[str]
    prefer_not: bool
    randomized: bool
    epsilon: Decimal | None
    design: str
    design_parameters: dict[str, Any]


class Remembered(Generic[Figures]):
    """Keep what a function finds for a draft question and hashable values after it.

    What it returns is shared: it must not be changed. An error is not kept.
    """

    def __init__(self, figures: Callable[..., Figures]) -> None:
        functools.update_wrapper(self, figures)

        @functools.lru_cache(maxsize=MOST_KEPT)
        def kept(key: _Key, *values: Any) -> Figures:
            return figures(_draft(key), *values)

        # Open to tests, which count what is computed.
        self.kept = kept

    def __call__(self, question: "Question", *values: Any) -> Figures:
        return self.kept(_key(question), *values)


def _key(question: "Question") -> _Key:
    given = question.design_parameters
    return _Key(
        kind=question.kind,
        options=len(question.options),
        prefer_not=question.prefer_not,
        randomized=question.randomized,
        epsilon=question.epsilon,
        design=question.design,
        parameters=json.dumps(given, sort_keys=True) if given else "{}",
    )


def _draft(key: _Key) -> _Draft:
    return _Draft(
        kind=key.kind,
        options=[str(index) for index in range(key.options)],
        prefer_not=key.prefer_not,
        randomized=key.randomized,
        epsilon=key.epsilon,
        design=key.design,
        design_parameters=json.loads(key.parameters),
    )
