"""Margins of the population as authors write them: a table of question, answer and share.

Shares are in percent and add up to 100 for each question, or are parts of 1. Nothing is rounded or
mended: shares that add up to 99.9 are named, because nobody else knows which one is wrong.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys import numbers
from surveys.authoring.typed_tables import UnreadTableError, first_of, neat, rows_of, shown, surplus
from surveys.parameters import Margin

QUESTION, ANSWER, SHARE = gettext_noop("question"), gettext_noop("answer"), gettext_noop("share")
HEADERS = {
    "question": QUESTION,
    "frage": QUESTION,
    "answer": ANSWER,
    "antwort": ANSWER,
    "share": SHARE,
    "anteil": SHARE,
}
# Six questions of fifty answers and a refusal have fewer rows.
MOST_ROWS = 500
# A hundredth of it has twelve decimals at most.
_SHARE = re.compile(
    r"(?P<whole>[0-9]{1,3})(?:[.,](?P<part>[0-9]{1,10}))?[ \u00a0\u202f]?(?P<sign>%?)"
)

# The answers of each question that respondents may be weighted by, as the author reads them.
Answers = Mapping[str, Sequence[str]]


class _Row(NamedTuple):
    number: int
    question: str
    answer: str
    share: str


def read_margins(text: str, answers: Answers) -> list[Margin]:
    """The margins in the order of the table; raises UnreadTableError with all that is wrong."""
    table = rows_of(text)
    columns = _columns(next(table, (1, []))[1])
    rows: list[_Row] = []
    problems: list[str] = []
    for number, cells in table:
        if len(rows) == MOST_ROWS:
            message = _("A table of margins has up to %s rows; this one has more.")
            raise UnreadTableError([message % numbers.count(MOST_ROWS)])
        if len(cells) > len(columns):
            problems.append(surplus(number, len(cells), len(columns)))
        named = dict(zip(columns, [*cells, "", "", ""], strict=False))
        rows.append(_Row(number, named[QUESTION], named[ANSWER], named[SHARE]))
        problems += _of_row(rows[-1], answers)
    problems += _twice(rows)
    problems = problems or [*_of_questions(rows, answers)]
    if not rows:
        problems = [_("The table has no row below its first.")]
    if problems:
        raise UnreadTableError(first_of(problems))
    return [_margin(name, rows, answers) for name in dict.fromkeys(row.question for row in rows)]


def _columns(header: Sequence[str]) -> list[str]:
    columns = [HEADERS.get(name.casefold(), "") for name in header]
    if sorted(columns) != sorted((QUESTION, ANSWER, SHARE)):
        message = _(
            "The first row has to say what the columns are: question,answer,share. It says “%s”."
        )
        raise UnreadTableError([message % shown(",".join(header))])
    return columns


def _of_row(row: _Row, answers: Answers) -> Iterator[str]:
    if row.question not in answers:
        rule = _("no question of this name to weight by; there are: %s")
        yield _problem(row, QUESTION, row.question, rule % (", ".join(answers) or _("none")))
    elif _place(row, answers) is None:
        rule = _("no answer of “%(question)s”; there are: %(there)s")
        values = {"question": row.question, "there": ", ".join(answers[row.question])}
        yield _problem(row, ANSWER, row.answer, rule % values)
    if not _SHARE.fullmatch(row.share):
        rule = _("not a number such as 51.2, with ten decimals at most and not below 0")
        yield _problem(row, SHARE, row.share, rule)


def _problem(row: _Row, column: str, value: str, rule: str) -> str:
    message = _("Row %(row)s, %(column)s “%(text)s”: %(rule)s.")
    number = numbers.count(row.number)
    return message % {"row": number, "column": _(column), "text": shown(value), "rule": rule}


def _twice(rows: Sequence[_Row]) -> Iterator[str]:
    first: dict[tuple[str, str], int] = {}
    for row in rows:
        number = first.setdefault((row.question, row.answer.casefold()), row.number)
        if number != row.number:
            rule = _("the same answer as in row %s") % numbers.count(number)
            yield _problem(row, ANSWER, row.answer, rule)


def _of_questions(rows: Sequence[_Row], answers: Answers) -> Iterator[str]:
    """What only all rows of a question tell, which have been read."""
    for name in dict.fromkeys(row.question for row in rows):
        own = [row for row in rows if row.question == name]
        given = {_place(row, answers) for row in own}
        missing = [label for place, label in enumerate(answers[name]) if place not in given]
        if missing:
            message = _(
                "“%(question)s” has no share for: %(answers)s. Write 0 where there is none."
            )
            yield message % {"question": name, "answers": ", ".join(missing)}
        elif _unit(own) is None:
            message = _(
                "The shares of “%(question)s” (rows %(rows)s) add up to %(sum)s. They have to add "
                "up to 100, or to 1, exactly."
            )
            values = {
                "question": name,
                "rows": ", ".join(numbers.count(row.number) for row in own),
                "sum": numbers.decimal(sum(map(_number, own), Decimal(0))),
            }
            yield message % values


def _place(row: _Row, answers: Answers) -> int | None:
    """Which of the answers a row is about; capital letters make no difference."""
    labels = [neat(label).casefold() for label in answers[row.question]]
    answer = row.answer.casefold()
    return labels.index(answer) if answer in labels else None


def _number(row: _Row) -> Decimal:
    match = _SHARE.fullmatch(row.share)
    return Decimal(f"{match['whole']}.{match['part'] or 0}") if match else Decimal(0)


def _is_percent(row: _Row) -> bool:
    match = _SHARE.fullmatch(row.share)
    return match is not None and bool(match["sign"])


def _unit(rows: Sequence[_Row]) -> int | None:
    """What the shares of a question are parts of: 100 or 1; None where they add up to neither."""
    total = sum(map(_number, rows), Decimal(0))
    in_percent = any(map(_is_percent, rows))
    return next((unit for unit in (100, *([] if in_percent else [1])) if total == unit), None)


def _margin(name: str, rows: Sequence[_Row], answers: Answers) -> Margin:
    own = [row for row in rows if row.question == name]
    unit = _unit(own)
    if unit is None:
        raise ValueError("the shares add up to nothing that they could be parts of")
    by_place = {_place(row, answers): _number(row) / unit for row in own}
    shares = (by_place[place] for place in range(len(answers[name])))
    return Margin(question=name, shares=tuple(map(share_text, shares)))


def share_text(share: Decimal) -> str:
    """A share as the document has it, without a sign: 0.50 -> "0.5", -0 -> "0"."""
    return format(abs(share).normalize(), "f")
