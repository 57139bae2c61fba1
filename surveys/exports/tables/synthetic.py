"""Synthetic data: people drawn from the pooled distribution of a release, who never answered.

A file has the questions of one block, of which every pair was measured together. What was not is in
no file side by side: columns that were drawn by themselves look like a finding that there is no
relation.
"""

from collections.abc import Iterator

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.crowd import NoSuchBlockError, released_crowd
from surveys.exports.document import language_of
from surveys.exports.snapshot import MovingError
from surveys.exports.table import Column, Row, Table, Type, Value
from surveys.models import Launch
from surveys.parameters import Parameters
from surveys.results.crowd.distribution import Crowd, synthetic_people

NAME = "synthetic"
PERSON = "synthetic_person"


def table(launch: Launch, step: int = 0) -> Table:
    """The table of the first block."""
    return of_block(launch, step, 1)


def of_block(launch: Launch, step: int, number: int) -> Table:
    """Return as many people as the release has responses; raises MovingError without a release.

    Raises NoSuchBlockError if there are fewer blocks.
    """
    crowd = released_crowd(launch, step)
    if crowd.release.content is None:
        raise MovingError("There are no results to export.")
    blocks = crowd.blocks or ((),)
    if number > len(blocks):
        raise NoSuchBlockError(f"There are {len(blocks)} blocks.")
    with translation.override(language_of(launch)):
        label = _label(number, len(blocks))
        return Table(NAME, label, _columns(crowd, blocks[number - 1]), _rows(crowd, number - 1))


def sources_of(parameters: Parameters) -> Iterator[tuple[str, str]]:
    """Every column that the file of these parameters can have, with the question that it is of."""
    yield PERSON, ""
    yield from ((question.id, question.id) for question in parameters.questions)


def _label(number: int, blocks: int) -> str:
    label = _("Synthetic data: no row is anybody's answers")
    if blocks == 1:
        return label
    which = _("block %(number)d of %(blocks)d, questions that were measured together")
    return f"{label} ({which % {'number': number, 'blocks': blocks}})"


def _columns(crowd: Crowd, block: tuple[str, ...]) -> tuple[Column, ...]:
    """The first names the rows as what they are, so that they stay so in any program."""
    number = Column(PERSON, Type.INTEGER, _("Number of a person who was made up"))
    return (number, *(_column(crowd, name) for name in block))


def _column(crowd: Crowd, name: str) -> Column:
    answers = crowd.answers[name]
    codes = [each[0] for each in answers.together]
    values = tuple(Value(code, label) for code, label in zip(codes, answers.labels, strict=True))
    return Column(name, Type.INTEGER, answers.question.text, values)


def _rows(crowd: Crowd, block: int) -> Iterator[Row]:
    for number, person in enumerate(synthetic_people(crowd, block), start=1):
        yield (number, *person)
