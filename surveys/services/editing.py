"""What an author does with the questions of a draft: add, copy, move, remove, put back."""

from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core import serializers
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.authoring.addresses import proposed_address
from surveys.authoring.checks.survey import untitled
from surveys.authoring.draft_merge import Prints, Values
from surveys.authoring.limits import too_many_questions
from surveys.drafts import Draft
from surveys.exceptions import NotReadyError
from surveys.features import Mode
from surveys.forms.edited_question import question_sheet, usual_design
from surveys.forms.question import STARTS, free_name
from surveys.forms.sheets import Saved, Sheet, typed_texts
from surveys.kinds import KINDS
from surveys.models import Question, RemovedQuestion, Survey
from surveys.services.transitions import lock_draft


class RemovedMeanwhileError(Exception):
    """A question that somebody has removed while it was edited; what was typed is kept."""

    def __init__(self, removed: RemovedQuestion) -> None:
        super().__init__()
        self.removed = removed


USUAL_EPSILON = "1"
# Removed questions that are kept; more are the oldest ones.
MOST_REMOVED = 50


def start_survey(*, owner: User, language: str) -> Survey:
    """Return a new draft without questions, in a language that respondents may read."""
    known = dict(settings.LANGUAGES)
    title = untitled()
    return Survey.objects.create(
        owner=owner,
        title=title,
        slug=proposed_address(title),
        language=language if language in known else settings.LANGUAGE_CODE,
    )


@transaction.atomic
def use_mode(*, survey: Survey, mode: Mode) -> list[str]:
    """Tell respondents apart in this way; return what else had to be set for it, in words."""
    survey = lock_edited(survey)
    words = implied_by_mode(survey)
    survey.mode, survey.linkage = mode.value, Survey.Linkage.TOGETHER
    survey.save(update_fields=["mode", "linkage"])
    return words


def implied_by_mode(survey: Survey) -> list[str]:
    """Return what telling respondents apart sets too."""
    if survey.linkage == Survey.Linkage.TOGETHER:
        return []
    return [_("The answers of one person are kept together, which it needs.")]


def lock_edited(survey: Survey) -> Survey:
    """Lock a draft while it is changed; raises WrongStateError once it is launched."""
    return lock_draft(survey, _("The survey was launched meanwhile: its questions are frozen."))


@transaction.atomic
def add_question(*, survey: Survey, kind: str) -> Question:
    """Append a sensitive question of this kind, without a text yet."""
    survey = lock_edited(survey)
    asked = _in_order(survey)
    _refuse_too_many(len(asked) + 1)
    question = Question(
        survey=survey,
        kind=kind,
        name=_next_name(asked),
        position=len(asked) + 1,
        epsilon=USUAL_EPSILON,
        **STARTS[True],
    )
    if not KINDS[kind].refusable:
        question.prefer_not = False
    question.design = usual_design(Draft.of(question)) or question.design
    question.save()
    return question


@transaction.atomic
def duplicate_question(*, survey: Survey, question_id: int) -> Question:
    """Add a copy after its original, with the next free name; raises Question.DoesNotExist."""
    survey = lock_edited(survey)
    asked = _in_order(survey)
    _refuse_too_many(len(asked) + 1)
    original = survey.questions.get(pk=question_id)
    names = {question.name for question in asked}
    copy = survey.questions.get(pk=question_id)
    copy.pk, copy.name = None, free_name(original.name, names)
    copy._state.adding = True
    texts = typed_texts(original)
    copy.typed = {"texts": {**texts, "name": [copy.name]}} if texts else None
    copy.save()
    place = asked.index(original) + 1
    _number([*asked[:place], copy, *asked[place:]])
    return copy


@transaction.atomic
def move_question(*, survey: Survey, question_id: int, after: int | None) -> None:
    """Put a question after another one, or first; raises Question.DoesNotExist.

    Every other two questions keep their order, so that moves on two pages do not undo each other.
    """
    survey = lock_edited(survey)
    moved = survey.questions.get(pk=question_id)
    others = [each for each in _in_order(survey) if each != moved]
    place = 0
    if after is not None:
        place = others.index(survey.questions.exclude(pk=moved.pk).get(pk=after)) + 1
    _number([*others[:place], moved, *others[place:]])


@transaction.atomic
def remove_question(*, survey: Survey, question_id: int) -> RemovedQuestion:
    """Take a question out, and keep it to be put back; raises Question.DoesNotExist."""
    survey = lock_edited(survey)
    question = survey.questions.get(pk=question_id)
    removed = keep_removed(question)
    question.delete()
    _number(_in_order(survey))
    _finish_others(survey, question_id)
    oldest = survey.removed_questions.values_list("pk", flat=True)[MOST_REMOVED:]
    survey.removed_questions.filter(pk__in=list(oldest)).delete()
    return removed


def keep_removed(question: Question) -> RemovedQuestion:
    """Keep a question as it is, to be put back."""
    (row,) = serializers.serialize("python", [question])
    return RemovedQuestion.objects.create(
        survey=question.survey, text=shown_text(question), content=_plain(row)
    )


