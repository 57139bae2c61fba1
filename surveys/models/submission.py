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
    count the rows as they come in. PostgreSQL has no index of it, as nobody looks for one, and one
    of launches instead (docs/decisions/0109).
    """

    # Its rows come with responses, so that they may be many: a worker removes them in slices.
    comes_with_responses = True

    id = models.BigAutoField(primary_key=True, editable=False)
    submission = models.UUIDField(unique=True, editable=False)
    launch = models.ForeignKey(
        Launch, on_delete=models.CASCADE, related_name="receipts", db_index=False
    )

    def __str__(self) -> str:
        return str(self.submission)


class DroppedReceipts(models.Model):
    """How many receipts of a launch were deleted, long after its close.

    A table of its own: a new column of the launch would have SQLite make the table of what is
    frozen anew, without its triggers.
    """

    launch = models.OneToOneField(
        Launch, primary_key=True, on_delete=models.CASCADE, related_name="dropped_receipts"
    )
    number = models.PositiveBigIntegerField(default=0)
    # Whether none is left.
    complete = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.launch_id}: {self.number}"


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def waiting(self) -> "SubmissionQuerySet":
        return self.filter(quarantined=False)


class Submission(models.Model):
    """A response that waits in the inbox: {"reports": {device: code}, "strata": {device: name}}."""

    comes_with_responses = True

    id = models.UUIDField(primary_key=True, editable=False)
    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="inbox")
    content = models.JSONField()
    # Valid on arrival, invalid at aggregation: something wrote to the
    # table outside the application. The row is kept for the operator and does not delay others.
    quarantined = models.BooleanField(default=False)
    # The sender, where people come back, and the earlier wave whose reports it replaces.
    respondent = models.ForeignKey(
        "surveys.Respondent",
        null=True,
        on_delete=models.CASCADE,
        related_name="waiting",
        db_index=False,
    )
    replaces = models.ForeignKey(
        Launch, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        # Most surveys have no respondents: their rows are in no index.
        indexes = [
            models.Index(
                fields=["respondent"],
                condition=models.Q(respondent__isnull=False),
                name="submission_by_respondent",
            )
        ]

    def __str__(self) -> str:
        return str(self.id)


class ReportSet(models.Model):
    """Reports that are kept together: one person's, or a single one where answers are kept apart.

    The key is random, so that neither it nor SQLite's row order tells the order of arrival. Of
    several versions there is a report set of each person for each step, with that step's codes
    only, and nothing that joins them.
    """

    comes_with_responses = True

    # Always set at random. Of Django's 64-bit fields only this one becomes SQLite's own
    # rowid; beside any other there is a hidden one that counts up as rows come in.
    id = models.BigAutoField(primary_key=True, editable=False)
    # PostgreSQL has an index, by the first migration. SQLite would order it by the random key: a
    # batch would touch as many pages of it as of the table; a launch is read by a scan instead.
    launch = models.ForeignKey(
        Launch, on_delete=models.CASCADE, related_name="report_sets", db_index=False
    )
    step = models.PositiveSmallIntegerField(default=0)
    content = models.JSONField()
    # The devices that were reported to, where the answers of a person are kept together and not all
    # questions were answered on the page (`surveys.responses.patterns`). So the index is of few
    # rows.
    pattern = models.TextField(null=True, editable=False)
    # Whoever comes back has one report set: that of the last wave that they answered.
    respondent = models.ForeignKey(
        "surveys.Respondent",
        null=True,
        on_delete=models.CASCADE,
        related_name="report_sets",
        db_index=False,
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["respondent"],
                condition=models.Q(respondent__isnull=False),
                name="report_set_once_per_respondent",
            )
        ]
        indexes = [
            models.Index(
                fields=["launch", "step", "pattern"],
                condition=models.Q(pattern__isnull=False),
                name="report_set_by_pattern",
            )
        ]

    def __str__(self) -> str:
        return str(self.id)
