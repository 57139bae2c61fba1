"""The table of what goes with what: a feature says which traits a survey has that uses it.

Some traits clash, and the table of clashes is the one place that says so. Documents, drafts and
pages refuse what it says (tests/app/contract/test_features.py tries every feature with every
other), and protocol and guide print it.
"""

from collections.abc import Iterable
from enum import StrEnum
from itertools import product
from typing import NamedTuple


class Trait(StrEnum):
    """A trait of a survey, in words that follow “a survey in which”."""

    RETURNING = "people come back under a code"
    NAMED = "it is known who answers"
    VERSIONS = "each report has a version for each group of readers"
    DIVIDED = "the server divides people by chance"
    PAIRED = "the browser picks two of the questions"
    JOINT = "several questions share one draw"
    IN_HAND = "a device is in the respondent's own hand"
    ALONE = "a question is asked of everybody on its own"
    CROSSED = "all answers of a person are counted together"
    KNOWN_MARGINS = "some questions are asked as they are"


class Clash(NamedTuple):
    """Two traits that no survey has both of, and why."""

    one: Trait
    other: Trait
    reason: str


ONCE = "a browser would have to make the same choice for a person again"
CLASHES = (
    Clash(Trait.DIVIDED, Trait.RETURNING, "chance would have to divide everybody as before"),
    Clash(Trait.DIVIDED, Trait.NAMED, "a name would lead to the answers that are sent directly"),
    Clash(Trait.DIVIDED, Trait.VERSIONS, "a direct answer has no weaker version"),
    Clash(Trait.DIVIDED, Trait.PAIRED, "two draws would decide what one person is asked"),
    Clash(Trait.DIVIDED, Trait.JOINT, "a share of a draw has no device of its own"),
    Clash(Trait.DIVIDED, Trait.IN_HAND, "people are divided on the page, and a form has none"),
    Clash(Trait.VERSIONS, Trait.RETURNING, "the chain of a report ends with its last version"),
    Clash(Trait.VERSIONS, Trait.NAMED, "bits about people have no chain of versions"),
    Clash(Trait.VERSIONS, Trait.PAIRED, "joint reports have no chain of versions"),
    Clash(Trait.VERSIONS, Trait.JOINT, "joint reports have no chain of versions"),
    Clash(Trait.VERSIONS, Trait.IN_HAND, "a hand draws no second version from the first"),
    Clash(Trait.PAIRED, Trait.RETURNING, ONCE),
    Clash(Trait.PAIRED, Trait.NAMED, "bits about people are in no pair"),
    Clash(Trait.PAIRED, Trait.JOINT, "a pair is a group of its own"),
    Clash(Trait.PAIRED, Trait.IN_HAND, "a hand picks no pair"),
    Clash(Trait.PAIRED, Trait.ALONE, "every sensitive question is in pairs"),
    Clash(Trait.PAIRED, Trait.CROSSED, "nobody answers all questions"),
    Clash(Trait.IN_HAND, Trait.RETURNING, "a hand relaxes no earlier report"),
    Clash(Trait.IN_HAND, Trait.NAMED, "a form has no personal link"),
    Clash(Trait.IN_HAND, Trait.JOINT, "a hand draws for one question"),
    Clash(Trait.NAMED, Trait.KNOWN_MARGINS, "whoever is known answers nothing as it is"),
)
_REASONS = {frozenset((clash.one, clash.other)): clash.reason for clash in CLASHES}


def clash_of(ones: Iterable[Trait], others: Iterable[Trait]) -> str:
    """Return why two sets of traits do not go together; empty where they do."""
    pairs = (frozenset(pair) for pair in product(ones, others))
    return next((_REASONS[pair] for pair in pairs if pair in _REASONS), "")
