"""The settings that an author makes for a feature, of a question or of a whole survey.

Surveys and questions keep them as JSON under the feature's name, so that a new feature needs no
migration; a feature reads and writes them through a type of its own.
"""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

import msgspec

Settings = TypeVar("Settings", bound=msgspec.Struct)


def stored(settings: type[Settings]) -> type[Settings]:
    """Let msgspec look into a stored type now: two threads that did it at once would crash."""
    msgspec.json.Decoder(settings)
    return settings


class WithFeatures(Protocol):
    """A survey, a question, or a draft of one."""

    @property
    def features(self) -> Mapping[str, Any]: ...


class HasFeatures(Protocol):
    """A survey or a question whose settings may be changed."""

    features: dict[str, Any]


def read_settings(features: Mapping[str, Any], name: str, of: type[Settings]) -> Settings:
    """Return what is stored under a name; what was never set has its usual value."""
    return msgspec.convert(features.get(name, {}), of)


def write_settings(holder: HasFeatures, name: str, settings: msgspec.Struct) -> None:
    """Store what is set under a name; nothing of what has its usual value."""
    usual = msgspec.to_builtins(type(settings)())
    stored = msgspec.to_builtins(settings)
    changed = {key: value for key, value in stored.items() if value != usual[key]}
    others = {key: value for key, value in holder.features.items() if key != name}
    holder.features = others | ({name: changed} if changed else {})
