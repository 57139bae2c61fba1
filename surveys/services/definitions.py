"""A draft made from a definition, by the rules of the pages: what they refuse is refused here."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.forms import BaseForm, inlineformset_factory, modelform_factory
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys.authoring.limits import MAX_QUESTIONS, too_many_questions
from surveys.authoring.workbench.adopting import searched_problem
from surveys.definitions import BadDefinitionError, Definition, Problem, QuestionDefinition
from surveys.definitions.writing import OF_QUESTION, OF_SURVEY
from surveys.features import FEATURES
from surveys.forms.fields.shown_values import shown_values
from surveys.forms.question import MOST_FORMS, QuestionForm, QuestionFormSet
from surveys.forms.survey import SurveyForm
from surveys.models import Question, Survey
from surveys.services.clones import free_slug

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
    """A new draft, and sentences about what could not be taken as it stands."""

    survey: Survey
    changed: list[str]


@transaction.atomic
def import_definition(*, definition: Definition, owner: User) -> Imported:
    """Store a draft of this person; raises BadDefinitionError, and stores nothing then."""
    changed: list[str] = []
    survey = Survey(owner=owner, slug=definition.address)
    for name in OF_SURVEY:
        setattr(survey, name, getattr(definition, name))
    _check_model(survey, "", exclude=("owner",))
    changed += _fit_address(survey)
    changed += _fit_schedule(survey)
    _check_count(definition.questions)
    survey.save()
    questions = [*map(_question, definition.questions)]
    for number, (question, each) in enumerate(zip(questions, definition.questions, strict=True)):
        question.survey, question.position = survey, number + 1
        _set_features("set_of_question", question, each.features)
        _check_model(question, f"{PREFIX}[{number}]", exclude=("survey",))
    _check_names(questions)
    Question.objects.bulk_create(questions)
    _set_features("set_of_survey", survey, definition.features)
    survey.save()
    _save_as_typed(survey)
    return Imported(survey, changed)


def _question(definition: QuestionDefinition) -> Question:
    values = {name: getattr(definition, name) for name in OF_QUESTION}
    searched = msgspec.to_builtins(definition.searched) if definition.searched else {}
    return Question(
        **values,
        help_text=definition.help,
        epsilon_reason=definition.reason,
        options=list(definition.options),
        candidates=list(definition.candidates),
        scale=msgspec.to_builtins(definition.scale),
        design_parameters={**definition.settings, **searched},
    )


def _set_features(part: str, holder: Any, features: Any) -> None:
    values = msgspec.structs.asdict(features) if features is not None else {}
    for name, value in values.items():
        if value is not None:
            getattr(FEATURES[name].definition, part)(holder, value)


def _fit_address(survey: Survey) -> Iterator[str]:
    """Take the next free address where this one is taken."""
    if Survey.objects.filter(slug=survey.slug).exists():
        taken, survey.slug = survey.slug, free_slug(survey.slug)
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


def _check_count(questions: tuple[QuestionDefinition, ...]) -> None:
    if problem := too_many_questions(len(questions)):
        raise BadDefinitionError([Problem(PREFIX, problem)])
    for number, question in enumerate(questions):
        place = f"{PREFIX}[{number}]"
        if question.searched and (problem := searched_problem(question.searched)):
            raise BadDefinitionError([Problem(f"{place}.searched", problem)])


def _check_names(questions: list[Question]) -> None:
    """Name each that is there twice, before the database would."""
    seen: set[str] = set()
    for number, question in enumerate(questions):
        if question.name in seen:
            message = _("Another question is called “%s” already. Choose another name.")
            place = f"{PREFIX}[{number}].name"
            raise BadDefinitionError([Problem(place, message % question.name)])
        seen.add(question.name)


def _save_as_typed(survey: Survey) -> None:
    """Send what is stored through the forms, as somebody who saves an untouched page."""
    survey_form: Any = modelform_factory(Survey, form=SurveyForm, exclude=["owner", "researchers"])
    formset: Any = inlineformset_factory(
        Survey,
        Question,
        form=QuestionForm,
        formset=QuestionFormSet,
        fields=QuestionForm.Meta.fields,
        extra=0,
        max_num=MAX_QUESTIONS,
        absolute_max=MOST_FORMS,
    )
    survey = Survey.objects.get(pk=survey.pk)
    data = _data(survey_form(instance=survey), formset(instance=survey, prefix=PREFIX))
    form = survey_form(data, instance=survey)
    form_is_valid = form.is_valid()
    questions = formset(data, instance=survey, prefix=PREFIX)
    if not (questions.is_valid() and form_is_valid):
        raise BadDefinitionError([*_form_problems(form, questions)])
    form.save()
    form.store_features(in_rows=True)
    questions.save()


def _data(form: BaseForm, formset: Any) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, texts in shown_values(form).items():
        data.setlist(name, list(texts))
    data[f"{PREFIX}-TOTAL_FORMS"] = data[f"{PREFIX}-INITIAL_FORMS"] = str(len(formset.forms))
    for each in formset.forms:
        data[f"{each.prefix}-id"] = str(each.instance.pk)
        for name, texts in shown_values(each).items():
            data.setlist(f"{each.prefix}-{name}", list(texts))
    return data


def _form_problems(form: BaseForm, questions: Any) -> Iterator[Problem]:
    yield from _problems(form.errors, "")
    for message in questions.non_form_errors():
        yield Problem(PREFIX, str(message))
    for number, each in enumerate(questions.forms):
        yield from _problems(each.errors, f"{PREFIX}[{number}]")
