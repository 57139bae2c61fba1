"""What respondents read of texts in their own words before they begin."""

from django.http import QueryDict

from surveys.features.free_texts.section import frozen_texts
from surveys.features.parts import PagePart
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown


class FreeTextsOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        texts = frozen_texts(parameters)
        return Shown({"asks": "features/free_texts/asks.html"}, texts) if texts else None
