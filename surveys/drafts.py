"""A question as it is being edited: everything that its kind and its devices read.

A draft never changes. Another device or another epsilon is another draft (`dataclasses.replace`),
so nothing that only looks at “what if” can leave a trace in what will be saved.
"""

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Protocol

from surveys.features import FEATURES
from surveys.parameters import Scale, scale_of_json


@dataclass(frozen=True, slots=True)
class Membership:
    """The membership of a question among those that share one draw.

    `sizes`: how many answers each of these questions has, in their order. `place`: that of this
    question, from 0 on. `epsilon`: that of the one device.
    """

    sizes: tuple[int, ...]
    place: int
    epsilon: Decimal


class AskedQuestion(Protocol):
    """The source of a draft: the row of a question, or the values that a form has read."""

    name: str
    kind: str
    options: Sequence[str]
    scale: Mapping[str, Any] | None
    characters: int
    prefer_not: bool
    randomized: bool
    epsilon: Decimal | None
    design: str
    design_parameters: Mapping[str, Any]
    physical_device: str
    directed: bool
    features: Mapping[str, Any]
    group: int | None
    membership: Membership | None

    @property
    def planned_n(self) -> int: ...

    @property
    def members(self) -> int: ...

    @property
    def survey_features(self) -> Mapping[str, Any] | None: ...


@dataclass(frozen=True, slots=True)
class Draft:
    """`settings` is the JSON that the devices have stored with the question; `scale` is that of a
    number, once its author has typed one. `characters` is the longest text of a question that takes
    one. `directed`: whether ties may go one way only. `members`: how many people the
    survey knows, 0 without any. `planned_n`: how many people are expected to answer. `group`:
    the number that all questions share which share its draw. `membership`: what is
    known of the others, where they have been looked at together (`surveys.devices.joint`).
    `of_features`, `survey_of_features`: the JSON of what is set for features, of the question and
    of its survey; the latter is empty before there is a survey.
    """

    name: str = "q"
    kind: str = ""
    options: tuple[str, ...] = ()
    scale: Scale | None = None
    characters: int = 64
    directed: bool = True
    members: int = 0
    planned_n: int = 500
    prefer_not: bool = False
    randomized: bool = True
    epsilon: Decimal | None = None
    design: str = ""
    physical_device: str = ""
    of_features: str = "{}"
    survey_of_features: str = ""
    group: int | None = None
    membership: Membership | None = None
    settings: str = "{}"

    @classmethod
    def of(cls, question: "AskedQuestion | Draft") -> "Draft":
        if isinstance(question, Draft):
            return question
        return cls(
            name=question.name,
            kind=question.kind,
            options=tuple(question.options),
            scale=scale_of_json(question.scale) if question.scale else None,
            characters=question.characters,
            directed=question.directed,
            members=question.members,
            planned_n=question.planned_n,
            prefer_not=question.prefer_not,
            randomized=question.randomized,
            epsilon=question.epsilon,
            design=question.design,
            physical_device=question.physical_device,
            of_features=_text_of(question.features),
            # Only a question that has something set for a feature asks what its survey says.
            survey_of_features=_of_survey(question) if question.features else "",
            group=question.group,
            membership=question.membership,
            settings=_text_of(question.design_parameters),
        )

    @property
    def design_parameters(self) -> Mapping[str, Any]:
        """The values stored by the devices, by key; shared, so they must not be changed."""
        return _read(self.settings)

    @property
    def other_count(self) -> int:
        """How many categories are no answers: “does not apply” and a refusal."""
        return self.prefer_not + is_for_some(self)

    def with_device(self, device: str) -> "Draft":
        """Return the same question with another device."""
        return replace(self, design=device)

    @property
    def features(self) -> Mapping[str, Any]:
        """The values that are set for features, by name; shared, so they must not be changed."""
        return _read(self.of_features)

    @property
    def survey_features(self) -> Mapping[str, Any] | None:
        """The features of its survey; None before there is one."""
        return _read(self.survey_of_features) if self.survey_of_features else None

    def with_feature(self, name: str, values: Mapping[str, Any]) -> "Draft":
        """Return the same question with other values set for a feature."""
        return replace(self, of_features=_text_of({**self.features, name: values}))

    def without_feature(self, name: str) -> "Draft":
        """Return the same question with nothing set for a feature."""
        others = {key: value for key, value in self.features.items() if key != name}
        return replace(self, of_features=_text_of(others))

    def without_labels(self) -> "Draft":
        """Return the draft that all questions have which differ in their texts only."""
        options = tuple(str(index) for index in range(len(self.options)))
        return replace(self, name="q", options=options)


def is_for_some(question: "AskedQuestion | Draft") -> bool:
    """Whether “does not apply” is one of the answers to a question."""
    # Nothing is set of most questions.
    return bool(question.features) and any(
        feature.draft.is_for_some(question) for feature in FEATURES.values()
    )


def _of_survey(question: AskedQuestion) -> str:
    features = question.survey_features
    return "" if features is None else _text_of(features)


def _text_of(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True) if values else "{}"


@functools.lru_cache(maxsize=256)
def _read(settings: str) -> Mapping[str, Any]:
    return json.loads(settings)
