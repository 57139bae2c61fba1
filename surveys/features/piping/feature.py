"""Answers in later texts, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.piping.author import PipingForAuthors
from surveys.features.piping.section import NAME, PipingInDocument
from surveys.features.piping.views import PipingOnPage

PIPING = Feature(
    name=NAME,
    words=("answer piping",),
    label=_("Answers in later texts"),
    purpose=_("Let a later text say what somebody has answered directly."),
    removal=_("take the names in braces out of the texts"),
    document=PipingInDocument(),
    author=PipingForAuthors(),
    page=PipingOnPage(),
)
