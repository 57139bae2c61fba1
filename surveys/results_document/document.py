"""The results document: every estimate of a survey with its inputs, as a worker stores it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from types import GenericAlias
from typing import Any, Final, Literal

import msgspec

from surveys.features import FEATURES
from surveys.features.settings import stored
from surveys.parameters.document import extended
from surveys.results_document.kinds import mean_of_json
from surveys.results_document.parts import ABSENT, Part
from surveys.results_document.questions import QuestionResults
from surveys.results_document.tables import JointResults, TableResults

# Increased also when a number is no longer published: results of an earlier version are then not
# released.
FORMAT: Final = 13
# The answers of a question after recoding: each a list of the original answers that it combines.
Recoding = list[list[int]]


class Epsilons(Part, frozen=True, kw_only=True):
    declared: str
    spent: str


class SourceOfReports(Part, frozen=True, kw_only=True):
    """A line of the survey's ledger: the wave, what it may reveal, and who answered it last."""

    source: str
    digest: str
    epsilon: str
    responses: int


class LeftOut(Part, frozen=True, kw_only=True):
    """How many people are in no number about several answers together, and whether all are."""

    people: int
    withheld: bool


class Results(Part, frozen=True, kw_only=True):
    """`level`: that of the intervals. `recodings`: by question, in all of its tables."""

    format: Literal[13]
    survey: str
    version: int
    wave: int
    digest: str
    responses: int
    level: float
    linkage: str
    population: str
    release_threshold: int
    epsilon: Epsilons
    delta: str
    sources: tuple[SourceOfReports, ...]
    engine: str
    questions: tuple[QuestionResults, ...]
    left_out: LeftOut
    tables: tuple[TableResults, ...]
    recodings: dict[str, Recoding]
    joint: tuple[JointResults, ...] = msgspec.field(name="groups")

    @property
    def all_tables(self) -> list[TableResults]:
        """The declared tables, and the pairs of joint questions."""
        return [*self.tables, *(pair for joint in self.joint for pair in joint.pairs)]


@dataclass(frozen=True, slots=True)
class ResultTypes:
    """The types of a whole document, with all that features add."""

    results: type[Results]
    question: type[QuestionResults]


def result_types() -> ResultTypes:
    """Return the types for the features there are; made once, and by one thread at a time.

    `document_types` of the parameters says why, and when it is first called.
    """
    with _MAKING:
        return _result_types(FEATURES.revision)


_MAKING = Lock()


@lru_cache(maxsize=8)
def _result_types(_revision: int) -> ResultTypes:
    sections = [each.results.question_sections.items() for each in FEATURES.values()]
    keys = [(key, section, ABSENT) for items in sections for key, section in items]
    question = extended(QuestionResults, keys)
    many = GenericAlias(tuple, (question, ...))
    return ResultTypes(stored(extended(Results, [("questions", many)])), question)


def is_readable(content: Mapping[str, Any]) -> bool:
    """Whether a stored document has this format: any other is computed anew by a worker."""
    return content.get("format") == FORMAT


def read_results(content: Mapping[str, Any]) -> Results:
    """Read a stored document of this format; raises msgspec.ValidationError for any other."""
    return msgspec.convert(content, result_types().results, dec_hook=mean_of_json)


def plain(part: Part) -> Any:
    """Return the document, or a part of it, as types that JSON can write."""
    return msgspec.to_builtins(part)


def widest_margin(results: Results) -> float | None:
    """Return half the width of the widest interval of a share; None where no share is told."""
    intervals = [
        category.interval
        for question in results.questions
        for category in question.categories
        if category.estimate is not None
    ]
    widths = [
        (upper - lower) / 2 for lower, upper in intervals if lower is not None and upper is not None
    ]
    return max(widths, default=None)
