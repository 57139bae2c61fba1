"""Candidates in the first column of a table, whose first row may say what the columns are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys.author_texts import reader_key
from surveys.authoring.reading.typed_tables import notes_of, rows_of, shown

# Names of a column of candidates, in English and in German.
NAMES = frozenset(
    {
        *("candidate", "candidates", "text", "texts", "answer", "answers", "term", "terms"),
        *("word", "words", "label", "labels", "name", "names"),
        *("kandidat", "kandidaten", "antwort", "antworten", "begriff", "begriffe"),
        *("wort", "wörter", "bezeichnung"),
    }
)
_NUMBER = re.compile(r"[-+]?[\d.,\s]*\d[\d.,\s]*%?")
# A longer cell is no number of anything.
_LONGEST_NUMBER = 40


@dataclass(frozen=True, slots=True)
class FirstColumn:
    """The rows that have a text, with their numbers, and what was understood beside them."""

    lines: list[tuple[int, str]]
    notes: list[str]


def first_column(text: str) -> FirstColumn:
    """Raises UnreadTableError for what is no table."""
    rows = list(rows_of(text))
    notes = notes_of(text)
    if rows and _is_header(rows[0][1], [cells for _number, cells in rows[1:]]):
        header = shown("; ".join(rows.pop(0)[1]))
        message = _(
            "Its first row, “%s”, was taken for the names of the columns. If it is a candidate, "
            "add it to the list."
        )
        notes.append(message % header)
    return FirstColumn([(number, cells[0]) for number, cells in rows if cells[0]], notes)


def _is_header(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Known words, or words above columns of numbers: nothing else tells names from candidates."""
    if reader_key(first[0]) in NAMES:
        return True
    return any(
        name
        and not _is_number(name)
        and rows
        and all(_is_number(_at(each, place)) for each in rows)
        for place, name in enumerate(first[1:], 1)
    )


def _at(cells: Sequence[str], place: int) -> str:
    return cells[place] if place < len(cells) else ""


def _is_number(cell: str) -> bool:
    return len(cell) <= _LONGEST_NUMBER and _NUMBER.fullmatch(cell) is not None
