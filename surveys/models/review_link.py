"""A link under which somebody without an account reads a survey, such as an ethics committee."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey

MOST_IN_A_NAME = 80


class ReviewLink(models.Model):
    """`key_hash`: a keyed hash of the link's secret, which only who has the link knows.

    A revoked link stays, so that its author sees who could read the survey, and until when.
    """

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="review_links")
    name = models.CharField(max_length=MOST_IN_A_NAME)
    key_hash = models.CharField(max_length=64, unique=True)
    # None: an account that was deleted.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("link for review")
        verbose_name_plural = _("links for review")

    def __str__(self) -> str:
        return f"{self.survey_id}: {self.name}"
