"""What a response has beside its reports, under keys of features."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from surveys.exceptions import FieldError
from surveys.features import FEATURES
from surveys.features.parts import Beside
from surveys.parameters import Parameters


def beside_of(parameters: Parameters) -> dict[str, Beside]:
    """Return what responses have beside their reports, by their keys."""
    parts = [feature.answers for feature in FEATURES.values() if feature.answers.key]
    found = {part.key: part.beside(parameters) for part in parts}
    return {key: beside for key, beside in found.items() if beside is not None}


def keys_beside() -> frozenset[str]:
    """Return the keys that responses may have because of features, in some survey or other."""
    return _keys_of_features(FEATURES.revision)


@lru_cache(maxsize=8)
def _keys_of_features(_revision: int) -> frozenset[str]:
    return frozenset(x.answers.key for x in FEATURES.values() if x.answers.key)


def beside_errors(sent: Mapping[str, Any], known: Mapping[str, Beside]) -> list[FieldError]:
    """Return what is wrong with what a response has under these keys; `known`: of its survey."""
    unknown = keys_beside().intersection(sent).difference(known)
    rule = "Responses to this survey have no such field."
    errors = [FieldError(key, "unknown_key", rule) for key in sorted(unknown)]
    for key, beside in known.items():
        problems = beside.problems(sent.get(key))
        errors += [FieldError(name, code, message) for name, code, message in problems]
    return errors
