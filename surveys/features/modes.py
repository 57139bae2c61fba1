"""How respondents are told apart: not at all, or in a way that a feature offers to authors."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Mode:
    """A way in which respondents are told apart, and by which a survey uses a feature.

    `value`: what documents call it, for ever. `label`: among the choices of an author; `help`: what
    stands below all of them about this one.
    """

    value: str
    label: "StrOrPromise"
    help: "StrOrPromise" = ""
