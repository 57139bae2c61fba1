"""The roster of a survey: who may answer it, under a personal link each.

Names are kept here and nowhere else: the frozen parameters and everything that is stored of
responses know members by their code. Only a keyed hash of a link is stored, and of nothing a time.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey

LONGEST_CODE, LONGEST_NAME, LONGEST_GROUP = 32, 120, 60


class Member(models.Model):
    """A line of the roster. After launch triggers of the database let nobody change what it says.

    `name`: empty once its author has deleted the names. `link_hash`: empty without a link, which
    was not made yet or has been revoked. `answered`: whether a response has come under a link.
    """

    survey = models.ForeignKey(
        Survey, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    place = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=LONGEST_CODE)
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    group = models.CharField(max_length=LONGEST_GROUP, blank=True)
    link_hash = models.CharField(max_length=64, blank=True, default="", editable=False)
    answered = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering = ["survey", "place"]
        verbose_name = _("member of a roster")
        verbose_name_plural = _("members of rosters")
        constraints = [
            models.UniqueConstraint(fields=["survey", "place"], name="member_place_unique"),
            models.UniqueConstraint(fields=["survey", "code"], name="member_code_unique"),
            models.UniqueConstraint(
                fields=["survey", "link_hash"],
                condition=~Q(link_hash=""),
                name="member_link_unique",
            ),
        ]

    def __str__(self) -> str:
        return self.code
