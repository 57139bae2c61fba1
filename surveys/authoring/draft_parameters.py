"""The parameters document that a draft would be launched with."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from django.utils import translation
from msgspec import UNSET

from surveys.author_texts import one_line, paragraphs
from surveys.authoring.features import epsilon_of_person
from surveys.devices import devices_of
from surveys.devices.joint_margin import join_questions, report_epsilon
from surveys.drafts import Draft, is_for_some
from surveys.features import FEATURES
from surveys.kinds import categories, kind_of
from surveys.models import Question, Survey
from surveys.parameters import (
    FORMAT,
    Device,
    Parameters,
    document_types,
)
from surveys.parameters import (
    Question as FrozenQuestion,
)
from surveys.parameters.budget import PERSON_LIMIT, QUESTION_LIMIT, text_of
from surveys.parameters.document import Linkage, Population


def questions_of(survey: Survey) -> list[Question]:
    """The questions of a draft, each with what it must know of those that share its draw."""
    questions = list(survey.questions.all())
    join_questions(questions)
    return questions


def draft_parameters(*, survey: Survey, questions: list[Question] | None = None) -> Parameters:
    """The draft as it stands, unchecked: `surveys.parameters.to_freeze` reads it back.

    `questions` are those of `questions_of`, where they have been read already.
    """
    questions = questions_of(survey) if questions is None else questions
    with translation.override(survey.language):
        sections = _sections(survey, questions)
        return document_types().parameters(
            format=FORMAT,
            survey=survey.slug,
            version=1,
            wave=1,
            previous=None,
            mode=survey.mode,
            language=survey.language,
            title=one_line(survey.title),
            introduction=paragraphs(survey.introduction),
            consent=paragraphs(survey.consent),
            contact=paragraphs(survey.contact),
            linkage=cast("Linkage", survey.linkage),
            population=cast("Population", survey.population),
            release_threshold=survey.release_threshold,
            release_batch=survey.release_batch,
            epsilon=text_of(Decimal(survey.budget)),
            reason=_reason(survey, questions),
            questions=tuple(_frozen_question(question) for question in questions),
            devices=_devices(survey, questions, sections),
            **sections,
        )


def _devices(
    survey: Survey, questions: list[Question], sections: Mapping[str, Any]
) -> tuple[Device, ...]:
    for name, feature in FEATURES.items():
        if devices := feature.author.devices(survey, questions, sections.get(name)):
            return tuple(devices)
    return devices_of(questions)


def _sections(survey: Survey, questions: list[Question]) -> dict[str, Any]:
    """The sections of features, by their keys."""
    sections: dict[str, Any] = {}
    for feature in FEATURES.values():
        sections |= feature.author.freeze(survey, questions)
    return sections


def _reason(survey: Survey, questions: list[Question]) -> str:
    """The reason, if one is required; otherwise empty, so that it explains no other epsilon."""
    exceeds_limit = epsilon_of_person(survey, questions) > PERSON_LIMIT
    return paragraphs(survey.budget_reason) if exceeds_limit else ""


def _question_reason(question: Question) -> str:
    epsilon = report_epsilon(question) if question.randomized else None
    exceeds_limit = epsilon is not None and epsilon > QUESTION_LIMIT
    return paragraphs(question.epsilon_reason) if exceeds_limit else ""


def _sections_of(question: Question) -> dict[str, Any]:
    """Return the sections of features in a question, by their keys."""
    sections: dict[str, Any] = {}
    for feature in FEATURES.values():
        sections |= feature.author.freeze_question(question)
    return sections


def _frozen_question(question: Question) -> FrozenQuestion:
    return document_types().question(
        id=question.name,
        kind=question.kind,
        control=kind_of(question).control,
        text=paragraphs(question.text),
        help=paragraphs(question.help_text),
        required=question.required,
        randomized=question.randomized,
        reason=_question_reason(question),
        prefer_not=question.prefer_not,
        categories=tuple(map(one_line, categories(question))),
        scale=Draft.of(question).scale,
        characters=question.characters if kind_of(question).free_text else None,
        directed=question.directed if kind_of(question).about_members else None,
        not_applicable=True if is_for_some(question) else UNSET,
        **_sections_of(question),
    )
