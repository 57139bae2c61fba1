"""What next waves add to the interface for programs, which is loaded with it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from surveys.features.parts import ProgramsPart

if TYPE_CHECKING:
    from ninja import Router


class ReturnCodesForPrograms(ProgramsPart):
    def routers(self) -> "Sequence[Router]":
        from surveys.features.return_codes.programs import router

        return [router]
