"""Fits of analyses: a model of one answer given others, fitted to a release by a worker."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from surveys.models.launch import Launch


class ReleaseFit(models.Model):
    """Something that a worker computes from the reports of a release, and again from a later one.

    `content` and `refusal` are of the release that `digest`, `revision` and `responses` name; they
    are empty until a worker has come to it. `failed`: the revision at which the last attempt broke
    down, 0 after one that did not; what an earlier one has found stays.
    """

    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="+")
    step = models.PositiveSmallIntegerField(default=0)
    # The revision of the release that somebody asked for; what was declared follows the releases
    # by itself.
    asked = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=71, blank=True, default="")
    revision = models.PositiveBigIntegerField(default=0)
    failed = models.PositiveBigIntegerField(default=0)
    responses = models.PositiveBigIntegerField(default=0)
    content = models.JSONField(default=dict)
    refusal = models.TextField(blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_waiting(self) -> bool:
        """Whether a worker has not come to it yet, for the first time or again."""
        return not self.failed and (not self.revision or self.asked > self.revision)


class WeightedShares(ReleaseFit):
    """The shares of all questions, weighted to the margins that a launch declares."""

    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="weighted_shares")

    class Meta:
        verbose_name = _("weighted shares")
        verbose_name_plural = _("weighted shares")
        constraints = [
            models.UniqueConstraint(
                fields=["launch", "step"], name="weighted_shares_once_per_launch"
            )
        ]

    def __str__(self) -> str:
        return f"{self.launch} weighted"


class AnalysisFit(ReleaseFit):
    """One analysis of a launch at one step; a later release is fitted into the same row.

    `number` names its address, which stays. `declared`: its place among those that the launch
    declares; None for one that was asked for afterwards.
    """

    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="analysis_fits")
    number = models.PositiveIntegerField()
    declared = models.PositiveSmallIntegerField(null=True)
    # As the parameters document has it; `key` is a digest of it without the name.
    specification = models.JSONField()
    key = models.CharField(max_length=64)
    # A deleted one keeps its row, so that its address is never that of another analysis.
    deleted = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["number"]
        verbose_name = _("fit of an analysis")
        verbose_name_plural = _("fits of analyses")
        constraints = [
            models.UniqueConstraint(
                fields=["launch", "step", "number"], name="analysis_number_once_per_launch"
            ),
            models.UniqueConstraint(
                fields=["launch", "step", "key"],
                condition=Q(declared__isnull=True),
                name="exploratory_analysis_once_per_launch",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.launch} analysis {self.number}"

    @property
    def is_declared(self) -> bool:
        return self.declared is not None
