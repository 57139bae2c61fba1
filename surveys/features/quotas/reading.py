"""What an author writes of quotas: in each line answers to one question or two, and a number.

`gender = Woman and region = North: 50`. Questions go by their names, answers by their labels;
several answers of which one is enough stand between bars. 0 is for people who are not asked.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from surveys.author_texts import reader_key
from surveys.features.quotas.section import MOST_QUOTAS, Given, Quota
from surveys.kinds import categories, kind_of
from surveys.models import Question
from surveys.parameters.joint import LISTED

# A label may have such a word in it: what follows has to be another comparison.
_AND = re.compile(r"\s+(?:and|und|&)\s+(?=[a-z][a-z0-9_]*\s*=)")
_MARKS = ' \t"“”„«»'


class UnreadableQuotaError(ValueError):
    """Quotas that cannot be read; the text says why, for the author."""


def read_quotas(text: str, questions: Sequence[Question]) -> tuple[Quota, ...]:
    """Return the quotas of a draft with these questions. Raises UnreadableQuotaError."""
    named = {question.name: question for question in questions}
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_QUOTAS:
        raise UnreadableQuotaError(_("A survey has %s quotas at most.") % MOST_QUOTAS)
    return tuple(_quota(line, named) for line in lines)


def _quota(line: str, named: Mapping[str, Question]) -> Quota:
    people, _colon, number = line.rpartition(":")
    digits = re.sub(r"[\s.,’]", "", number)
    if not people or not re.fullmatch(r"[0-9]{1,9}", digits):
        message = _(
            "“%s” is no quota. Write answers, a colon and how many are wanted: gender = Woman: 200."
        )
        raise UnreadableQuotaError(message % line)
    given = [_given(part, named) for part in _AND.split(people)]
    if len(given) > 2:
        message = _("“%s”: a quota is about one question or two.")
        raise UnreadableQuotaError(message % line)
    places = list(named)
    given.sort(key=lambda each: places.index(each.question))
    if len({each.question for each in given}) < len(given):
        message = _("“%s” has one question twice. Write its answers between bars: Yes | No.")
        raise UnreadableQuotaError(message % line)
    return Quota(given=tuple(given), wanted=int(digits))


def _given(part: str, named: Mapping[str, Question]) -> Given:
    name, equals, written = (text.strip(_MARKS) for text in part.partition("="))
    if not equals or name not in named:
        message = _("“%(written)s” names no question. The names of those there are: %(known)s.")
        values = {"written": name, "known": ", ".join(named) or _("there is none")}
        raise UnreadableQuotaError(message % values)
    question = named[name]
    if question.randomized or kind_of(question).control not in LISTED:
        message = _(
            "Quotas are about questions with listed answers that are sent as they are, and “%s” is "
            "no such question."
        )
        raise UnreadableQuotaError(message % name)
    return Given(question=name, answers=tuple(sorted(set(_answers(written, question)))))


def _answers(written: str, question: Question) -> Iterator[int]:
    labels = categories(question)
    places = {reader_key(label).casefold(): place for place, label in enumerate(labels)}
    whole = places.get(reader_key(written).casefold())
    if whole is not None:
        yield whole
        return
    for part in written.split("|"):
        place = places.get(reader_key(part.strip(_MARKS)).casefold())
        if place is None:
            message = _("“%(written)s” is no answer to “%(name)s”. Its answers are: %(labels)s.")
            values = {
                "written": part.strip(_MARKS),
                "name": question.name,
                "labels": " | ".join(labels),
            }
            raise UnreadableQuotaError(message % values)
        yield place