def save_question(
    *, survey: Survey, question_id: int, posted: Values, loaded: Prints, by: str
) -> Saved:
    """Save one question as its page has it; raises Question.DoesNotExist.

    What is typed into a question that was removed meanwhile is kept with it, and
    RemovedMeanwhileError is raised.
    """
    saved = _save_or_keep(survey, question_id, posted, loaded, by)
    if isinstance(saved, RemovedQuestion):
        # Outside the transaction, which would take back what was kept.
        raise RemovedMeanwhileError(saved)
    return saved


@transaction.atomic
def _save_or_keep(
    survey: Survey, question_id: int, posted: Values, loaded: Prints, by: str
) -> Saved | RemovedQuestion:
    survey = lock_edited(survey)
    question = survey.questions.filter(pk=question_id).first()
    if question is not None:
        saved = question_sheet(question).save(posted, loaded, by=by)
        _finish_others(survey, question_id)
        return saved
    removed = survey.removed_questions.filter(content__pk=question_id).first()
    if removed is None:
        raise Question.DoesNotExist
    _type_into(removed, posted)
    return removed


@transaction.atomic
def save_settings(
    *,
    survey: Survey,
    sheet_of: Callable[[Survey], Sheet],
    posted: Values,
    loaded: Prints,
    by: str,
) -> tuple[Saved, Sheet]:
    """Save the settings as a page has them: of a draft, or what may change later too."""
    sheet = sheet_of(Survey.objects.select_for_update().get(pk=survey.pk))
    saved = sheet.save(posted, loaded, by=by)
    return saved, sheet_of(Survey.objects.get(pk=survey.pk))


@transaction.atomic
def choose_setting(
    *, survey: Survey, sheet_of: Callable[[Survey], Sheet], field: str, choice: str
) -> None:
    """Settle which version of a setting stays."""
    sheet_of(Survey.objects.select_for_update().get(pk=survey.pk)).choose(field, choice)


@transaction.atomic
def choose_version(*, survey: Survey, question_id: int, field: str, choice: str) -> None:
    """Settle which version of a field stays; raises Question.DoesNotExist."""
    survey = lock_edited(survey)
    question_sheet(survey.questions.get(pk=question_id)).choose(field, choice)


def _finish_others(survey: Survey, question_id: int) -> None:
    """Store what was typed into other questions and is right now, as a name that is free again."""
    for question in survey.questions.filter(typed__isnull=False).exclude(pk=question_id):
        if typed_texts(question):
            question_sheet(question).save({}, {}, by="")


def _type_into(removed: RemovedQuestion, posted: Values) -> None:
    question = _row_of(removed)
    texts = {**question_sheet(question).texts(), **posted}
    content = removed.content
    typed = {**(content["fields"]["typed"] or {}), "texts": {k: list(v) for k, v in texts.items()}}
    removed.content = {**content, "fields": {**content["fields"], "typed": typed}}
    removed.text = " ".join(" ".join(texts.get("text", ())).split())
    removed.save(update_fields=["content", "text"])


@transaction.atomic
def put_back(*, survey: Survey, removed_id: int) -> Question:
    """Put a removed question where it was, under a free name; raises DoesNotExist for another."""
    survey = lock_edited(survey)
    removed = survey.removed_questions.get(pk=removed_id)
    asked = _in_order(survey)
    _refuse_too_many(len(asked) + 1)
    question = _row_of(removed)
    question.name = free_name(question.name, {each.name for each in asked})
    if Question.objects.filter(pk=question.pk).exists():
        # It is there again as an earlier version has it.
        question.pk = None
    question.save(force_insert=True)
    place = min(question.position - 1, len(asked))
    _number([*asked[:place], question, *asked[place:]])
    removed.delete()
    question.refresh_from_db()
    # What was typed meanwhile may be all right.
    question_sheet(question).save({}, {}, by="")
    return question


def _row_of(removed: RemovedQuestion) -> Question:
    """Return the row of a removed question, which is not stored."""
    (restored,) = serializers.deserialize("python", [removed.content])
    question: Any = restored.object
    question.survey = removed.survey
    return question


def shown_text(question: Question) -> str:
    """Return the text of a question as its author has typed it, in one line."""
    typed = (question.typed or {}).get("texts", {}).get("text") or [question.text]
    return " ".join(" ".join(typed).split())


def _in_order(survey: Survey) -> list[Question]:
    return list(survey.questions.order_by("position", "pk"))


def _number(questions: Sequence[Question]) -> None:
    """Number the questions in this order; those that keep their places are not written."""
    for position, question in enumerate(questions, 1):
        if question.position != position:
            Question.objects.filter(pk=question.pk).update(position=position)


def _next_name(asked: Sequence[Question]) -> str:
    """The first of q1, q2, ... that no question has."""
    taken = {question.name for question in asked}
    return next(name for number in range(1, len(taken) + 2) if (name := f"q{number}") not in taken)


def _refuse_too_many(count: int) -> None:
    if problem := too_many_questions(count):
        raise NotReadyError([problem])


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as plain JSON: a decimal as its text."""
    fields = row["fields"]
    epsilon = fields["epsilon"]
    return {**row, "fields": {**fields, "epsilon": None if epsilon is None else str(epsilon)}}
