"""The button and the page of the next wave in the admin."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.features.parts import DeskPart, Place
from surveys.features.return_codes.pages import next_wave
from surveys.features.return_codes.section import PSEUDONYMOUS
from surveys.models import Survey


class ReturnCodesAtDesk(DeskPart):
    pages = {"next_wave": ("next-wave/", next_wave)}

    def tools(self, survey: Survey) -> Iterator[Tool]:
        if survey.mode == PSEUDONYMOUS:
            yield tool_of(survey, "next_wave", _("Next wave"), place=Place.CHANGING)
