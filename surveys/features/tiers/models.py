"""Tiers: who reads which of the reports of a respondent, the lowest first."""

from decimal import Decimal

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey

LEAST_SHARE = Decimal("0.01")
LONGEST_NAME = 60


class Tier(models.Model):
    """Readers of one step of every chain; the share of the highest is 1."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="tiers")
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    name = models.CharField(
        _("name"),
        max_length=LONGEST_NAME,
        help_text=_("Who reads this version, such as “the public”. Respondents read it too."),
    )
    share = models.DecimalField(
        _("share of every epsilon"),
        max_digits=5,
        decimal_places=4,
        validators=[MinValueValidator(LEAST_SHARE), MaxValueValidator(1)],
        help_text=_(
            "How much of the epsilon of each question this tier gets, such as 0.25; 1 in the "
            "highest tier."
        ),
    )

    # These people may change after launch: who reads a tier shapes no answer.
    readers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        blank=True,
        related_name="readable_tiers",
        verbose_name=_("readers"),
    )

    class Meta:
        ordering = ["survey", "position", "pk"]
        verbose_name = _("tier")
        verbose_name_plural = _("tiers")
        constraints = [
            models.UniqueConstraint(fields=["survey", "name"], name="tier_name_unique"),
            models.CheckConstraint(
                name="tier_share_a_share", condition=Q(share__gt=0) & Q(share__lte=1)
            ),
        ]

    def __str__(self) -> str:
        return self.name
