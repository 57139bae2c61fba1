"""What respondents are shown of batteries where no script runs, and how their page begins."""

from django.http import QueryDict

from surveys.features.batteries.section import frozen_batteries
from surveys.features.parts import PagePart
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

SLOTS = {
    "above_question": "features/batteries/above_question.html",
    # Only these surveys load it.
    "end": "features/batteries/style.html",
}


class BatteriesOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        """Return the text of each battery by its first question."""
        texts = {battery.questions[0]: battery.text for battery in frozen_batteries(parameters)}
        if not texts:
            return None
        return Shown(SLOTS, texts)

    def needs_all(self, parameters: Parameters) -> bool:
        first = parameters.questions[0].id
        return any(first in battery.questions for battery in frozen_batteries(parameters))
