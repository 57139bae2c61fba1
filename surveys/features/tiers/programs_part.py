"""What tiers add to the interface for programs, which is loaded with it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from surveys.features.parts import ProgramsPart

if TYPE_CHECKING:
    from ninja import Router


class TiersForPrograms(ProgramsPart):
    def routers(self) -> "Sequence[Router]":
        from surveys.features.tiers.programs import router

        return [router]
