"""What the definition of a survey does not say of a roster: who is on it."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.features.parts import DefinitionPart
from surveys.features.roster.section import PERSONAL
from surveys.models import Survey


class RosterInDefinition(DefinitionPart):
    def still_missing(self, survey: Survey) -> Iterator[str]:
        if survey.mode == PERSONAL:
            yield _("Upload the roster: a definition has no names.")
