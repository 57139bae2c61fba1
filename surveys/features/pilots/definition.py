"""What the definition of a survey says of a pilot."""

import msgspec

from surveys.features.parts import DefinitionPart
from surveys.features.pilots.settings import is_pilot, set_pilot
from surveys.features.settings import stored
from surveys.models import Survey


@stored
class PilotDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which pilot a survey was made is known at its own site only."""

    on: bool


class PilotInDefinition(DefinitionPart):
    survey_type = PilotDefinition

    def of_survey(self, survey: Survey) -> PilotDefinition | None:
        return PilotDefinition(on=True) if is_pilot(survey) else None

    def set_of_survey(self, survey: Survey, value: PilotDefinition) -> None:
        set_pilot(survey, value.on)
