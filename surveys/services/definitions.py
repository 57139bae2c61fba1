"""A new draft from a definition: a copy of a survey, or one that was written elsewhere.

The latter goes by the rules of the pages: what they refuse is refused here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.forms import modelform_factory
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys.authoring.addresses import free_address
from surveys.authoring.draft_merge import TEXTS
from surveys.authoring.limits import too_many_questions
from surveys.authoring.workbench.adopting import searched_problem
from surveys.definitions import (
    BadDefinitionError,
    Definition,
    Problem,
    QuestionDefinition,
    definition_of,
)
from surveys.definitions.writing import OF_QUESTION, OF_SURVEY
from surveys.features import FEATURES
from surveys.forms.fields.features import feature_problems
from surveys.forms.fields.shown_values import shown_values
from surveys.forms.question import QuestionForm
from surveys.forms.sheets import posted_data
from surveys.forms.survey import SurveyForm
from surveys.models import Question, Survey
from surveys.parameters import to_json

PREFIX = "questions"
# Keys of a definition whose fields have other names.
_KEYS = {
    "slug": "address",
    "help_text": "help",
    "epsilon_reason": "reason",
    "design_parameters": "settings",
}


@dataclass(frozen=True, slots=True)
class Imported:
    """A new draft, and what could not be taken as it stands or is still missing, in sentences."""

    survey: Survey
    changed: list[str]


@transaction.atomic
def clone_survey(*, survey: Survey, owner: User) -> Survey:
    """Return a new draft with the same texts, settings and questions, finished or not."""
    definition = msgspec.structs.replace(
        definition_of(survey),
        title=_("Copy of %s") % survey.title[:140],
        address=free_address(survey.slug),
        opens_at=None,
        closes_at=None,
        results_public=False,
    )
    copy = unsaved_draft(definition, owner)
    copy.typed = _typed_of_copy(survey, copy)
    copy.save()
    questions = unsaved_questions(definition, copy)
    typed = dict(survey.questions.values_list("name", "typed"))
    for question in questions:
        question.typed = typed.get(question.name)
    Question.objects.bulk_create(questions)
    store_features(definition, copy)
    return copy


def _typed_of_copy(survey: Survey, copy: Survey) -> Any:
    """Return what is not finished of the settings, under the title and address of the copy."""
    if not survey.is_draft or not survey.typed or TEXTS not in survey.typed:
        return None
    own = {"title": [copy.title], "slug": [copy.slug]}
    return {TEXTS: {**survey.typed[TEXTS], **own}}


@transaction.atomic
def import_definition(*, definition: Definition, owner: User) -> Imported:
    """Store a draft of this person; raises BadDefinitionError, and stores nothing then."""
    survey = unsaved_draft(definition, owner)
    return store_checked(survey, definition, Question.objects.bulk_create)


def store_checked(
    survey: Survey, definition: Definition, store: Callable[[list[Question]], object]
) -> Imported:
    """Store a draft by the rules of the pages, its questions by `store`, within a transaction.

    Raises BadDefinitionError.
    """
    former = Survey.objects.filter(pk=survey.pk).first()
    _check_model(survey, "", exclude=("owner",))
    changed: list[str] = []
    if former is None or former.slug != survey.slug:
        changed += _fit_address(survey)
    changed += _fit_schedule(survey)
    _check_questions(definition.questions)
    survey.save()
    questions = unsaved_questions(definition, survey)
    for number, question in enumerate(questions):
        _check_model(question, f"{PREFIX}[{number}]", exclude=("survey",))
    store(questions)
    store_features(definition, survey)
    _save_as_typed(survey)
    for feature in FEATURES.values():
        changed += feature.definition.still_missing(survey)
    return Imported(survey, changed)


# --- rows -----------------------------------------------------------------------------------------


def unsaved_draft(definition: Definition, owner: User) -> Survey:
    """Return the row of the survey itself, unchecked."""
    survey = Survey(owner=owner, slug=definition.address)
    set_values(survey, definition)
    return survey


def set_values(survey: Survey, definition: Definition) -> None:
    """Set all that a definition says of the survey itself, but its address."""
    for name in OF_SURVEY:
        setattr(survey, name, getattr(definition, name))


def unsaved_questions(definition: Definition, survey: Survey) -> list[Question]:
    """Return the rows of the questions, unchecked."""
    questions = [*map(_question, definition.questions)]
    for position, question in enumerate(questions, 1):
        question.survey, question.position = survey, position
    return questions


def store_features(definition: Definition, survey: Survey) -> None:
    """Set what is set for features of a stored survey."""
    _set_features("set_of_survey", survey, definition.features)
    survey.save()


def _question(definition: QuestionDefinition) -> Question:
    values = {name: getattr(definition, name) for name in (*OF_QUESTION, "design")}
    searched = to_json(definition.found_table) if definition.found_table else {}
    question = Question(
        **values,
        help_text=definition.help,
        epsilon_reason=definition.reason,
        options=list(definition.options),
        candidates=list(definition.candidates),
        scale=to_json(definition.scale) if definition.scale else None,
        design_parameters={**definition.settings, **searched},
    )
    _set_features("set_of_question", question, definition.features)
    return question


def _set_features(part: str, holder: Any, features: Any) -> None:
    values = msgspec.structs.asdict(features) if features is not None else {}
    for name, value in values.items():
        if value is not None:
            getattr(FEATURES[name].definition, part)(holder, value)


def _fit_address(survey: Survey) -> Iterator[str]:
    """Take the next free address where this one is taken."""
    taken, survey.slug = survey.slug, free_address(survey.slug)
    if survey.slug != taken:
        message = _("The address “%(taken)s” is taken here. This draft has “%(free)s”.")
        yield message % {"taken": taken, "free": survey.slug}


def _fit_schedule(survey: Survey) -> Iterator[str]:
    """Leave out a schedule that is over."""
    if survey.closes_at is not None and survey.closes_at <= timezone.now():
        survey.opens_at = survey.closes_at = None
        yield _("The times at which it opens and closes have passed: set others, or none.")


# --- the rules ------------------------------------------------------------------------------------


def _check_model(row: Survey | Question, place: str, *, exclude: Iterable[str]) -> None:
    try:
        row.full_clean(exclude=set(exclude), validate_unique=False)
    except ValidationError as error:
        raise BadDefinitionError([*_problems(error.message_dict, place)]) from error


def _problems(errors: Mapping[str, Any], place: str) -> Iterator[Problem]:
    for field, messages in errors.items():
        key = "" if field == NON_FIELD_ERRORS else _KEYS.get(field, field)
        for message in messages:
            yield Problem(".".join(filter(None, (place, key))), str(message))


def _check_questions(questions: Sequence[QuestionDefinition]) -> None:
    """What is not of one question alone, before the database would say it in other words."""
    if problem := too_many_questions(len(questions)):
        raise BadDefinitionError([Problem(PREFIX, problem)])
    problems, names = [], set[str]()
    for number, question in enumerate(questions):
        place = f"{PREFIX}[{number}]"
        if question.name in names:
            message = _("Another question is called “%s” already. Choose another name.")
            problems.append(Problem(f"{place}.name", message % question.name))
        names.add(question.name)
        if question.found_table and (problem := searched_problem(question.found_table)):
            problems.append(Problem(f"{place}.found_table", problem))
    if problems:
        raise BadDefinitionError(problems)


def _save_as_typed(survey: Survey) -> None:
    """Send what is stored through the forms, as somebody who saves an untouched page."""
    survey_form: Any = modelform_factory(Survey, form=SurveyForm, exclude=["owner", "researchers"])
    survey = Survey.objects.get(pk=survey.pk)
    form = survey_form(posted_data(shown_values(survey_form(instance=survey))), instance=survey)
    asked = [_question_form(question) for question in survey.questions.all()]
    problems = [*_problems(form.errors, "")]
    for number, each in enumerate(asked):
        problems += _problems(each.errors, f"{PREFIX}[{number}]")
    for number, field, message in feature_problems([each.instance for each in asked]):
        place = f"{PREFIX}[{number}].{_KEYS.get(field, field)}"
        problems.append(Problem(place, message))
    if problems:
        raise BadDefinitionError(problems)
    form.save()
    for each in asked:
        each.save()


def _question_form(question: Question) -> QuestionForm:
    return QuestionForm(
        posted_data(shown_values(QuestionForm(instance=question))), instance=question
    )
