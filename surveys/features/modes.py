"""How respondents are told apart: not at all, or in a way that a feature offers to authors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# The symbols of keys that people read and type: Crockford's base 32, without I, L, O and U.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@dataclass(frozen=True, slots=True)
class OwnKey:
    """The key of a response that tells its sender from others: that of no other survey has one.

    `name`: in the body, for ever. `words`: what it holds, in refusals. `fits`: whether a value has
    the form of one.
    """

    name: str
    words: str
    fits: Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Mode:
    """A way in which respondents are told apart, and by which a survey uses a feature.

    `value`: what documents call it, for ever. `key`: what a response has because of it. `label`:
    among the choices of an author; `help`: what stands below all of them about this one.
    """

    value: str
    key: OwnKey
    label: "StrOrPromise"
    help: "StrOrPromise" = ""
