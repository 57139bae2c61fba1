"""What respondents read of the values in their link, and what is sent without a script."""

from collections.abc import Mapping

from django.http import QueryDict

from surveys.features.link_values.section import frozen_values
from surveys.features.parts import PagePart
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

FOLDER = "features/link_values"
SLOTS = {name: f"{FOLDER}/{name}.html" for name in ("known", "form")}


class LinkValuesOnPage(PagePart):
    # Nobody agrees before the page has said what the link says.
    asks_first = True

    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        found = [parameters.question(each.question) for each in frozen_values(parameters)]
        return Shown(SLOTS, found) if found else None

    def needs_all(self, parameters: Parameters) -> bool:
        # What is asked first is no more the first question of the document.
        return bool(frozen_values(parameters))

    def given(self, parameters: Parameters) -> Mapping[str, int]:
        """The form without scripts does not see what stands behind the # of a link."""
        return {each.question: len(each.values) for each in frozen_values(parameters)}
