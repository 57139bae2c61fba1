"""The page's part of pilots: what respondents are told of the two questions that chance picks."""

from django.http import QueryDict

from surveys.features.parts import PagePart
from surveys.models import Survey
from surveys.parameters import Parameters, picked_questions
from surveys.views.parts import Shown


class PilotsOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        """Return the number of the questions from which two are picked."""
        questions = len(picked_questions(parameters))
        if not questions:
            return None
        return Shown({"welcome": "features/pilots/welcome.html"}, questions)
