"""What rosters add to the interface for programs, which is loaded with it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from surveys.features.parts import ProgramsPart

if TYPE_CHECKING:
    from ninja import Router


class RosterForPrograms(ProgramsPart):
    tag = "members"
    title = _("Members and their links")

    def routers(self) -> "Sequence[Router]":
        from surveys.features.roster.programs import router

        return [router]
