"""Synthetic data: people drawn from the pooled distribution of a release, who never answered."""

from collections.abc import Iterator

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.crowd import released_crowd
from surveys.exports.document import language_of
from surveys.exports.snapshot import MovingError
from surveys.exports.table import Column, Row, Table, Type, Value
from surveys.models import Launch
from surveys.parameters import Parameters
from surveys.results.crowd import Crowd
from surveys.results.crowd_people import synthetic_people

NAME = "synthetic"
PERSON = "synthetic_person"


def table(launch: Launch, rung: int = 0) -> Table:
    """As many people as the release has responses; raises MovingError if there is no release."""
    crowd = released_crowd(launch, rung)
    if crowd.release.content is None:
        raise MovingError("There are no results to export.")
    with translation.override(language_of(launch)):
        return Table(
            NAME, _("Synthetic data: no row is anybody's answers"), _columns(crowd), _rows(crowd)
        )


def sources_of(parameters: Parameters) -> Iterator[tuple[str, str]]:
    """Every column that the file of these parameters can have, with the question that it is of."""
    yield PERSON, ""
    yield from ((question.id, question.id) for question in parameters.questions)


def _columns(crowd: Crowd) -> tuple[Column, ...]:
    """The first names the rows as what they are, so that they stay so in any program."""
    number = Column(PERSON, Type.INTEGER, _("Number of a person who was made up"))
    return (
        number,
        *(
            Column(
                question.id,
                Type.INTEGER,
                question.text,
                tuple(Value(code, label) for code, label in enumerate(question.categories)),
            )
            for question in crowd.questions
            if crowd.distribution
        ),
    )


def _rows(crowd: Crowd) -> Iterator[Row]:
    for number, person in enumerate(synthetic_people(crowd), start=1):
        yield (number, *person)
