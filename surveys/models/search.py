"""A search for the best device of one question: what was asked, how far it is, what it found."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys.models.question import Question


class DesignSearchQuerySet(models.QuerySet["DesignSearch"]):
    def without_content(self, *methods: str) -> "DesignSearchQuerySet":
        """For lists: a content may be a megabyte. `area_...` is that of each method's front."""
        areas = {f"area_{name}": F(f"content__fronts__{name}__hypervolume") for name in methods}
        return self.defer("content").annotate(**areas)


class DesignSearch(models.Model):
    class State(models.TextChoices):
        QUEUED = "queued", _("waiting for a worker")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")
        LOST = "lost", _("lost with its worker")

    UNFINISHED = (State.QUEUED, State.RUNNING)

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="searches")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    # Prior, bounds and methods as the search takes them; the same request gives the same content.
    request = models.JSONField()
    # Curves, bound and fronts so far; written by `surveys.engine_bridge.searching` alone.
    content = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=State, default=State.QUEUED)
    progress = models.FloatField(default=0)
    # Whoever runs it writes only while this is its own number: a worker that was thought lost and
    # comes back finds itself replaced.
    attempt = models.PositiveSmallIntegerField(default=0)
    stop_requested = models.BooleanField(default=False)
    message = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    # The last sign of life of the worker.
    seen_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = DesignSearchQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("design search")
        verbose_name_plural = _("design searches")
        constraints = [
            models.CheckConstraint(
                name="search_progress_is_a_share", condition=Q(progress__gte=0, progress__lte=1)
            ),
            models.UniqueConstraint(
                name="one_unfinished_search_per_question",
                fields=["question"],
                condition=Q(state__in=["queued", "running"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question_id}: {self.state} {self.progress}"

    @property
    def finished(self) -> bool:
        return self.state not in self.UNFINISHED

    @property
    def said(self) -> str:
        """The message in the reader's language."""
        return gettext(self.message) if self.message else ""
