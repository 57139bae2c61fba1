"""What languages add to the interface for programs, which is loaded with it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from surveys.features.parts import ProgramsPart

if TYPE_CHECKING:
    from ninja import Router


class LanguagesForPrograms(ProgramsPart):
    tag = "translations"
    title = _("Translations")

    def routers(self) -> "Sequence[Router]":
        from surveys.features.languages.programs import router

        return [router]
