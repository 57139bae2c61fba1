"""A person who works on a survey with its owner, and what they may do."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey


class CoAuthor(models.Model):
    """The owner stands above all roles and has none."""

    class Role(models.TextChoices):
        EDIT = "edit", _("May edit")
        COMMENT = "comment", _("May read and comment")
        READ = "read", _("May read")

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="co_authors")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="co_authorships"
    )
    role = models.CharField(_("role"), max_length=8, choices=Role.choices)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("co-author")
        verbose_name_plural = _("co-authors")
        constraints = [
            models.UniqueConstraint(fields=["survey", "user"], name="co_author_once_per_survey"),
            models.CheckConstraint(
                name="co_author_role_known",
                condition=models.Q(role__in=["edit", "comment", "read"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.survey_id}: {self.user_id} ({self.role})"
