"""A comment of a co-author on a question, or on a survey as a whole."""

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from surveys.models.question import Question
from surveys.models.survey import Survey

MOST_CHARACTERS = 2000


class CommentQuerySet(QuerySet["Comment"]):
    def unresolved(self) -> "CommentQuerySet":
        return self.filter(resolved_at__isnull=True)


class Comment(models.Model):
    """`question_name`: that of its question when it was written; "" on the survey as a whole.

    The name stays when the question is removed, so that the comment still says what it is about.
    """

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="comments")
    question = models.ForeignKey(
        Question, null=True, on_delete=models.SET_NULL, related_name="comments"
    )
    question_name = models.CharField(max_length=32, blank=True)
    # None: an account that was deleted.
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    text = models.TextField(max_length=MOST_CHARACTERS)
    created_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True)

    objects = CommentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("comment")
        verbose_name_plural = _("comments")
        constraints = [
            models.CheckConstraint(name="comment_not_empty", condition=~Q(text="")),
        ]

    def __str__(self) -> str:
        return f"{self.survey_id}: {self.text[:40]}"
