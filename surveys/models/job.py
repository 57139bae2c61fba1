"""Jobs: their state, and the lease of the worker that runs them."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """Written by `surveys.jobs` alone. A kind with data of its own extends this model.

    No field reveals when a respondent came: a standing job has times only while it runs.
    """

    class State(models.TextChoices):
        # The state of a standing job between runs.
        IDLE = "idle", _("nothing to do")
        QUEUED = "queued", _("waiting for a worker")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")
        LOST = "lost", _("lost with its worker")

    UNFINISHED = (State.IDLE, State.QUEUED, State.RUNNING)

    # The name of a `surveys.jobs.JobKind`, and the key of the row that the job is about.
    kind = models.CharField(max_length=32)
    subject = models.BigIntegerField()
    state = models.CharField(max_length=16, choices=State, default=State.QUEUED)
    progress = models.FloatField(default=0)
    # The number of starts since the request, or since the last end of a standing job.
    attempt = models.PositiveIntegerField(default=0)
    stop_requested = models.BooleanField(default=False)
    # In English; translated where it is shown (`message_text`).
    message = models.TextField(blank=True, default="")
    # The lease: a random number that only its worker knows, good until then.
    holder = models.BigIntegerField(null=True)
    leased_until = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="job_progress_is_a_share", condition=Q(progress__gte=0, progress__lte=1)
            ),
            models.CheckConstraint(
                name="job_has_a_lease_while_it_runs",
                condition=Q(state="running", holder__isnull=False, leased_until__isnull=False)
                | (~Q(state="running") & Q(holder__isnull=True, leased_until__isnull=True)),
            ),
            models.UniqueConstraint(
                name="one_unfinished_job_per_kind_and_subject",
                fields=["kind", "subject"],
                condition=Q(state__in=["idle", "queued", "running"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}: {self.state} {self.progress}"

    @property
    def is_finished(self) -> bool:
        return self.state not in self.UNFINISHED

    @property
    def message_text(self) -> str:
        """The message in the reader's language."""
        return gettext(self.message) if self.message else ""
