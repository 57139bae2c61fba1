"""Lists of codes with their categories: of the answers to a question, and of a column."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from surveys.exports.metadata.lifecycle.items import Items
from surveys.exports.metadata.study import AskedQuestion, Study
from surveys.exports.table import Column
from surveys.parameters import Question


@dataclass(frozen=True, slots=True)
class Meaning:
    """A code as it stands in a file, what it means by language, and whether that is no answer."""

    code: str
    labels: Mapping[str, str]
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class CodeList:
    """`of`: what it is of, which no other list is. `empty`: what the empty cell means, by language,
    where it stands for no value.
    """

    of: str
    labels: Mapping[str, str]
    meanings: tuple[Meaning, ...]
    empty: Mapping[str, str] = field(default_factory=dict)


def answers_of(question: Question) -> str:
    """What the list of the answers to a question is of."""
    return f"answers {question.id}"


def list_of_answers(asked: AskedQuestion) -> CodeList | None:
    """The answers from 0; of a number or a text only what stands in their place. None of none."""
    question = asked.question
    count = len(asked.answers)
    others = count - question.other_count
    is_typed = question.characters is not None or question.scale is not None
    meanings = tuple(
        Meaning(str(number), asked.answers[number], is_missing=number >= others)
        for number in range(others if is_typed else 0, count)
    )
    return CodeList(answers_of(question), asked.texts, meanings) if meanings else None


def lists_of_answers(study: Study) -> Iterable[CodeList]:
    return filter(None, map(list_of_answers, study.questions))


def codes_of(column: Column, of: str, items: Items) -> CodeList | None:
    """The codes of a column that stand for a value; None where they are not listed."""
    missing = {value.code for value in column.missing}
    meanings = tuple(
        Meaning(str(value.code), items.labels(value))
        for value in column.values
        if value.code is not None and value.code not in missing
    )
    return CodeList(f"codes {of}", items.labels(column), meanings) if meanings else None


def reasons_of(column: Column, of: str, items: Items) -> CodeList | None:
    """Why cells of a column have no value; None where all have. The empty cell has no code."""
    meanings = tuple(
        Meaning(str(value.code), items.labels(value), is_missing=True)
        for value in column.missing
        if value.code is not None
    )
    empty = next((items.labels(value) for value in column.missing if value.code is None), {})
    if not meanings and not empty:
        return None
    return CodeList(f"missing {of}", items.labels(column), meanings, empty)
