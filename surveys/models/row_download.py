"""The record of who has downloaded reports, one row a person or an answer, for the author."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey


class RowDownload(models.Model):
    """One download by a named account. Nothing of it is about a respondent.

    `name` stays when the account is deleted. `responses`: how many the file was of.
    """

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="row_downloads")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    name = models.CharField(max_length=150)
    file = models.CharField(max_length=100)
    # The step that was downloaded, counted from 0.
    step = models.PositiveSmallIntegerField(default=0)
    responses = models.PositiveBigIntegerField()
    downloaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-downloaded_at", "-pk"]
        verbose_name = _("download of reports")
        verbose_name_plural = _("downloads of reports")

    def __str__(self) -> str:
        return f"{self.survey_id}: {self.file}"
