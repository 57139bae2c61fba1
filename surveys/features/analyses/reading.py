"""Margins of the population as authors write them: a table of question, answer and share.

Shares are in percent and add up to 100 for each question, or are parts of 1. Offices round: shares
that miss that by no more than rounding does are divided by their sum, and a note says so. What is
further away is named, because nobody else knows which one is wrong.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal, localcontext
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys import numbers
from surveys.author_texts import reader_key
from surveys.authoring.reading.typed_tables import (
    UnreadTableError,
    first_of,
    rows_of,
    shown,
    surplus,
)
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
# Digits of any script, as many as a program writes; R writes 0.00001 as 1e-05.
_SHARE = re.compile(
    r"(?P<whole>\d{1,3})(?:[.,٫](?P<part>\d{1,30}))?(?:[eE](?P<power>-\d{1,2}))?"
    r"[ \u00a0\u202f]?(?P<sign>[%٪]?)"
)
# Decimals of a share of 1 in the document.
PLACES = 12
_LAST = Decimal(1).scaleb(-PLACES)
# Shares of 99.9 or 100.1 in all are taken, however many decimals they have.
_USUAL_SLACK = Decimal("0.001")

# The answers of each question that respondents may be weighted by, as the author reads them.
Answers = Mapping[str, Sequence[str]]


class _Row(NamedTuple):
    number: int
    question: str
    answer: str
    share: str


def read_margins(text: str, answers: Answers) -> list[Margin]:
    """The margins in the order of the table; raises UnreadTableError with all that is wrong."""
    rows, problems = _read_rows(text, answers)
    problems += _twice(rows)
    problems = problems or [*_of_questions(rows, answers)]
    if not rows:
        problems = [_("The table has no row below its first.")]
    if problems:
        raise UnreadTableError(first_of(problems))
    return [_margin(name, rows, answers) for name in dict.fromkeys(row.question for row in rows)]


def _read_rows(text: str, answers: Answers) -> tuple[list[_Row], list[str]]:
    """The rows, and what is wrong with each by itself."""
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
    return rows, problems


def _columns(header: Sequence[str]) -> list[str]:
    columns = [HEADERS.get(reader_key(name), "") for name in header]
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
        rule = _("not a number such as 51.2 that is not below 0")
        yield _problem(row, SHARE, row.share, rule)


def _problem(row: _Row, column: str, value: str, rule: str) -> str:
    message = _("Row %(row)s, %(column)s “%(text)s”: %(rule)s.")
    number = numbers.count(row.number)
    return message % {"row": number, "column": _(column), "text": shown(value), "rule": rule}


def _twice(rows: Sequence[_Row]) -> Iterator[str]:
    first: dict[tuple[str, str], int] = {}
    for row in rows:
        number = first.setdefault((row.question, reader_key(row.answer)), row.number)
        if number != row.number:
            rule = _("the same answer as in row %s") % numbers.count(number)
            yield _problem(row, ANSWER, row.answer, rule)


def _of_questions(rows: Sequence[_Row], answers: Answers) -> Iterator[str]:
    """Yield the problems that only all rows of a question together show, once they are read."""
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
                "up to 100, or to 1; rounding explains less than that."
            )
            values = {
                "question": name,
                "rows": ", ".join(numbers.count(row.number) for row in own),
                "sum": numbers.decimal(sum(map(_number, own), Decimal(0))),
            }
            yield message % values


def _place(row: _Row, answers: Answers) -> int | None:
    """Return which of the answers a row is about, as a reader tells them apart."""
    labels = [reader_key(label) for label in answers[row.question]]
    answer = reader_key(row.answer)
    return labels.index(answer) if answer in labels else None


def _number(row: _Row) -> Decimal:
    match = _SHARE.fullmatch(row.share)
    if match is None:
        return Decimal(0)
    return Decimal(f"{match['whole']}.{match['part'] or 0}").scaleb(int(match["power"] or 0))


def _decimals(row: _Row) -> int:
    match = _SHARE.fullmatch(row.share)
    return len(match["part"] or "") - int(match["power"] or 0) if match else 0


def _is_percent(row: _Row) -> bool:
    match = _SHARE.fullmatch(row.share)
    return match is not None and bool(match["sign"])


def _unit(rows: Sequence[_Row]) -> int | None:
    """Return what the shares of a question are parts of: 100, 1, or None if they sum to neither."""
    total = sum(map(_number, rows), Decimal(0))
    units = (100,) if any(map(_is_percent, rows)) else (100, 1)
    return next((unit for unit in units if abs(total - unit) <= _slack(rows, unit)), None)


def _slack(rows: Sequence[_Row], unit: int) -> Decimal:
    return slack(len(rows), max(map(_decimals, rows)), unit)


def slack(count: int, decimals: int, unit: int) -> Decimal:
    """How far rounding takes the sum of so many shares away: half of the last decimal of each."""
    by_rounding = count * Decimal("0.5").scaleb(-decimals)
    # Whole numbers of percent alone are rounded so coarsely that a slip would go unseen.
    return max(unit * _USUAL_SLACK, min(by_rounding, unit * Decimal("0.01")))


def _margin(name: str, rows: Sequence[_Row], answers: Answers) -> Margin:
    own = [row for row in rows if row.question == name]
    if _unit(own) is None:
        raise ValueError("the shares add up to nothing that they could be parts of")
    by_place = {_place(row, answers): _number(row) for row in own}
    numbers_in_order = [by_place[place] for place in range(len(answers[name]))]
    return Margin(question=name, shares=tuple(map(share_text, parts_of_one(numbers_in_order))))


def parts_of_one(amounts: Sequence[Decimal]) -> list[Decimal]:
    """These amounts divided by their sum, with `PLACES` decimals and exactly 1 in all.

    Each is rounded down, and those with the largest remainders get the last decimals that are left.
    """
    total = sum(amounts, Decimal(0))
    with localcontext(prec=80):
        exact = [amount / total for amount in amounts]
        shares = [share.quantize(_LAST, rounding=ROUND_FLOOR) for share in exact]
        left = int((1 - sum(shares, Decimal(0))) / _LAST)
        order = sorted(range(len(exact)), key=lambda place: shares[place] - exact[place])
        for place in order[:left]:
            shares[place] += _LAST
    return shares


def rescaled_notes(text: str, answers: Answers) -> list[str]:
    """Return a note on each question of a valid table whose shares were rescaled.

    They were divided by their sum, or rounded.
    """
    rows, _problems = _read_rows(text, answers)
    notes = []
    for name in dict.fromkeys(row.question for row in rows):
        own = [row for row in rows if row.question == name]
        total = sum(map(_number, own), Decimal(0))
        if total not in (1, 100):
            notes.append(rescaled_words(name, total))
        elif any(_decimals(row) > PLACES - 2 * (total == 100) for row in own):
            message = _("The shares of “%(question)s” are rounded to %(places)s decimals.")
            places = numbers.count(PLACES - 2 * (total == 100))
            notes.append(message % {"question": name, "places": places})
    return notes


def rescaled_words(question: str, total: Decimal) -> str:
    message = _(
        "The shares of “%(question)s” add up to %(sum)s, as rounded shares do. They are divided by "
        "their sum."
    )
    return message % {"question": question, "sum": numbers.decimal(total)}


def share_text(share: Decimal) -> str:
    """A share as the document has it, without a sign: 0.50 -> "0.5", -0 -> "0"."""
    return format(abs(share).normalize(), "f")
