"""A table with the author's words in every language of a survey.

It is made once for the readers of each language. Where that says something else, a column of words
gets another column, and descriptions of columns and codes have both. Names of columns, codes and
numbers are the same in every language.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import language_of
from surveys.exports.snapshot import MOVING, MovingError
from surveys.exports.table import Column, Row, Table, Type, Value
from surveys.languages import name_of
from surveys.models import Launch

TableOf = Callable[[Launch, int], Table]


def in_every_language(table_of: TableOf, launch: Launch, step: int, *, of_people: bool) -> Table:
    """Return the table of a launch; `of_people`: its rows are reports, which have no other words.

    Raises MovingError where the results have changed meanwhile.
    """
    # First the others: a table of people may hold the cursor of a query.
    others = {
        language: table_of(launch.in_language(language), step) for language in launch.translations
    }
    for other in others.values():
        if of_people:
            other.close()
    table = table_of(launch.in_language(""), step)
    if not others:
        return table
    in_others = {language: other.columns for language, other in others.items()}
    columns = tuple(
        _described(column, {language: columns[place] for language, columns in in_others.items()})
        for place, column in enumerate(table.columns)
    )
    words = [not of_people and column.of_author for column in columns]
    if not any(words):
        return replace(table, columns=columns)
    with translation.override(language_of(launch)):
        added = [
            _in(column, language) for language in others for column in compress(columns, words)
        ]
    rows = _side_by_side([list(each.rows) for each in (table, *others.values())], words)
    return replace(table, columns=(*columns, *added), rows=rows)


def _in(column: Column, language: str) -> Column:
    """The column of words in one language."""
    label = _("%(column)s, in %(language)s")
    return Column(
        f"{column.name}_{language.replace('-', '_')}",
        Type.TEXT,
        label % {"column": column.label, "language": name_of(language)},
    )


def _described(column: Column, others: Mapping[str, Column]) -> Column:
    """Return a column with what describes it in every language."""
    labels = {
        language: other.label for language, other in others.items() if other.label != column.label
    }
    values = tuple(
        _value(value, {language: other.values[place] for language, other in others.items()})
        for place, value in enumerate(column.values)
    )
    return replace(column, labels=labels, values=values)


def _value(value: Value, others: Mapping[str, Value]) -> Value:
    labels = {
        language: other.label for language, other in others.items() if other.label != value.label
    }
    return replace(value, labels=labels)


def _side_by_side(tables: Sequence[Sequence[Row]], words: Sequence[bool]) -> Iterator[Row]:
    """Yield the rows of the first table, each with the words of the same row of the others."""
    of_all = [not word for word in words]
    if len({len(rows) for rows in tables}) > 1:
        raise MovingError(MOVING)
    found = []
    for row, *others in zip(*tables, strict=True):
        if any(list(compress(each, of_all)) != list(compress(row, of_all)) for each in others):
            raise MovingError(MOVING)
        found.append((*row, *(cell for each in others for cell in compress(each, words))))
    return iter(found)
