"""What an author writes of whom a question is for: `shift = Night and age > 17`.

Questions go by their names, answers by their labels, in quotation marks where these would be taken
for something else. Several answers of which one is enough stand between bars. “and” binds more
closely than “or”.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.author_texts import reader_key
from surveys.drafts import Draft
from surveys.features.filters.section import MOST_COMPARISONS, Comparison
from surveys.kinds import categories, kind_of
from surveys.models import Question
from surveys.parameters.document import RANKING

# Beside the English words, those of the languages of authors.
AND, OR = frozenset({"and", "und", "&"}), frozenset({"or", "oder"})
IS, IS_NOT, ABOVE, BELOW, BAR = "=", "≠", ">", "<", "|"
_SIGNS = {"=": IS, "!=": IS_NOT, "<>": IS_NOT, "≠": IS_NOT, ">": ABOVE, "<": BELOW, "|": BAR}
_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»)"""
    r"""|(?P<sign>!=|<>|[=≠<>|&])|(?P<word>[^\s=≠<>|&"“„«!]+|!))"""
)


# What would be taken for something else without quotation marks.
_TAKEN = re.compile(r'[=≠<>|&"“”„«»!]')


class UnreadableFilterError(ValueError):
    """A filter that cannot be read; its text says why, for the author."""


@dataclass(frozen=True, slots=True)
class _Token:
    """`sign`: of an operator; `word`: as it is written; `quoted`: in quotation marks."""

    text: str
    sign: str = ""
    quoted: bool = False

    @property
    def joins(self) -> str:
        """Return “and” or “or”, where it joins comparisons."""
        word = "" if self.quoted else self.text.lower()
        return "and" if word in AND else "or" if word in OR else ""


def read_filter(text: str, earlier: Sequence[Question]) -> tuple[tuple[Comparison, ...], ...]:
    """Return the alternatives of a filter; `earlier`: the questions before the one that has it.

    Raises UnreadableFilterError.
    """
    named = {question.name: question for question in earlier}
    alternatives = tuple(
        tuple(_comparison(tokens, named) for tokens in _split(every, "and"))
        for every in _split(list(_tokens(text)), "or")
    )
    if sum(map(len, alternatives)) > MOST_COMPARISONS:
        message = _("A question has %(most)s comparisons at most.")
        raise UnreadableFilterError(message % {"most": MOST_COMPARISONS})
    return alternatives


def is_number(question: Question) -> bool:
    return kind_of(question).numeric


def is_comparable(question: Question) -> bool:
    """Whether a filter can rest on the answers to a question."""
    kind = kind_of(question)
    return not (kind.free_text or kind.about_members or kind.control == RANKING)


def written_answer(label: str) -> str:
    """Return an answer as it stands in a filter; empty where no quotation marks would hold it."""
    if not _TAKEN.search(label) and not {word.lower() for word in label.split()} & (AND | OR):
        return label
    pairs = [('"', '"'), ("“", "”"), ("«", "»")]
    fitting = (f"{first}{label}{last}" for first, last in pairs if last not in label)
    return next(fitting, "")


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text.strip()):
        if match["quoted"]:
            yield _Token(match["quoted"][1:-1], quoted=True)
        elif match["sign"] and match["sign"] != "&":
            yield _Token(match["sign"], sign=_SIGNS[match["sign"]])
        else:
            yield _Token(match["word"] or match["sign"])


def _split(tokens: Sequence[_Token], joint: str) -> Iterator[list[_Token]]:
    part: list[_Token] = []
    for token in tokens:
        if token.joins == joint:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _comparison(tokens: Sequence[_Token], named: dict[str, Question]) -> Comparison:
    if len(tokens) < 3 or not tokens[1].sign or tokens[1].sign == BAR:
        written = " ".join(token.text for token in tokens)
        message = _(
            "“%(written)s” is no comparison. Write the name of an earlier question, then = or ≠ "
            "and an answer, or > and a number, such as: age > 17."
        )
        raise UnreadableFilterError(message % {"written": written})
    name, sign, rest = tokens[0].text, tokens[1].sign, tokens[2:]
    if name not in named:
        known = ", ".join(named) or _("there is none")
        message = _(
            "“%(name)s” is no question before this one. The names of those before it: %(known)s."
        )
        raise UnreadableFilterError(message % {"name": name, "known": known})
    question = named[name]
    if is_number(question):
        return _of_number(question, sign, rest)
    return _of_answers(question, sign, rest)


def _of_number(question: Question, sign: str, rest: Sequence[_Token]) -> Comparison:
    written = " ".join(token.text for token in rest)
    try:
        number = Decimal(written.replace(",", ".").replace("−", "-"))
    except InvalidOperation:
        number = Decimal("NaN")
    scale = Draft.of(question).scale
    if not number.is_finite() or scale is None:
        message = _("“%(written)s” is no number, and the answers to “%(name)s” are numbers.")
        raise UnreadableFilterError(message % {"written": written, "name": question.name})
    if sign not in (ABOVE, BELOW):
        message = _("Compare the number “%(name)s” by > or <.")
        raise UnreadableFilterError(message % {"name": question.name})
    text = _signed(number)
    above, below = (text, None) if sign == ABOVE else (None, text)
    return Comparison(question=question.name, answers=(), above=above, below=below, negated=False)


def _signed(number: Decimal) -> str:
    """Return a number as documents have it."""
    text = f"{number.quantize(Decimal('0.000001')):f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def answers_of(question: Question) -> list[str]:
    """Return what respondents read, whatever the author's own language is."""
    with translation.override(question.survey.language):
        return categories(question)


def _of_answers(question: Question, sign: str, rest: Sequence[_Token]) -> Comparison:
    if sign not in (IS, IS_NOT) or not is_comparable(question):
        message = _("The answers to “%(name)s” cannot be compared so.")
        raise UnreadableFilterError(message % {"name": question.name})
    labels = answers_of(question)
    places = {reader_key(label).casefold(): place for place, label in enumerate(labels)}
    answers = set[int]()
    for part in _between_bars(rest):
        written = " ".join(token.text for token in part)
        place = places.get(reader_key(written).casefold())
        if place is None:
            message = _("“%(written)s” is no answer to “%(name)s”. Its answers are: %(labels)s.")
            values = {"written": written, "name": question.name, "labels": " | ".join(labels)}
            raise UnreadableFilterError(message % values)
        answers.add(place)
    return Comparison(
        question=question.name,
        answers=tuple(sorted(answers)),
        above=None,
        below=None,
        negated=sign == IS_NOT,
    )


def _between_bars(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    part: list[_Token] = []
    for token in tokens:
        if token.sign == BAR:
            yield part
            part = []
        else:
            part.append(token)
    yield part
