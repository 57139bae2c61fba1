"""What next waves add to the interface for programs, which is loaded with it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from surveys.features.parts import ProgramsPart

if TYPE_CHECKING:
    from ninja import Router


class ReturnCodesForPrograms(ProgramsPart):
    tag = "waves"
    title = _("Next waves")

    def routers(self) -> "Sequence[Router]":
        from surveys.features.return_codes.programs import router

        return [router]
