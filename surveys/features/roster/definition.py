"""What the definition of a survey does not say of a roster: who is on it."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.features.parts import DefinitionPart
from surveys.models import Survey


class RosterInDefinition(DefinitionPart):
    def left_out(self, survey: Survey) -> Iterator[str]:
        if survey.member_count:
            yield _("The members and their names: import them from your own file.")
