"""The table of what goes with what: a feature says which traits a survey has that uses it.

Some traits clash, and the table of clashes is the one place that says so. Documents, drafts and
pages refuse what it says (tests/app/contract/test_features.py tries every feature with every
other), and protocol and guide print it.
"""

from collections.abc import Iterable
from enum import StrEnum
from itertools import product
from typing import NamedTuple


def gettext_noop(text: str) -> str:
    """Mark a text to translate; Django's own asks for settings, which documents do without."""
    return text


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
    TABULATED = "two answers of a person are counted together"
    KNOWN_MARGINS = "some questions are asked as they are"
    FOR_SOME = "some questions are for some people only"
    SHARED = "several people use one phone or computer"
    IN_SECTIONS = "the questions are in sections"
    IN_WORDS = "people write in their own words"
    BELOW_ONE_TEXT = "several questions stand below one text"
    LIMITED = "only so many people with some answers are asked"


class Clash(NamedTuple):
    """Two traits that no survey has both of, and why.

    `within`: where alone they clash, in words; then a rule of one of the features refuses them.
    """

    one: Trait
    other: Trait
    reason: str
    within: str = ""


ONCE = gettext_noop("a browser would have to make the same choice for a person again")
ONE_QUESTION = "in one question"
CLASHES = (
    Clash(
        Trait.DIVIDED,
        Trait.RETURNING,
        gettext_noop("chance would have to divide everybody as before"),
    ),
    Clash(
        Trait.DIVIDED,
        Trait.NAMED,
        gettext_noop("a name would lead to the answers that are sent directly"),
    ),
    Clash(Trait.DIVIDED, Trait.VERSIONS, gettext_noop("a direct answer has no weaker version")),
    Clash(
        Trait.DIVIDED, Trait.PAIRED, gettext_noop("two draws would decide what one person is asked")
    ),
    Clash(
        Trait.DIVIDED,
        Trait.JOINT,
        gettext_noop("a share of a draw has no device of its own"),
        ONE_QUESTION,
    ),
    Clash(
        Trait.DIVIDED,
        Trait.IN_HAND,
        gettext_noop("people are divided on the page, and a form has none"),
    ),
    Clash(
        Trait.VERSIONS,
        Trait.RETURNING,
        gettext_noop("the chain of a report ends with its last version"),
    ),
    Clash(Trait.VERSIONS, Trait.NAMED, gettext_noop("bits about people have no chain of versions")),
    Clash(Trait.VERSIONS, Trait.PAIRED, gettext_noop("joint reports have no chain of versions")),
    Clash(Trait.VERSIONS, Trait.JOINT, gettext_noop("joint reports have no chain of versions")),
    Clash(
        Trait.VERSIONS, Trait.IN_HAND, gettext_noop("a hand draws no second version from the first")
    ),
    Clash(Trait.PAIRED, Trait.RETURNING, ONCE),
    Clash(Trait.PAIRED, Trait.NAMED, gettext_noop("bits about people are in no pair")),
    Clash(Trait.PAIRED, Trait.JOINT, gettext_noop("a pair is a group of its own")),
    Clash(Trait.PAIRED, Trait.IN_HAND, gettext_noop("a hand picks no pair")),
    Clash(Trait.PAIRED, Trait.ALONE, gettext_noop("every sensitive question is in pairs")),
    Clash(Trait.PAIRED, Trait.CROSSED, gettext_noop("nobody answers all questions")),
    Clash(
        Trait.PAIRED,
        Trait.TABULATED,
        gettext_noop("nobody answers all questions"),
        "of sensitive questions",
    ),
    Clash(
        Trait.PAIRED,
        Trait.IN_SECTIONS,
        gettext_noop("the two questions of a pair may be of two sections"),
    ),
    Clash(
        Trait.PAIRED,
        Trait.BELOW_ONE_TEXT,
        gettext_noop("the two questions of a pair may stand below two texts"),
    ),
    Clash(Trait.IN_HAND, Trait.RETURNING, gettext_noop("a hand relaxes no earlier report")),
    Clash(Trait.IN_HAND, Trait.NAMED, gettext_noop("nobody is known by a form")),
    Clash(Trait.IN_HAND, Trait.JOINT, gettext_noop("a hand draws for one question"), ONE_QUESTION),
    Clash(
        Trait.NAMED,
        Trait.KNOWN_MARGINS,
        gettext_noop("whoever is known answers nothing as it is"),
        "in what is weighted by",
    ),
    Clash(Trait.FOR_SOME, Trait.PAIRED, gettext_noop("nobody answers all questions")),
    Clash(
        Trait.FOR_SOME,
        Trait.JOINT,
        gettext_noop("what is sent together is asked together"),
        ONE_QUESTION,
    ),
    Clash(
        Trait.SHARED,
        Trait.RETURNING,
        gettext_noop("a code that is saved on a shared computer is everybody's"),
    ),
    Clash(
        Trait.SHARED,
        Trait.NAMED,
        gettext_noop("the history of a shared computer keeps a link of one's own"),
    ),
    Clash(
        Trait.LIMITED,
        Trait.RETURNING,
        gettext_noop("whoever is asked again has a place already"),
    ),
    Clash(
        Trait.LIMITED,
        Trait.NAMED,
        gettext_noop("whoever has a link of their own has a place already"),
    ),
    Clash(
        Trait.LIMITED,
        Trait.IN_HAND,
        gettext_noop("a form shows all of its questions to everybody"),
    ),
    Clash(
        Trait.IN_WORDS, Trait.RETURNING, gettext_noop("how somebody writes would join their waves")
    ),
    Clash(Trait.IN_WORDS, Trait.NAMED, gettext_noop("whoever is known answers nothing as it is")),
    Clash(Trait.IN_WORDS, Trait.VERSIONS, gettext_noop("a text has no weaker version")),
    Clash(
        Trait.IN_WORDS, Trait.IN_HAND, gettext_noop("a form has no page after its last question")
    ),
)
_CLASHES = {frozenset((clash.one, clash.other)): clash for clash in CLASHES}


def clash_of(ones: Iterable[Trait], others: Iterable[Trait]) -> Clash | None:
    """Return why two sets of traits do not go together; None where they do."""
    pairs = (frozenset(pair) for pair in product(sorted(ones), sorted(others)))
    return next((_CLASHES[pair] for pair in pairs if pair in _CLASHES), None)
