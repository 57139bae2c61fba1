"""Rosters as authors write them: tables of comma-separated values with a line for each member.

The first row names the columns: code, name and, if there are groups, group; in any order and case,
in English or in German. Every problem is named with its row, its column, what stands there and the
rule, so that a whole list can be mended at once.
"""

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from surveys import numbers
from surveys.authoring.rosters import RosterRow
from surveys.models.member import LONGEST_CODE, LONGEST_GROUP, LONGEST_NAME
from surveys.parameters.rosters import LEAST_GROUPS, LEAST_MEMBERS, MOST_GROUPS, MOST_MEMBERS

# A roster of the most members with the longest texts has less.
MOST_BYTES = 1_000_000
# Problems that are named at once: one slip may be in each of the rows.
MOST_NAMED = 20
# As much of a wrong text as is shown.
SHOWN = 40

CODE, NAME, GROUP = gettext_noop("code"), gettext_noop("name"), gettext_noop("group")
HEADERS = {
    "code": CODE,
    "kode": CODE,
    "kürzel": CODE,
    "kennung": CODE,
    "name": NAME,
    "group": GROUP,
    "gruppe": GROUP,
}
LONGEST = {CODE: LONGEST_CODE, NAME: LONGEST_NAME, GROUP: LONGEST_GROUP}
DELIMITERS = ("\t", ";", ",")
_CODE = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_CODE - 1}}}")
# Signs that turn the direction of what follows: a name with one can show another name.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BINARY = (b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0", b"\xff\xfe", b"\xfe\xff")


