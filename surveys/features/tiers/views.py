"""The page's part of tiers: what respondents are told of the versions of their answers."""

from django.http import QueryDict

from surveys.features.parts import PagePart
from surveys.features.tiers.section import frozen_tiers
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

FOLDER = "features/tiers"


class TiersOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        tiers = frozen_tiers(parameters)
        if not tiers:
            return None
        slots = {"no_script": f"{FOLDER}/no_script.html"}
        if any(question.randomized for question in parameters.questions):
            slots |= {place: f"{FOLDER}/{place}.html" for place in ("welcome", "more")}
        if all(question.randomized for question in parameters.questions):
            slots["label_sent"] = f"{FOLDER}/label_sent.html"
        return Shown(slots, tiers)
