"""Fits of analyses: a model of one answer given others, fitted to a release by a worker."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from surveys.models.launch import Launch


class AnalysisFit(models.Model):
    """One analysis of a launch at one rung; a later release is fitted into the same row.

    `number` names its address, which stays. `declared`: its place among those that the launch
    declares; None for one that was asked for afterwards.
    """

    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="analysis_fits")
    rung = models.PositiveSmallIntegerField(default=0)
    number = models.PositiveIntegerField()
    declared = models.PositiveSmallIntegerField(null=True)
    # As the parameters document has it; `key` is a digest of it without the name.
    specification = models.JSONField()
    key = models.CharField(max_length=64)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    # The revision of the release that somebody asked for a fit of; declared ones follow the
    # releases by themselves.
    asked = models.PositiveBigIntegerField(default=0)
    # What the fit or the refusal rests on: the digest and revision of a release, and its
    # responses. `content` and `refusal`: `surveys.results.regression` writes and reads them.
    digest = models.CharField(max_length=71, blank=True, default="")
    revision = models.PositiveBigIntegerField(default=0)
    responses = models.PositiveBigIntegerField(default=0)
    content = models.JSONField(default=dict)
    refusal = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["number"]
        verbose_name = _("fit of an analysis")
        verbose_name_plural = _("fits of analyses")
        constraints = [
            models.UniqueConstraint(
                fields=["launch", "rung", "number"], name="analysis_number_once_per_launch"
            ),
            models.UniqueConstraint(
                fields=["launch", "rung", "key"],
                condition=Q(declared__isnull=True),
                name="exploratory_analysis_once_per_launch",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.launch} analysis {self.number}"

    @property
    def is_declared(self) -> bool:
        return self.declared is not None

    @property
    def is_waiting(self) -> bool:
        """Whether a worker has not come to it yet, for the first time or again."""
        return not self.revision or self.asked > self.revision
