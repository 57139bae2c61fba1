"""Moments on pages: in the site's time zone, which is named beside them."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format


def moment_text(moment: datetime, style: str = "DATETIME_FORMAT") -> str:
    """`moment` in one of Django's named formats with its zone: “Nov. 22, 2026, 3 p.m. (CET)”.

    A zone that has no abbreviation is named by its offset, such as +03.
    """
    local = timezone.localtime(moment)
    return f"{date_format(local, style)} ({local:%Z})"
