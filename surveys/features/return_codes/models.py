"""People who can come back: whoever keeps a return code, and the waves that they answered.

Only a keyed hash of a code is stored. Nothing but a code leads from a person to these rows, so a
lost code cannot be recovered, and no row tells which code it belongs to.
"""

from django.db import models

from surveys.models.launch import Launch
from surveys.models.survey import Survey


class Respondent(models.Model):
    """The keys are random, so that they do not tell the order in which people came."""

    comes_with_responses = True

    id = models.BigAutoField(primary_key=True, editable=False)
    survey = models.ForeignKey(
        Survey, on_delete=models.CASCADE, related_name="respondents", db_index=False
    )
    code_hash = models.CharField(max_length=64, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["survey", "code_hash"], name="respondent_once_per_survey_and_code"
            )
        ]

    def __str__(self) -> str:
        return str(self.id)


class Participation(models.Model):
    """An entry of the ledger: a wave that somebody answered, and what it may reveal by then.

    `epsilon` is what all waves so far may reveal about this person, not this wave alone.
    """

    comes_with_responses = True

    id = models.BigAutoField(primary_key=True, editable=False)
    respondent = models.ForeignKey(
        Respondent, on_delete=models.CASCADE, related_name="participations", db_index=False
    )
    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="participations")
    epsilon = models.DecimalField(max_digits=20, decimal_places=12)
    # The ids of the devices that they reported to.
    devices = models.JSONField(default=list)

    class Meta:
        constraints = [
            # Two tabs or two devices that answer at once: the database lets one of them through.
            models.UniqueConstraint(
                fields=["respondent", "launch"], name="participation_once_per_wave"
            )
        ]

    def __str__(self) -> str:
        return f"{self.respondent_id} {self.launch_id}"
