"""The history of a draft: what its definition was, and who made it so."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey


class Revision(models.Model):
    """A definition that a draft had, as plain JSON (surveys/definitions/document.py).

    One person's changes within some minutes make one revision: the last of them. It is no part of
    what a launch freezes.
    """

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="revisions")
    # None: an account that was deleted.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    begun_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    content = models.JSONField()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("version of a draft")
        verbose_name_plural = _("versions of drafts")

    def __str__(self) -> str:
        return f"{self.survey_id}: {self.changed_at}"
