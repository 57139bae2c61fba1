"""Responses that arrive, and the reports that are kept.

A submission waits in the inbox under the id that its browser drew. A worker takes a random batch,
adds it to the tallies and writes the reports again under random keys. Then the id stays only in
`Receipt`, which has no reports: a retry finds its receipt, and nobody can find the person.
"""

from django.db import models

from surveys.models.launch import Launch


class Receipt(models.Model):
    """A submission id that was accepted once, without the reports and the time.

    Its key is random like that of a report set: beside a UUID as the key, SQLite would
    count the rows as they come in.
    """

    id = models.BigAutoField(primary_key=True, editable=False)
    submission = models.UUIDField(unique=True, editable=False)
    launch = models.ForeignKey(
        Launch, on_delete=models.CASCADE, related_name="receipts", db_index=False
    )

    def __str__(self) -> str:
        return str(self.submission)


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def waiting(self) -> "SubmissionQuerySet":
        return self.filter(quarantined=False)


class Submission(models.Model):
    """A response that waits in the inbox: {"reports": {device: code}, "strata": {device: name}}."""

    id = models.UUIDField(primary_key=True, editable=False)
    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="inbox")
    content = models.JSONField()
    # Valid on arrival, invalid at aggregation: something wrote to the
    # table outside the application. The row is kept for the operator and does not delay others.
    quarantined = models.BooleanField(default=False)

    objects = SubmissionQuerySet.as_manager()

    def __str__(self) -> str:
        return str(self.id)


class ReportSet(models.Model):
    """Reports that are kept together: one person's, or a single one where answers are kept apart.

    The key is random, so that neither it nor SQLite's row order tells the order of arrival.
    """

    # Always set at random. Of Django's 64-bit fields only this one becomes SQLite's own
    # rowid; beside any other there is a hidden one that counts up as rows come in.
    id = models.BigAutoField(primary_key=True, editable=False)
    # PostgreSQL has an index, by the first migration. SQLite would order it by the random key: a
    # batch would touch as many pages of it as of the table; a launch is read by a scan instead.
    launch = models.ForeignKey(
        Launch, on_delete=models.CASCADE, related_name="report_sets", db_index=False
    )
    content = models.JSONField()

    def __str__(self) -> str:
        return str(self.id)
