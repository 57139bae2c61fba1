"""Rosters as authors write them: tables of comma-separated values with a line for each member.

The first row names the columns: code, name and, if there are groups, group; in any order and case,
in English or in German. Every problem is named with its row, its column, what stands there and the
rule, so that a whole list can be mended at once.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from surveys import numbers
from surveys.author_texts import reader_key
from surveys.authoring.reading.typed_tables import (
    UnreadTableError,
    first_of,
    rows_of,
    shown,
    surplus,
)
from surveys.features.roster.models import LONGEST_CODE, LONGEST_GROUP, LONGEST_NAME, Member
from surveys.features.roster.section import Roster
from surveys.models import Survey
from surveys.parameters.members import LEAST_GROUPS, LEAST_MEMBERS, MOST_GROUPS, MOST_MEMBERS

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
_CODE = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_CODE - 1}}}")


class RosterRow(NamedTuple):
    """A member as the author lists it; `group` is empty for all rows or for none."""

    code: str
    name: str
    group: str = ""


class _Line(NamedTuple):
    """A row as it was written: its number in the table, which begins with 1, and its cells."""

    number: int
    cells: dict[str, str]


def read_roster(text: str) -> list[RosterRow]:
    """The members in the order of the table; raises UnreadTableError with all that is wrong."""
    table = rows_of(text)
    columns = _columns(next(table, (1, []))[1])
    lines: list[_Line] = []
    problems: list[str] = []
    for number, cells in table:
        if len(lines) == MOST_MEMBERS:
            message = _("A roster has up to %s members; this one has more.")
            raise UnreadTableError([message % numbers.count(MOST_MEMBERS)])
        if len(cells) > len(columns):
            problems.append(surplus(number, len(cells), len(columns)))
        cells = [*cells, *[""] * (len(columns) - len(cells))]
        lines.append(_Line(number, dict(zip(columns, cells, strict=False))))
        problems += _of_line(lines[-1])
    problems += [*_codes_twice(lines), *_of_groups(lines), *_too_few(lines)]
    if problems:
        raise UnreadTableError(first_of(problems))
    return [
        RosterRow(line.cells[CODE], line.cells[NAME], line.cells.get(GROUP, "")) for line in lines
    ]


def roster_warnings(rows: Sequence[RosterRow]) -> list[str]:
    """Return warnings of possible slips: a name twice, groups that differ in case only."""
    warnings = []
    names = Counter(reader_key(row.name) for row in rows)
    first: dict[str, str] = {}
    for row in rows:
        first.setdefault(reader_key(row.name), row.name)
    for key, name in [(key, name) for key, name in first.items() if names[key] > 1 and key]:
        codes = ", ".join(row.code for row in rows if reader_key(row.name) == key)
        message = _(
            "“%(name)s” is there %(times)s times (%(codes)s): respondents cannot tell them apart."
        )
        values = {"name": name, "times": numbers.count(names[key]), "codes": codes}
        warnings.append(message % values)
    alike: dict[str, list[str]] = {}
    for group in dict.fromkeys(row.group for row in rows):
        alike.setdefault(reader_key(group), []).append(group)
    for groups in [groups for groups in alike.values() if len(groups) > 1]:
        message = _("These are groups of their own, and differ only in capital letters: %s.")
        warnings.append(message % ", ".join(_("“%s”") % group for group in groups))
    return first_of(warnings)


def members_of(survey: Survey) -> QuerySet[Member]:
    """Return the rows of a survey's roster, in its order."""
    return Member.objects.filter(survey=survey.pk).order_by("place")


def has_roster(survey: Survey) -> bool:
    """Whether a roster is stored, also of a draft that is no longer by personal link."""
    return members_of(survey).exists()


def roster_of(survey: Survey) -> Roster | None:
    """The roster that is stored of a survey, without names; None where there is none.

    Groups come in the order in which the list first names them.
    """
    rows = members_of(survey).values_list("code", "group")
    if not rows:
        return None
    codes, named = zip(*rows, strict=True)
    groups = tuple(dict.fromkeys(group for group in named if group))
    places = {group: place for place, group in enumerate(groups)}
    group_of = tuple(places[group] for group in named) if groups else ()
    return Roster(codes=codes, groups=groups, group_of=group_of)


# --- the table -----------------------------------------------------------------------------------


def _columns(header: Sequence[str]) -> list[str]:
    """Return the names of the columns by the first row; raises UnreadTableError if that is none."""
    columns = [HEADERS.get(reader_key(name), "") for name in header]
    problems = [
        _("The first row names a column “%s”; a roster has code, name and group only.")
        % shown(name)
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
        raise UnreadTableError([*first_of(problems), hint])
    return columns


# --- the rules -----------------------------------------------------------------------------------


def _of_line(line: _Line) -> Iterator[str]:
    for column in (CODE, NAME, GROUP):
        text = line.cells.get(column, "")
        rule = _broken_rule(column, text)
        if rule:
            yield _problem(line, column, rule)


def _broken_rule(column: str, text: str) -> str:
    """The first rule that a text breaks, or nothing."""
    if not text:
        return _("empty") if column != GROUP else ""
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


def _problem(line: _Line, column: str, rule: str) -> str:
    message = _("Row %(row)s, %(column)s “%(text)s”: %(rule)s.")
    return message % {
        "row": numbers.count(line.number),
        "column": _(column),
        "text": shown(line.cells.get(column, "")),
        "rule": rule,
    }


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
        yield message % shown(next(iter(groups)))
    if len(groups) > MOST_GROUPS:
        message = _("There are %(count)s groups; at most %(most)s are allowed.")
        yield message % {"count": numbers.count(len(groups)), "most": numbers.count(MOST_GROUPS)}


def _too_few(lines: Sequence[_Line]) -> Iterator[str]:
    if len(lines) < LEAST_MEMBERS:
        message = _("A roster has at least %(least)s members; this one has %(count)s.")
        values = {"least": LEAST_MEMBERS, "count": len(lines)}
        yield message % {name: numbers.count(value) for name, value in values.items()}
