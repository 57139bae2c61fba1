"""The button and the page of the next wave in the admin."""

from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.admin.routes import Pages
from surveys.features.parts import DeskPart
from surveys.features.return_codes.pages import next_wave
from surveys.features.return_codes.section import PSEUDONYMOUS
from surveys.models import Survey


class ReturnCodesAtDesk(DeskPart):
    @property
    def pages(self) -> Pages:
        return {"next_wave": ("next-wave/", next_wave)}

    def launched_tools(self, survey: Survey) -> list[Tool]:
        is_coded = survey.mode == PSEUDONYMOUS
        return [tool_of(survey, "next_wave", _("Next wave"))] if is_coded else []
