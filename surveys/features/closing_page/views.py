"""What respondents read of the way back before they begin, and what stands at the end of a form."""

from dataclasses import dataclass

from django.http import QueryDict

from surveys.features.closing_page.section import ID, ClosingPage, frozen_closing
from surveys.features.parts import PagePart
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

FOLDER = "features/closing_page"


@dataclass(frozen=True, slots=True)
class Closing:
    """What the templates read. `address`: where a form without scripts leads, which knows no id."""

    closing: ClosingPage
    address: str | None


class ClosingPageOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        closing = frozen_closing(parameters)
        if closing is None:
            return None
        address = closing.complete.address
        known = address if address is None or ID not in address else None
        slots = {"form_end": f"{FOLDER}/form_end.html"}
        if closing.panel is not None:
            slots |= {place: f"{FOLDER}/{place}.html" for place in ("asks", "took_part")}
        return Shown(slots, Closing(closing, known))
