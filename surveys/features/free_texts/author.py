"""What a launch freezes of texts in one's own words, and what stands against one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.features.free_texts.section import MOST, NAME, FreeText
from surveys.features.free_texts.settings import texts_of
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey


class FreeTextsForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(texts_of(survey).asked)

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        settings = texts_of(survey)
        texts = tuple(
            FreeText(id=name, text=text, characters=settings.characters)
            for name, text in zip(_names(questions), settings.asked[:MOST], strict=False)
        )
        return {NAME: texts} if texts else {}

    def texts(self, survey: Survey, questions: Sequence[Question]) -> Sequence[str]:
        return texts_of(survey).asked

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        asked = texts_of(survey).asked
        if len(asked) > MOST:
            message = _("Ask for %(most)s texts at most; these are %(count)s.") % {
                "most": numbers.count(MOST),
                "count": numbers.count(len(asked)),
            }
            yield Finding("free_texts", message, blocks=True)
        elif asked:
            message = _(
                "Texts in people's own words are sent as they are and can tell who wrote them. Ask "
                "for one only where you cannot list the answers."
            )
            yield Finding("free_texts_seen", message, blocks=False)


def _names(questions: Sequence[Question]) -> Iterator[str]:
    """Yield names that no question has."""
    taken = {question.name for question in questions}
    numbered = (f"text_{number}" for number in range(1, MOST + len(taken) + 1))
    yield from (name for name in numbered if name not in taken)
