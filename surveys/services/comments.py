"""Comments on a survey and its questions: added, resolved, reopened and removed."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys.exceptions import CollaborationError
from surveys.models import Comment, Survey

# A survey with more is discussed elsewhere; pages show all of them.
MOST_COMMENTS = 1000


@transaction.atomic
def add_comment(*, survey: Survey, question_id: int | None, author: User, text: str) -> Comment:
    """Add a comment on a question, or on the survey as a whole.

    Raises CollaborationError for a question that has been removed meanwhile.
    """
    # Whoever saves the draft locks the survey too, so no question is removed in between.
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if survey.comments.count() >= MOST_COMMENTS:
        raise CollaborationError(_("There are %s comments already.") % MOST_COMMENTS)
    question = None
    if question_id is not None:
        question = survey.questions.filter(pk=question_id).first()
        if question is None:
            message = _("The question has been removed meanwhile. Comment on the survey instead.")
            raise CollaborationError(message)
    name = question.name if question else ""
    return Comment.objects.create(
        survey=survey, question=question, question_name=name, author=author, text=text
    )


def set_resolved(*, survey: Survey, comment_id: int, resolved: bool) -> None:
    """Mark a comment as done, or as open again; the first time counts.

    Raises CollaborationError for a comment that has been removed.
    """
    comments = survey.comments.filter(pk=comment_id)
    if not comments.exists():
        raise CollaborationError(_gone())
    moment = timezone.now() if resolved else None
    comments.filter(resolved_at__isnull=resolved).update(resolved_at=moment)


def remove_comment(*, survey: Survey, comment_id: int, author: User) -> None:
    """Remove a comment of one's own; raises CollaborationError for those of others."""
    comment = survey.comments.filter(pk=comment_id).first()
    if comment is None:
        raise CollaborationError(_gone())
    if comment.author_id != author.pk:
        raise CollaborationError(_("Only who wrote a comment can remove it."))
    comment.delete()


def comments_by_question(survey: Survey) -> tuple[dict[int, list[Comment]], list[Comment]]:
    """Return the comments by the ids of the questions that there are, and all others.

    A question that was removed and came back, as with an earlier version, has its comments again.
    """
    names: dict[str, int] = dict(survey.questions.values_list("name", "pk"))
    by_question: dict[int, list[Comment]] = {pk: [] for pk in names.values()}
    others: list[Comment] = []
    for comment in survey.comments.select_related("author"):
        key = comment.question_id or names.get(comment.question_name)
        (others if key is None else by_question.setdefault(key, [])).append(comment)
    return by_question, others


def _gone() -> str:
    return _("The comment has been removed meanwhile.")
