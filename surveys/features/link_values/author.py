"""What a launch freezes of values from the link, and what stands against them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.features.feature import FEATURES
from surveys.features.link_values.section import CONTROL, NAME, LinkValue
from surveys.features.link_values.settings import values_of
from surveys.features.parts import AuthorPart
from surveys.kinds import KINDS, categories
from surveys.models import Question, Survey

_VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")


class LinkValuesForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return bool(values_of(question))

    def knows_answer(self, question: Question) -> bool:
        return self.is_used_by(question)

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        found = tuple(
            LinkValue(question=question.name, values=values_of(question))
            for question in questions
            if self.is_used_by(question)
        )
        return {NAME: found} if found else {}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        for question, words in problems_of(questions):
            yield Finding.of(question, "link_values", words, blocks=True)


def problems_of(questions: Sequence[Question]) -> Iterator[tuple[Question, str]]:
    """Yield what stands against questions that the link answers, which are all of a survey."""
    found = [question for question in questions if values_of(question)]
    for question in found:
        words = _refusal(question)
        if questions.index(question) >= len(found):
            message = _(
                "What the link says is known before anything is asked: put this question before "
                "all that people are asked."
            )
            yield question, message
        elif len(found) == len(questions):
            yield question, _("Links answer all questions, so there is nothing to ask.")
        elif words:
            yield question, words


def _refusal(question: Question) -> str:
    """Return why a link cannot answer a question; empty where it can."""
    kind = KINDS.get(question.kind)
    if kind is None or kind.control != CONTROL or question.prefer_not:
        return _("A link answers a choice with options, which nobody refuses.")
    if question.randomized:
        return _(
            "A link says it openly, so that nothing is gained by scrambling it. Ask this directly."
        )
    if any(feature.author.leaves_out(question) for feature in FEATURES.values()):
        return _("Everybody has a link, so this question is for everybody: take its filter away.")
    values = values_of(question)
    odd = [value for value in values if not _VALUE.fullmatch(value)]
    if odd or len(set(values)) < len(values):
        message = _(
            "Values in the link differ, and have letters without accents, digits, full stops, "
            "hyphens and underscores: a1, wave-2. Look at “%s”."
        )
        return message % (odd or [x for x in values if values.count(x) > 1])[0]
    if len(values) != len(categories(question)) - 1:
        message = _(
            "There are %(values)s values for %(options)s options. Write one for each option but "
            "the last, which is for links that say nothing of it, such as “Not given”."
        )
        counts = {"values": len(values), "options": len(categories(question))}
        return message % {name: numbers.count(count) for name, count in counts.items()}
    return ""
