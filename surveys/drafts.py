"""A question as its author has it now: all that its kind and its devices read of it.

A draft never changes. Another device or another epsilon is another draft (`dataclasses.replace`),
so nothing that only looks at “what if” can leave a trace in what will be saved.
"""

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Protocol


class AskedQuestion(Protocol):
    """What a draft is made of: the row of a question, or what a form has read of one."""

    name: str
    kind: str
    options: Sequence[str]
    prefer_not: bool
    randomized: bool
    epsilon: Decimal | None
    design: str
    design_parameters: Mapping[str, Any]
    physical_device: str


@dataclass(frozen=True, slots=True)
class Draft:
    """`settings` is the JSON of what the devices have stored with the question."""

    name: str = "q"
    kind: str = ""
    options: tuple[str, ...] = ()
    prefer_not: bool = False
    randomized: bool = True
    epsilon: Decimal | None = None
    design: str = ""
    physical_device: str = ""
    settings: str = "{}"

    @classmethod
    def of(cls, question: "AskedQuestion | Draft") -> "Draft":
        if isinstance(question, Draft):
            return question
        parameters = question.design_parameters
        return cls(
            name=question.name,
            kind=question.kind,
            options=tuple(question.options),
            prefer_not=question.prefer_not,
            randomized=question.randomized,
            epsilon=question.epsilon,
            design=question.design,
            physical_device=question.physical_device,
            settings=json.dumps(parameters, sort_keys=True) if parameters else "{}",
        )

    @property
    def design_parameters(self) -> Mapping[str, Any]:
        """What the devices have stored, by key; shared, so it must not be changed."""
        return _read(self.settings)

    def under(self, device: str) -> "Draft":
        """The same question with another device."""
        return replace(self, design=device)

    def unlabelled(self) -> "Draft":
        """The same for every question that is alike but for its words."""
        options = tuple(str(index) for index in range(len(self.options)))
        return replace(self, name="q", options=options)


@functools.lru_cache(maxsize=256)
def _read(settings: str) -> Mapping[str, Any]:
    return json.loads(settings)
