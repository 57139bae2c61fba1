"""Launch checks of a survey by personal link, and of what only such a survey may have."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.kinds import KINDS
from surveys.models import Question, Survey
from surveys.models.survey import label_of_mode
from surveys.parameters import OPEN, PERSONAL


def personal_links(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    about = [question for question in questions if _is_about_members(question)]
    if survey.mode != PERSONAL:
        yield from _without_links(survey, about)
        return
    if not survey.roster_size:
        message = _("There is no roster. Upload the people who may answer, under “Roster”.")
        yield Finding("no_roster", message, blocks=True)
    if not about:
        message = _(
            "Nothing is asked about the people on the roster, so nobody has to be known. Add a "
            "question about them, or choose “%s”."
        )
        yield Finding("links_for_nothing", message % label_of_mode(OPEN), blocks=True)
    if survey.linkage == Survey.Linkage.APART:
        message = _(
            "With personal links the answers of one person are kept together, under their code. "
            "Choose “%s” under “answers of one person”."
        )
        yield Finding("links_apart", message % Survey.Linkage.TOGETHER.label, blocks=True)
    for question in questions:
        yield from _of_question(question)


def _is_about_members(question: Question) -> bool:
    return question.kind in KINDS and KINDS[question.kind].about_members


def _without_links(survey: Survey, about: list[Question]) -> Iterator[Finding]:
    for question in about:
        message = _(
            "“%(name)s” asks about the people on a roster, so it must be known whose answer it is. "
            "Choose “%(mode)s”."
        )
        values = {"name": question.name, "mode": label_of_mode(PERSONAL)}
        yield Finding("links_needed", message % values, True, question.name)
    if survey.has_roster:
        message = _(
            "A roster is stored, and the survey is not by personal link. Remove the roster under "
            "“Roster”, or choose “%s”."
        )
        yield Finding("idle_roster", message % label_of_mode(PERSONAL), blocks=True)


def _of_question(question: Question) -> Iterator[Finding]:
    if not question.randomized:
        message = _(
            "“%(name)s” would be sent as it is, by people who are known. With personal links every "
            "question must be sensitive."
        )
        yield Finding("links_direct", message % {"name": question.name}, True, question.name)
