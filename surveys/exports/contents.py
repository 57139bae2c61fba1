"""The author's words in the files of a survey: names of columns, and texts.

Launch checks ask it, so that what clashes or would be computed is found before anything is frozen.
"""

from collections.abc import Iterator
from typing import NamedTuple

from surveys.exports.document import BETWEEN, device_questions
from surveys.exports.tables import codes, questions, reports, synthetic
from surveys.parameters import Parameters, joint_of
from surveys.parameters.steps import of_one_version
from surveys.results.crowd.distribution import has_crowd


class Clash(NamedTuple):
    """A name that would mean two things in a file; `questions` may be renamed to end it.

    `own`: one of the two is a column, or a report, of the file's own.
    """

    file: str
    name: str
    questions: tuple[str, ...]
    own: bool


def clashes_of(parameters: Parameters) -> Iterator[Clash]:
    """The first of each name and file."""
    parameters = of_one_version(parameters)
    yield from _repeated(reports.NAME, list(reports.sources_of(parameters)))
    if has_crowd(parameters):
        yield from _repeated(synthetic.NAME, list(synthetic.sources_of(parameters)))
    yield from _sent_alike(parameters)


def _repeated(file: str, sources: list[tuple[str, str]]) -> Iterator[Clash]:
    for name in dict.fromkeys(name for name, _ in sources):
        owners = [question for each, question in sources if each == name]
        if len(owners) > 1:
            named = tuple(dict.fromkeys(filter(None, owners)))
            yield Clash(file, name, named, own="" in owners)


def _sent_alike(parameters: Parameters) -> Iterator[Clash]:
    """Questions called like a report that is about others, such as that of what chance picks."""
    asked = {question.id for question in parameters.questions}
    for name, covered in device_questions(parameters).items():
        if name in asked and covered != {(name,)}:
            yield Clash(reports.NAME, name, (name,), own=True)


def texts_of(parameters: Parameters) -> Iterator[str]:
    """The cells of text, or cells that begin like them and hold no other signs."""
    parameters = of_one_version(parameters)
    for row in (*questions.rows_of(parameters), *codes.rows_of(parameters)):
        yield from (cell for cell in row if isinstance(cell, str))
    for device in joint_of(parameters):
        first, *others = (parameters.question(name).categories for name in device.questions)
        rest = [answer for answers in others for answer in answers]
        yield from (BETWEEN.join([answer, *rest]) for answer in first)
    if parameters.members is not None:
        yield from parameters.members.groups
