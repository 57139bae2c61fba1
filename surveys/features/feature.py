"""A feature of a survey, as one object, and the registry in which the rooms find all of them."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from surveys.features.parts import (
    AnswersPart,
    AuthorPart,
    DeskPart,
    DocumentPart,
    DraftPart,
    PagePart,
    ResultsPart,
)
from surveys.features.traits import Trait, clash_of
from surveys.registry import Registry

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from surveys.exports.registry import Export


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """One thing that a survey can do.

    `name`: that of its section in the frozen document, of its settings in a draft and of its
    folders; documents keep it for ever. `words`: by which else a text may name it: no source
    outside its folders has one of them. `label`, `purpose`: what an author reads. `traits`: of a
    survey that uses it; what they clash with does not go with the feature. Each part is what
    one room asks of it; a feature that has nothing to say there leaves the part out.
    """

    name: str
    words: tuple[str, ...]
    label: "StrOrPromise"
    purpose: "StrOrPromise"
    traits: frozenset[Trait] = frozenset()
    document: DocumentPart = field(default_factory=DocumentPart)
    draft: DraftPart = field(default_factory=DraftPart)
    author: AuthorPart = field(default_factory=AuthorPart)
    desk: DeskPart = field(default_factory=DeskPart)
    answers: AnswersPart = field(default_factory=AnswersPart)
    page: PagePart = field(default_factory=PagePart)
    results: ResultsPart = field(default_factory=ResultsPart)
    exports: "tuple[Export, ...]" = ()

    def goes_with(self, other: "Feature") -> str:
        """Return why a survey cannot use both; empty where it can."""
        return clash_of(self.traits, other.traits)


# Filled once Django has loaded all models: surveys/features/registered.py.
FEATURES: Registry[Feature] = Registry()
