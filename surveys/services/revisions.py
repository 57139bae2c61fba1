"""The history of a draft: noted when somebody changes it, and an earlier version brought back."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys.definitions import Definition, definition_from, definition_of
from surveys.models import Question, Revision, Survey
from surveys.parameters import to_json
from surveys.services.definitions import set_values, store_features, unsaved_questions
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

    Its address stays, because it is nothing of the content and may be taken by now.
    """
    refusal = _("Only a draft can be changed back. Clone the survey instead.")
    survey = lock_draft(revision.survey, refusal)
    note_revision(survey=survey, actor=actor)
    definition = definition_from(revision.content)
    set_values(survey, definition)
    survey.features, survey.typed = {}, None
    survey.save()
    _replace_questions(survey, definition)
    store_features(definition, survey)
    note_revision(survey=survey, actor=actor, apart=True)


def _replace_questions(survey: Survey, definition: Definition) -> None:
    rows = {question.name: question.pk for question in survey.questions.all()}
    questions = unsaved_questions(definition, survey)
    survey.questions.exclude(name__in=[question.name for question in questions]).delete()
    for question in questions:
        question.pk = rows.get(question.name)
    Question.objects.bulk_create(question for question in questions if question.pk is None)
    for question in questions:
        question.save()
