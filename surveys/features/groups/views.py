"""The page's part of groups: what respondents are told of the questions that share a draw."""

from django.http import QueryDict

from surveys.features.parts import PagePart
from surveys.models import Survey
from surveys.parameters import Parameters, joint_of_all
from surveys.views.parts import Shown


class GroupsOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        """Return the numbers of the first and the last question of each group."""
        number_of = {each.id: number for number, each in enumerate(parameters.questions, start=1)}
        groups = [
            (number_of[device.questions[0]], number_of[device.questions[-1]])
            for device in joint_of_all(parameters)
        ]
        return Shown({"more": "features/groups/more.html"}, groups) if groups else None
