"""The frozen parameters of a survey: what respondents were shown and what the estimator uses."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey


class LaunchQuerySet(models.QuerySet["Launch"]):
    def in_force(self, slug: str) -> "Launch | None":
        """The newest launch at this address with just what taking a response needs: one query."""
        newest_first = self.filter(survey__slug=slug).order_by("-version", "-wave")
        needed = ("survey__state", "survey__opens_at", "survey__closes_at", "digest")
        return newest_first.select_related("survey").only(*needed).first()


class Launch(models.Model):
    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="launches")
    version = models.PositiveIntegerField(default=1)
    wave = models.PositiveIntegerField(default=1)
    # Written by `surveys.wire.frozen_document`, read by `document`; a database trigger refuses
    # any update of these two.
    parameters = models.JSONField()
    digest = models.CharField(max_length=71, unique=True)
    # Texts in other languages; outside the digest, so that one can be added later.
    translations = models.JSONField(default=dict, blank=True)
    launched_at = models.DateTimeField(auto_now_add=True)
    # Responses in the tallies so far; those still waiting are rows of the inbox.
    folded = models.PositiveBigIntegerField(default=0)

    objects = LaunchQuerySet.as_manager()

    class Meta:
        verbose_name = _("launch")
        verbose_name_plural = _("launches")
        constraints = [
            models.UniqueConstraint(
                fields=["survey", "version", "wave"], name="launch_once_per_version_and_wave"
            ),
            models.CheckConstraint(
                name="launch_digest_is_sha256", condition=Q(digest__startswith="sha256:")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.survey.slug} v{self.version} w{self.wave} {self.digest[:15]}"

    @property
    def document(self) -> dict[str, Any]:
        """The parameters as served: the frozen part, its digest, and the translations."""
        served = {**self.parameters, "digest": self.digest}
        if self.translations:
            served["translations"] = self.translations
        return served

    def waiting(self) -> int:
        """Acknowledged responses that are not in the tallies yet."""
        return self.inbox.waiting().count()

    def received(self) -> int:
        return self.folded + self.waiting()
