"""Counts of the reports of a device in one stratum, which suffice for an estimate."""

from django.db import models

from surveys.models.launch import Launch


class Tally(models.Model):
    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="tallies")
    # The step whose readers see the reports in this form, from 0, the lowest.
    step = models.PositiveSmallIntegerField(default=0)
    # A device's id, or those of a declared combination of devices with commas between them; the
    # stratum likewise. Counts of a combination are flat, the last device running fastest.
    table = models.CharField(max_length=200)
    stratum = models.CharField(max_length=100)
    # As the report space stores them (`surveys.responses.spaces`).
    counts = models.JSONField()

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(
                fields=["launch", "step", "table", "stratum"],
                name="tally_once_per_table_and_stratum",
            )
        ]

    def __str__(self) -> str:
        return f"{self.launch_id} {self.table}/{self.stratum}"
