"""The history of a draft: noted when somebody changes it, and an earlier version brought back."""

import hashlib
from collections.abc import Container
from datetime import timedelta
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys.authoring.draft_merge import is_unfinished
from surveys.definitions import Definition, definition_from, definition_of, written
from surveys.exceptions import ChangedMeanwhileError
from surveys.features import FEATURES
from surveys.models import Question, Revision, Survey
from surveys.parameters import to_json
from surveys.services.definitions import (
    Imported,
    set_values,
    store_checked,
    store_features,
    unsaved_questions,
)
from surveys.services.editing import keep_removed
from surveys.services.transitions import lock_draft

# What one person changes within this time is one version.
ONE_VERSION = timedelta(minutes=10)
# More are the oldest ones, which are dropped.
MOST_KEPT = 200


@transaction.atomic
def note_revision(*, survey: Survey, actor: User | None, apart: bool = False) -> None:
    """Keep what a draft is now, if it is another than it was.

    `apart`: as a version of its own, whoever made the last one.
    """
    stored = Survey.objects.filter(pk=survey.pk, state=Survey.State.DRAFT).first()
    if stored is None:
        return
    survey = stored
    content, now = to_json(definition_of(survey)), timezone.now()
    last = survey.revisions.order_by("pk").last()
    if last is not None and last.content == content:
        return
    if last is not None and not apart and _continues(last, actor):
        last.content, last.changed_at = content, now
        last.save(update_fields=["content", "changed_at"])
        return
    Revision.objects.create(
        survey=survey, actor=actor, begun_at=now, changed_at=now, content=content
    )
    kept = survey.revisions.order_by("-pk").values_list("pk", flat=True)[:MOST_KEPT]
    survey.revisions.filter(pk__lt=min(kept)).delete()


def _continues(last: Revision, actor: User | None) -> bool:
    """Whether a change belongs to the last version. The first one is what the draft began as."""
    if actor is None or last.actor_id != actor.pk:
        return False
    is_first = not last.survey.revisions.filter(pk__lt=last.pk).exists()
    return not is_first and timezone.now() - last.begun_at < ONE_VERSION


@transaction.atomic
def bring_back(*, revision: Revision, actor: User) -> None:
    """Make a draft what it was; questions that are in both keep their rows, and so their searches.

    Its address stays, because it is nothing of the content and may be taken by now. A version has
    what was right of a draft: a question that is not finished is kept with those that were removed.
    """
    refusal = _("Only a draft can be changed back. Clone the survey instead.")
    survey = lock_draft(revision.survey, refusal)
    note_revision(survey=survey, actor=actor)
    definition = definition_from(revision.content)
    for question in survey.questions.all():
        if is_unfinished(question.typed):
            keep_removed(question)
    set_values(survey, definition)
    survey.features, survey.typed = {}, None
    survey.save()
    _replace_questions(survey, unsaved_questions(definition, survey))
    store_features(definition, survey)
    note_revision(survey=survey, actor=actor, apart=True)


@transaction.atomic
def replace_definition(
    *, survey: Survey, definition: Definition, expected: Container[str] | None, actor: User
) -> Imported:
    """Make a draft what a definition says, by the rules of the pages, as a version of its own.

    `expected`: the versions (`version_of`) that it may replace; None: any. Questions of the same
    name keep their rows. Raises BadDefinitionError and ChangedMeanwhileError, and stores nothing
    then.
    """
    survey = lock_draft(survey, _("The survey is launched, so its definition stays as it is."))
    if expected is not None and version_of(survey) not in expected:
        raise ChangedMeanwhileError(_("The draft was changed meanwhile. Read it again, then send."))
    note_revision(survey=survey, actor=None)
    for question in survey.questions.all():
        if is_unfinished(question.typed):
            keep_removed(question)
    set_values(survey, definition)
    survey.slug, survey.features, survey.typed = definition.address, {}, None
    _drop_rows(survey, definition)
    imported = store_checked(survey, definition, partial(_replace_questions, survey))
    note_revision(survey=survey, actor=actor, apart=True)
    return imported


def _drop_rows(survey: Survey, definition: Definition) -> None:
    """Take away what features keep in rows of their own and the definition does not have."""
    for name, feature in FEATURES.items():
        there = feature.definition.of_survey(survey)
        if isinstance(there, tuple) and getattr(definition.features, name, None) is None:
            feature.definition.set_of_survey(survey, ())


def version_of(survey: Survey) -> str:
    """Return what changes exactly when the definition of a survey does."""
    return hashlib.sha256(written(definition_of(survey))).hexdigest()[:32]


def _replace_questions(survey: Survey, questions: list[Question]) -> None:
    rows = {question.name: question.pk for question in survey.questions.all()}
    survey.questions.exclude(name__in=[question.name for question in questions]).delete()
    for question in questions:
        question.pk = rows.get(question.name)
    Question.objects.bulk_create(question for question in questions if question.pk is None)
    for question in questions:
        question.save()
