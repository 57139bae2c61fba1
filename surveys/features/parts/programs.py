"""What a feature adds to the interface for programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ninja import Router


class ProgramsPart:
    """The part for programs (`surveys.api`), which is asked once the interface is first used."""

    def routers(self) -> "Sequence[Router]":
        """Return its resources, whose addresses begin with that of a survey."""
        return ()
