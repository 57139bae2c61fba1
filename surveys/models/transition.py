"""A change of a survey's state: who made it, and when."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey


class Transition(models.Model):
    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="transitions")
    source = models.CharField(max_length=8)
    target = models.CharField(max_length=8)
    # None: closed by the schedule.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.survey_id}: {self.source} → {self.target}"
