"""What the site says about itself to respondents, once in each language."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

MOST_CHARACTERS = 2000


class SiteNotice(models.Model):
    """What respondents read in one language; a launch freezes it with the survey."""

    language = models.CharField(_("language"), max_length=12, unique=True)
    host = models.TextField(
        _("who runs this site"),
        blank=True,
        max_length=MOST_CHARACTERS,
        help_text=_("The institution, where its servers stand, and how to reach it."),
    )
    law = models.TextField(
        _("the law that applies"),
        blank=True,
        max_length=MOST_CHARACTERS,
        help_text=_(
            "On what it rests that answers are processed, the data protection officer, and where "
            "to complain."
        ),
    )
    retention = models.TextField(
        _("how long answers are kept"),
        blank=True,
        max_length=MOST_CHARACTERS,
        help_text=_("When surveys, responses and backups are deleted."),
    )
    withdrawal = models.TextField(
        _("taking an answer back"),
        blank=True,
        max_length=MOST_CHARACTERS,
        help_text=_(
            "What can be asked of you beyond what the page says by itself: it tells what cannot be "
            "withdrawn, and why."
        ),
    )

    class Meta:
        ordering = ["language"]
        verbose_name = _("text of the site")
        verbose_name_plural = _("texts of the site: who asks")

    def __str__(self) -> str:
        return str(dict(settings.RESPONDENT_LANGUAGES).get(self.language, self.language))
