"""The definition of a survey: its texts, settings and questions, as one JSON document.

docs/definitions.md describes it for those who write one by hand or by a program; its schema is
docs/definition.schema.json. Whether what it says goes together is for the rules of the forms.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from surveys.features import FEATURES
from surveys.parameters import Scale
from surveys.parameters.document import Linkage, Population, Search, extended
from surveys.parameters.schema import schema_of
from surveys.parameters.types import Count, Entry, QuestionName
from surveys.registry import Registry

FORMAT: Final = "candor-survey/1"
# More is no survey: each question has a text, a help, a reason and fifty answers, at most.
MOST_BYTES = 2_000_000

Layout = Literal["one", "all"]
# With its time zone: without one nobody elsewhere would know which moment is meant.
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
# A number in decimal digits, as a text: one that no program rounds.
Number = Decimal


class Written(
    msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A part of a definition. What has its usual value may be left out, and is when written."""


class ProvedError(Written, frozen=True):
    """A certificate of how small an error can be, as the file of certificates has it."""

    n: Count
    epsilon: Number | None
    prior: tuple[float, ...]
    matrix: tuple[tuple[float, ...], ...]
    prices: tuple[float, ...]
    delta: float | None
    privacy: float | None
    privacy_price: float | None
    bound: float
    value: float | None


class Searched(Written, frozen=True):
    """A table that was searched for, with what it was searched for and what proves its error.

    `table`: whole numbers out of 2**53 by columns of `labels`. Without a certificate it is no
    table that can be imported.
    """

    table: tuple[tuple[Entry, ...], ...]
    search: Search
    labels: tuple[str, ...]
    method: str = ""
    certificate: ProvedError | None = None


class QuestionDefinition(Written, frozen=True):
    """A question; the names of its keys are those of the frozen document where both have them.

    `settings`: those of its device, by name. `group`: the number that all questions have that
    share one draw. Features of questions are under `features`, by their names.
    """

    name: QuestionName
    kind: str
    text: str
    help: str = ""
    options: tuple[str, ...] = ()
    scale: Scale | None = None
    characters: int = 64
    candidates: tuple[str, ...] = ()
    directed: bool = True
    randomized: bool = True
    epsilon: Number | None = None
    reason: str = ""
    design: str = ""
    settings: dict[str, int | str] = {}
    found_table: Searched | None = None
    physical_device: str = ""
    required: bool = True
    prefer_not: bool = False
    group: Count | None = None
    features: Any = None


class Definition(Written, frozen=True):
    """All that an author decides about a survey. Accounts, responses and state are no part of it.

    `address`: the last part of the respondents' link.
    """

    format: Literal["candor-survey/1"]
    title: str
    address: str
    language: str
    introduction: str = ""
    consent: str = ""
    contact: str = ""
    layout: Layout = "one"
    opens_at: Moment | None = None
    closes_at: Moment | None = None
    budget: Number = Decimal(3)
    budget_reason: str = ""
    precision_reason: str = ""
    planned_n: Count = 500
    release_threshold: Count = 20
    release_batch: Count = 5
    mode: str = "open"
    linkage: Linkage = "apart"
    population: Population = "sample"
    results_public: bool = False
    embed_origins: str = ""
    questions: tuple[QuestionDefinition, ...] = ()
    features: Any = None


class Features(Written, frozen=True):
    """What is set for features of a survey, by their names; what is not used is left out."""


class QuestionFeatures(Features, frozen=True):
    """What is set for features of a question."""


class Types(NamedTuple):
    """The types of a definition and of its parts, with a key for each feature that has one."""

    definition: type[Definition]
    question: type[QuestionDefinition]
    of_survey: type[Features]
    of_question: type[Features]


def definition_types() -> Types:
    """Return the types, as the features are registered now."""
    return _types(Registry.revision)


@lru_cache(maxsize=8)
def _types(_revision: int) -> Types:
    parts = {name: feature.definition for name, feature in FEATURES.items()}
    of_survey = _with(Features, {name: part.survey_type for name, part in parts.items()})
    of_question = _with(QuestionFeatures, {name: x.question_type for name, x in parts.items()})
    question = extended(QuestionDefinition, [("features", of_question | None, None)])
    fields = [("questions", tuple[question, ...], ()), ("features", of_survey | None, None)]  # type: ignore[valid-type]  # made here
    definition = extended(Definition, fields)
    # msgspec looks into a type when it first reads one: now, and not in two threads at once.
    msgspec.json.Decoder(definition)
    return Types(definition, question, of_survey, of_question)


def _with(base: type[Features], types: Mapping[str, Any]) -> type[Features]:
    return extended(base, [(name, of | None, None) for name, of in types.items() if of])


def definition_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of a definition; what goes together is said when one is imported."""
    return schema_of(definition_types().definition, "Candor: the definition of a survey")
