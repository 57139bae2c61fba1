"""What the definition of a survey says of tiers; who reads them is known at its own site only."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.features.parts import DefinitionPart
from surveys.features.tiers.forms import save_tiers
from surveys.features.tiers.reading import tiers_of
from surveys.features.tiers.section import Tier
from surveys.models import Survey


class TiersInDefinition(DefinitionPart):
    survey_type = tuple[Tier, ...]

    def of_survey(self, survey: Survey) -> tuple[Tier, ...] | None:
        return tiers_of(survey) or None

    def set_of_survey(self, survey: Survey, value: tuple[Tier, ...]) -> None:
        save_tiers(survey, value)

    def still_missing(self, survey: Survey) -> Iterator[str]:
        if tiers_of(survey):
            yield _("Name the readers of each tier: a definition has no accounts.")
