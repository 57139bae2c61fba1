"""The latest estimates of a launch, a pure function of its parameters and tallies."""

from django.db import models

from surveys.models.launch import Launch


class Result(models.Model):
    launch = models.OneToOneField(Launch, on_delete=models.CASCADE, related_name="result")
    # Responses that these numbers rest on; the result is behind while launch.folded is larger.
    responses = models.PositiveBigIntegerField(default=0)
    content = models.JSONField()
    figures = models.JSONField(default=dict)
    computed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.launch_id}: {self.responses}"
