"""What a launch freezes of support, and what stands against a launch."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.author_texts import paragraphs
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.features import runs_of
from surveys.features.parts import AuthorPart
from surveys.features.support.section import NAME, Support, is_address
from surveys.features.support.settings import (
    has_box,
    has_box_after_section,
    support_of,
    usual_address,
)
from surveys.models import Question, Survey


def exit_address(survey: Survey) -> str | None:
    """Return where the quick exit of a draft leads; None where there is none."""
    settings = support_of(survey)
    if not settings.quick_exit:
        return None
    return settings.address or usual_address(survey.language)


def boxed(questions: Sequence[Question]) -> list[Question]:
    """Return the questions below which the box with help stands, in their order."""
    return [
        question
        for run, _by_chance in runs_of(questions)
        for question in run
        if has_box(question) or (question is run[-1] and any(map(has_box_after_section, run)))
    ]


def address_words() -> str:
    return _("Write an address that begins with https://, without spaces.")


class SupportForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return has_box(question) or has_box_after_section(question)

    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        settings = support_of(survey)
        return bool(paragraphs(settings.text)) or settings.quick_exit

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        if not self.is_used(survey, questions):
            return {}
        after = tuple(question.name for question in boxed(questions))
        text, address = paragraphs(support_of(survey).text), exit_address(survey)
        return {NAME: Support(text=text, after=after, exit=address)}

    def texts(self, survey: Survey, questions: Sequence[Question]) -> Sequence[str]:
        return [support_of(survey).text]

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        if not paragraphs(support_of(survey).text):
            message = _(
                "The box with help stands below this question and has no text. Write the help, or "
                "take the tick away."
            )
            for question in filter(self.is_used_by, questions):
                yield Finding.of(question, "empty_support", message, blocks=True)
        for run, by_chance in runs_of(questions):
            for question in filter(has_box_after_section, run if by_chance else ()):
                message = _(
                    "Chance orders the questions of this section, so none is always its last. Show "
                    "the box with help below each of them, or below none."
                )
                yield Finding.of(question, "help_after_chance", message, blocks=True)
        address = exit_address(survey)
        if address is not None and not is_address(address):
            message = _("Quick exit: %s") % address_words()
            yield Finding("exit_address", message, blocks=True)
