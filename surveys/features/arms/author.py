"""The part of arms for authors: what they are told before launch, and what a launch freezes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.drafts import Draft
from surveys.features.arms.allowed import (
    asked_directly,
    fit_arms,
    frozen_arms,
    has_arms,
    left_out_words,
    public_problem,
    shares_of_draft,
    split_problem,
)
from surveys.features.arms.figures import arm_figures, people_of
from surveys.features.arms.section import DIRECTLY, NAME, SPLIT
from surveys.features.arms.settings import arms_of_question, shares_of_survey
from surveys.features.arms.words import arm_words, consent_sentence, has_sentence
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey
from surveys.parameters import EVERYBODY

# A comparison that finds only larger differences than this says next to nothing.
SENSIBLE = 0.25


class ArmsForAuthors(AuthorPart):
    has_panel_text = True

    def is_used_by(self, question: Question) -> bool:
        return has_arms(question)

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        return {NAME: frozen_arms(survey, questions)}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        armed = [question for question in questions if has_arms(question)]
        if not armed:
            return
        for message in public_problem(survey, questions):
            yield Finding("arms_unfit", message, blocks=True)
        yield from _shares(survey, armed)
        yield from _threshold(survey, armed)
        for question in armed:
            if words := left_out_words(question) or _split_words(question):
                message = _("It can have no arms: %s. Take them away on the page of arms.") % words
                yield Finding.of(question, "question_without_arms", message, blocks=True)
            else:
                yield from _small(survey, question)
        yield from _direct(survey, list(filter(asked_directly, armed)))

    def panel_text(self, draft: Draft, section: Any = None) -> str:
        return arm_words(draft)

    def refit(self, question: Question) -> str:
        if not fit_arms(question):
            return ""
        return _("What you changed changes their arms too; look at the page of arms: %s.")


def _split_words(question: Question) -> str:
    epsilon = arms_of_question(question).split_epsilon
    return "" if epsilon is None else split_problem(question, epsilon)


def _threshold(survey: Survey, armed: list[Question]) -> Iterator[Finding]:
    """Whether too few people for any result are expected in an arm."""
    people = people_of(shares_of_draft(survey, armed), survey.planned_n)
    for stratum, label in ((SPLIT, _("the split sample")), (DIRECTLY, _("the direct arm"))):
        if people.get(stratum, survey.release_threshold) < survey.release_threshold:
            message = _(
                "About %(people)s people are expected in %(arm)s, below the release threshold "
                "(%(threshold)s), so results may never show it."
            )
            values = {"people": people[stratum], "threshold": survey.release_threshold}
            shown = {name: numbers.count(value) for name, value in values.items()}
            yield Finding("arm_below_threshold", message % {**shown, "arm": label}, blocks=False)


def _shares(survey: Survey, armed: list[Question]) -> Iterator[Finding]:
    if sum(shares_of_draft(survey, armed).values()) >= EVERYBODY:
        message = _(
            "The shares of the arms leave nobody for the page's own devices. Lower them on the "
            "page of arms."
        )
        yield Finding("arms_of_everybody", message, blocks=True)


def _small(survey: Survey, question: Question) -> Iterator[Finding]:
    """Whether a comparison finds no difference that anybody would expect."""
    figures = arm_figures(Draft.of(question), survey.planned_n)
    arms = arms_of_question(question)
    found = {
        _("the split sample"): (arms.split_epsilon is not None, figures.split),
        _("the direct arm"): (arms.asked_directly, figures.direct),
    }
    for label, (is_there, smallest) in found.items():
        if is_there and (smallest is None or smallest > SENSIBLE):
            message = _(
                "With %(n)s planned respondents %(arm)s finds only differences of more than "
                "%(points)s points, so it will tell little. Ask more people, raise its share, or "
                "do without it."
            )
            values = {"n": numbers.count(survey.planned_n), "arm": label}
            values["points"] = numbers.points(SENSIBLE if smallest is None else smallest, 0)
            yield Finding.of(question, "small_arm", message % values, blocks=False)


def _direct(survey: Survey, asked: list[Question]) -> Iterator[Finding]:
    """Yield that true answers will be stored, and that nobody has to give one."""
    if not asked:
        return
    names = ", ".join(question.name for question in asked)
    people = people_of({DIRECTLY: shares_of_survey(survey).direct}, survey.planned_n)[DIRECTLY]
    message = _(
        "True answers to sensitive questions of about %(people)s people are stored: chance asks "
        "them directly (%(names)s). They are told so at the question and may leave it out."
    )
    values = {"people": numbers.count(people), "names": names}
    yield Finding("direct_arm", message % values, blocks=False)
    if not has_sentence(survey):
        message = _("The consent text does not say that chance may ask directly. Add: “%s”")
        sentence = consent_sentence(survey.language)
        yield Finding("direct_arm_without_consent", message % sentence, blocks=True)
    required = [question.name for question in asked if question.required]
    if required:
        message = _(
            "In the direct arm nobody has to answer, although these questions are required: %s."
        )
        yield Finding("required_direct_arm", message % ", ".join(required), blocks=False)
