"""Dates in parts, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.date_parts.author import DatePartsForAuthors
from surveys.features.date_parts.section import NAME, DatePartsInDocument
from surveys.features.feature import Feature

DATE_PARTS = Feature(
    name=NAME,
    words=(),
    label=_("Dates"),
    purpose=_("Ask for a date, a month or a year, of which only the bin is sent."),
    removal=_("ask for the bins as a choice"),
    document=DatePartsInDocument(),
    author=DatePartsForAuthors(),
)
