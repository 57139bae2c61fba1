"""The lists of texts that a question's results look for: each list that there ever was."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey


class Candidates(models.Model):
    """One list of candidates of a question that takes a text; the newest one counts.

    Lists are kept, so that researchers can compute again what was published. They are no part of
    the parameters: a list may be written after the answers came in, as respondents never see it.
    """

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="candidates")
    question = models.CharField(max_length=32)
    # From 1, for each question.
    number = models.PositiveIntegerField()
    texts = models.JSONField()
    # None: an account that was deleted.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    changed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("list of candidates")
        verbose_name_plural = _("lists of candidates")
        ordering = ["question", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["survey", "question", "number"], name="candidates_numbered_by_question"
            )
        ]

    def __str__(self) -> str:
        return f"{self.survey_id} {self.question} {self.number}"