class UnreadRosterError(Exception):
    """A roster of which nothing is taken. `problems`: what is wrong, in the reader's language."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = list(problems)


class _Line(NamedTuple):
    """A row as it was written: its number in the table, which begins with 1, and its cells."""

    number: int
    cells: dict[str, str]


def decoded_roster(data: bytes) -> str:
    """The text of a file; raises UnreadRosterError for what is no text in UTF-8.

    Other encodings are not guessed: a wrong guess would spell names wrongly.
    """
    if len(data) > MOST_BYTES:
        raise UnreadRosterError([_("The file has more than %s bytes.") % numbers.count(MOST_BYTES)])
    if data.startswith(_BINARY) or b"\0" in data:
        raise UnreadRosterError(
            [
                _(
                    "This is no CSV file. In the spreadsheet choose “Save as”, then “CSV UTF-8 "
                    "(comma delimited)”."
                )
            ]
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = _(
            "The file is not in UTF-8 (line %(line)s), so letters such as “é” or “ß” would be read "
            "wrongly. In the spreadsheet choose “Save as”, then “CSV UTF-8 (comma delimited)”."
        )
        raise UnreadRosterError([message % {"line": numbers.count(line)}]) from None


def read_roster(text: str) -> list[RosterRow]:
    """The members in the order of the table; raises UnreadRosterError with all that is wrong."""
    table = _rows(text)
    columns = _columns(next(table, (1, []))[1])
    lines: list[_Line] = []
    problems: list[str] = []
    for number, cells in table:
        if len(lines) == MOST_MEMBERS:
            message = _("A roster has up to %s members; this one has more.")
            raise UnreadRosterError([message % numbers.count(MOST_MEMBERS)])
        if len(cells) > len(columns):
            problems.append(_surplus(number, len(cells), len(columns)))
        cells = [*cells, *[""] * (len(columns) - len(cells))]
        lines.append(_Line(number, dict(zip(columns, cells, strict=False))))
        problems += _of_line(lines[-1])
    problems += [*_codes_twice(lines), *_of_groups(lines), *_too_few(lines)]
    if problems:
        raise UnreadRosterError(_first_of(problems))
    return [
        RosterRow(line.cells[CODE], line.cells[NAME], line.cells.get(GROUP, "")) for line in lines
    ]


def roster_warnings(rows: Sequence[RosterRow]) -> list[str]:
    """What may be meant and may be a slip: the same name twice, groups that differ in case only."""
    warnings = []
    names = Counter(row.name for row in rows)
    for name in [name for name, count in names.items() if count > 1 and name]:
        codes = ", ".join(row.code for row in rows if row.name == name)
        message = _(
            "“%(name)s” is there %(times)s times (%(codes)s): respondents cannot tell them apart."
        )
        values = {"name": name, "times": numbers.count(names[name]), "codes": codes}
        warnings.append(message % values)
    alike: dict[str, list[str]] = {}
    for group in dict.fromkeys(row.group for row in rows):
        alike.setdefault(group.casefold(), []).append(group)
    for groups in [groups for groups in alike.values() if len(groups) > 1]:
        message = _("These are groups of their own, and differ only in capital letters: %s.")
        warnings.append(message % ", ".join(_("“%s”") % group for group in groups))
    return _first_of(warnings)


def _first_of(sentences: Sequence[str]) -> list[str]:
    if len(sentences) <= MOST_NAMED:
        return list(sentences)
    rest = _("And %s more.") % numbers.count(len(sentences) - MOST_NAMED)
    return [*sentences[:MOST_NAMED], rest]


# --- the table -----------------------------------------------------------------------------------


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that have anything, with their numbers; only as many are read as are asked for."""
    text = text.removeprefix("\ufeff")
    header = text.lstrip().split("\n", 1)[0]
    delimiter = next((sign for sign in DELIMITERS if sign in header), ",")
    # Its lines end where those of a CSV file do, and nowhere else.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    while True:
        number += 1
        try:
            cells = [_neat(cell) for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error:
            message = _(
                "Row %s cannot be read: a quotation mark is opened and not closed, or stands "
                "within a text that has none around it."
            )
            raise UnreadRosterError([message % numbers.count(number)]) from None
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number, cells


def _neat(cell: str) -> str:
    """A cell in the one form in which the same text is always the same characters."""
    return re.sub(" {2,}", " ", unicodedata.normalize("NFC", cell).strip())


def _columns(header: Sequence[str]) -> list[str]:
    """What the columns are, by the first row; raises UnreadRosterError for what is no header."""
    columns = [HEADERS.get(name.casefold(), "") for name in header]
    problems = [
        _("The first row names a column “%s”; a roster has code, name and group only.")
        % _shown(name)
        for name, column in zip(header, columns, strict=True)
        if not column
    ]
    problems += [
        _("The first row has no column “%s”.") % _(column)
        for column in (CODE, NAME)
        if column not in columns
    ]
    problems += [
        _("The first row has the column “%s” more than once.") % _(column)
        for column, count in Counter(columns).items()
        if column and count > 1
    ]
    if problems:
        hint = _("The first row has to say what the columns are: code,name or code,name,group.")
        raise UnreadRosterError([*_first_of(problems), hint])
    return columns


def _surplus(number: int, cells: int, columns: int) -> str:
    message = _(
        "Row %(row)s has %(cells)s cells, and the first row names %(columns)s. A text with a comma "
        "needs quotation marks around it."
    )
    counts = {"row": number, "cells": cells, "columns": columns}
    return message % {name: numbers.count(value) for name, value in counts.items()}


# --- the rules -----------------------------------------------------------------------------------


def _of_line(line: _Line) -> Iterator[str]:
    for column in (CODE, NAME, GROUP):
        text = line.cells.get(column, "")
        rule = _broken_rule(column, text)
        if rule:
            yield _problem(line, column, rule)


def _broken_rule(column: str, text: str) -> str:
    """The first rule that a text breaks, or nothing."""
    if not any(unicodedata.category(sign)[0] not in "CZ" for sign in text):
        return _("empty") if column != GROUP or text else ""
    unseen = next((sign for sign in text if _is_unseen(sign)), "")
    if unseen:
        message = _("it has the character U+%s, which cannot be seen")
        return message % f"{ord(unseen):04X}"
    if len(text) > LONGEST[column]:
        message = _("%(length)s characters; at most %(most)s are allowed")
        values = {"length": len(text), "most": LONGEST[column]}
        return message % {name: numbers.count(value) for name, value in values.items()}
    if column == CODE and not _CODE.fullmatch(text):
        return _(
            "only letters from A to Z, digits, points, hyphens and underscores, of which the first "
            "is a letter or a digit"
        )
    return ""


def _is_unseen(sign: str) -> bool:
    """Control characters, ends of lines, and what changes the direction of writing."""
    return unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in _TURNING


def _problem(line: _Line, column: str, rule: str) -> str:
    message = _("Row %(row)s, %(column)s “%(text)s”: %(rule)s.")
    return message % {
        "row": numbers.count(line.number),
        "column": _(column),
        "text": _shown(line.cells.get(column, "")),
        "rule": rule,
    }


def _shown(text: str) -> str:
    """The beginning of a text, with a sign for each that nobody could see."""
    seen = "".join("\N{REPLACEMENT CHARACTER}" if _is_unseen(sign) else sign for sign in text)
    return seen if len(seen) <= SHOWN else f"{seen[:SHOWN]}…"


def _codes_twice(lines: Sequence[_Line]) -> Iterator[str]:
    first: dict[str, int] = {}
    for line in lines:
        code = line.cells[CODE].casefold()
        number = first.setdefault(code, line.number)
        if code and number != line.number:
            rule = _("the same as in row %s; capital letters make no difference")
            yield _problem(line, CODE, rule % numbers.count(number))


def _of_groups(lines: Sequence[_Line]) -> Iterator[str]:
    groups = Counter(line.cells.get(GROUP, "") for line in lines)
    without = groups.pop("", 0)
    if not groups:
        return
    if without:
        number = next(line.number for line in lines if not line.cells.get(GROUP))
        message = ngettext(
            "%(count)s row has no group, row %(row)s. Give all rows one, or none.",
            "%(count)s rows have no group, such as row %(row)s. Give all rows one, or none.",
            without,
        )
        values = {"count": without, "row": number}
        yield message % {name: numbers.count(value) for name, value in values.items()}
        return
    if len(groups) < LEAST_GROUPS:
        message = _("All rows have the one group “%s”. Name two at least, or leave the column out.")
        yield message % _shown(next(iter(groups)))
    if len(groups) > MOST_GROUPS:
        message = _("There are %(count)s groups; at most %(most)s are allowed.")
        yield message % {"count": numbers.count(len(groups)), "most": numbers.count(MOST_GROUPS)}


def _too_few(lines: Sequence[_Line]) -> Iterator[str]:
    if len(lines) < LEAST_MEMBERS:
        message = _("A roster has at least %(least)s members; this one has %(count)s.")
        values = {"least": LEAST_MEMBERS, "count": len(lines)}
        yield message % {name: numbers.count(value) for name, value in values.items()}
