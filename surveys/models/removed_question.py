"""A question that was taken out of a draft, kept so that it can be put back."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey


class RemovedQuestion(models.Model):
    """`content`: its row as plain JSON, with its key and its place."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="removed_questions")
    text = models.TextField()
    content = models.JSONField()
    removed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-removed_at", "-pk"]
        verbose_name = _("removed question")
        verbose_name_plural = _("removed questions")

    def __str__(self) -> str:
        return self.text[:60]
