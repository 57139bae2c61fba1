"""How strongly the questions of a pilot depend on each other: a job, and what it found."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.engine_words import refusal_words
from surveys.models.job import Job
from surveys.models.launch import Launch


class DependenceRun(Job):
    """One estimate of all pairs; a later one, with more responses, is another row."""

    KIND = "dependence"

    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="dependence_runs")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # The inputs of the job: the digest of the parameters, the revision of the tallies, and how many
    # responses were in them. Known once a worker has begun.
    digest = models.CharField(max_length=71)
    revision = models.PositiveBigIntegerField(default=0)
    responses = models.PositiveBigIntegerField(default=0)
    # Empty until it is done; `dependence.py` writes and reads it.
    content = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("estimate of dependence")
        verbose_name_plural = _("estimates of dependence")

    @property
    def message_text(self) -> str:
        """The message in the reader's language."""
        return refusal_words(self.message)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.kind, self.subject = self.KIND, self.launch_id
        super().save(*args, **kwargs)
