"""What a feature adds to the interface for programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise
    from ninja import Router


class ProgramsPart:
    """The part for programs (`surveys.api`), which is asked once the interface is first used.

    `tag`, `title`: of what its operations are about, where that is nothing which others have.
    """

    tag = ""
    title: "StrOrPromise" = ""

    def routers(self) -> "Sequence[Router]":
        """Return its resources, whose addresses begin with that of a survey."""
        return ()
