"""The parameters document: what a launch freezes, a browser verifies and an estimate rests on.

docs/protocol.md describes it for those who write a client.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Annotated, Any, Final, Literal, TypeVar, cast

import msgspec

from surveys.features import FEATURES, modes_of_features
from surveys.parameters.earlier import Earlier
from surveys.parameters.members import Members
from surveys.parameters.scale import Scale
from surveys.parameters.tables import Table
from surveys.parameters.types import (
    Characters,
    Count,
    Decimal,
    Digest,
    Frozen,
    LongDecimal,
    Name,
    QuestionName,
    Text,
    Told,
    ToldText,
)

FORMAT: Final = 1
# The stratum that the respondent's own browser draws for.
PAGE = "page"
# Looks: reports that are codes, and cards that show several of the answers.
CODES = "codes"
CARDS = "cards"
# The looks of a noisy filter of a text, and of the noisy ticks of a list of members.
FILTERS = "text"
TIES = "ties"
# The look of a scrambled order.
ORDERS = "ranking"
# The look of a noisy bit for each answer.
BITS = "bits"
# The control with which any number of categories may be chosen.
BOXES: Final = "boxes"
# The control that takes a number on a scale.
NUMBER: Final = "number"
# The control that takes a short text.
TEXT: Final = "text"
# The control that takes the items of a list in an order.
RANKING: Final = "ranking"
# The control that takes any number of the other members of a survey.
MEMBERS: Final = "roster"
# The mode of open links: responses are not told apart. Features have other modes.
OPEN = "open"

# How a page takes an answer.
Control = Literal["yes_no", "list", "scale", "boxes", "number", "text", "ranking", "roster"]
Linkage = Literal["together", "apart"]
Population = Literal["sample", "fixed"]
Part = TypeVar("Part", bound=msgspec.Struct)


class Search(Frozen, frozen=True):
    """The record of what a table was searched for, for researchers; no check rests on it."""

    prior: Annotated[tuple[Decimal, ...], msgspec.Meta(min_length=2)]
    respondents: Count
    privacy: Decimal
    worst_posterior: Decimal | None
    epsilon: Decimal | None
    method: Text
    least_error: LongDecimal


class Device(Frozen, frozen=True):
    """A randomizing device: which questions it covers, of which stratum, and its exact table.

    `option`: of several devices of one question, the category that this one is about. `family`: how
    the table was made; `look`: how a page shows it. `epsilon` is None where nothing is scrambled.
    `earlier`: its tables in all earlier waves, of which its reports are relaxations.
    """

    id: Name
    questions: Annotated[tuple[QuestionName, ...], msgspec.Meta(min_length=1)]
    option: Annotated[int, msgspec.Meta(ge=0)] | None
    stratum: Name
    family: Name
    look: Name
    table: Table
    epsilon: Decimal | None
    delta: Decimal | None
    instructions: tuple[Text, ...]
    search: Search | None
    earlier: tuple[Earlier, ...]

    @property
    def key(self) -> tuple[str, str]:
        """The key that no other device of a launch has."""
        return self.id, self.stratum

    @property
    def direct(self) -> bool:
        return self.epsilon is None


def is_drawn(device: Device) -> bool:
    """Whether the page draws its reports, and no hand: a hand needs to be told how."""
    return not device.instructions


class Question(Frozen, frozen=True):
    """`control`: how a page takes the answer; of `BOXES` any number of categories may be true.

    `prefer_not`: the last category is a refusal. `not_applicable`: the last one before that is that
    the question is not for somebody; absent where it is for everybody.
    `scale` is that of a number, None for all other questions. The categories of a number are its
    bins; without bins they are the two ends of its range. `characters` is the longest text of a
    question that takes one, None for all others; of its categories there is only the refusal.
    `directed`: of ties to the other members, whether one may go one way only; None for all
    other questions. Such a question has no categories: its answer is a set of people.
    The categories of a ranking are its items, of which an answer is an order.
    A feature that says something of each question adds a key of its own: see `document_types`.
    """

    id: QuestionName
    kind: Name
    control: Control
    text: Told
    help: Told
    required: bool
    randomized: bool
    reason: Told
    prefer_not: bool
    categories: tuple[ToldText, ...]
    scale: Scale | None
    characters: Characters | None
    directed: bool | None
    not_applicable: Literal[True] | msgspec.UnsetType = msgspec.UNSET

    def section(self, key: str) -> Any:
        """Return what a feature says of the question, by its key."""
        return getattr(self, key)

    @property
    def answer_count(self) -> int:
        """How many categories are answers; the others, which follow them, are not."""
        return len(self.categories) - self.other_count

    @property
    def other_count(self) -> int:
        """How many categories are no answers: “does not apply” and a refusal, in this order."""
        return self.prefer_not + bool(self.not_applicable)

    @property
    def inapplicable(self) -> int | None:
        """The category “does not apply”; None where a question has none."""
        return self.answer_count if self.not_applicable else None

    @property
    def several(self) -> bool:
        return self.control == BOXES

    @property
    def whole_scale(self) -> Scale | None:
        """The scale of a number of which a device takes every step, and no bins."""
        return None if self.scale is None or self.scale.bins else self.scale


class Parameters(Frozen, frozen=True):
    """`previous`: the digest of the wave before, None in the first one.

    Each feature with a section adds it under its own name, perhaps only where a survey uses it, and
    one with a mode its value: see `document_types`.
    """

    format: Literal[1]
    survey: Text
    version: Count
    wave: Count
    previous: Digest | None
    mode: str
    language: Text
    title: ToldText
    introduction: Told
    consent: Told
    contact: Told
    linkage: Linkage
    population: Population
    release_threshold: Count
    release_batch: Count
    epsilon: Decimal
    reason: Told
    questions: Annotated[tuple[Question, ...], msgspec.Meta(min_length=1)]
    devices: Annotated[tuple[Device, ...], msgspec.Meta(min_length=1)]

    def section(self, name: str) -> Any:
        """Return the section of a feature, by its name; a false value where it is absent."""
        return getattr(self, name)

    @property
    def members(self) -> Members | None:
        """The people whom the survey knows and asks about each other; None of nobody."""
        of_features = (feature.document.members(self) for feature in FEATURES.values())
        return next((members for members in of_features if members is not None), None)

    def question(self, name: str) -> Question:
        return next(question for question in self.questions if question.id == name)

    def devices_of(self, question: Question, stratum: str | None = None) -> tuple[Device, ...]:
        """The devices that cover a question, of one stratum or of all, in their order."""
        return tuple(self._covering(question.id, stratum))

    def _covering(self, name: str, stratum: str | None) -> Iterator[Device]:
        for device in self.devices:
            if name in device.questions and stratum in (None, device.stratum):
                yield device


@dataclass(frozen=True, slots=True)
class DocumentTypes:
    """The types of a whole document, with all that features add, and what reads one."""

    parameters: type[Parameters]
    question: type[Question]
    decoder: msgspec.json.Decoder[Parameters]


def document_types() -> DocumentTypes:
    """Return the types for the features there are; made once, and by one thread at a time.

    msgspec looks into a type when it first reads one, and a second thread that reads it meanwhile
    ends the process. `SurveysConfig.ready` asks for them before there is a second thread.
    """
    with _MAKING:
        return _document_types(FEATURES.revision)


_MAKING = Lock()


@lru_cache(maxsize=8)
def _document_types(_revision: int) -> DocumentTypes:
    parts = [feature.document for feature in FEATURES.values()]
    question = extended(Question, [pair for x in parts for pair in x.question_sections.items()])
    sections = dict(pair for part in parts for pair in part.sections.items())
    optional: list[tuple[str, Any]] = []
    for part in parts:
        optional += [*part.optional_sections.items(), *((key, Told) for key in part.optional_texts)]
    many: Any = Annotated[tuple[question, ...], msgspec.Meta(min_length=1)]  # type: ignore[valid-type]
    one_of: Any = Literal
    mode = one_of[(OPEN, *(mode.value for mode in modes_of_features()))]
    fields = {**sections, "mode": mode, "questions": many}
    may_be_absent = [(key, of | msgspec.UnsetType, msgspec.UNSET) for key, of in optional]
    parameters = extended(Parameters, [*fields.items(), *may_be_absent])
    return DocumentTypes(parameters, question, msgspec.json.Decoder(parameters))


def extended(base: type[Part], fields: Iterable[tuple[Any, ...]]) -> type[Part]:
    """Return a type with these fields besides: each its name and type, and perhaps a default."""
    namespace = {"__doc__": base.__doc__}
    made = msgspec.defstruct(
        base.__name__, fields, bases=(base,), namespace=namespace, kw_only=True
    )
    return cast("type[Part]", made)
