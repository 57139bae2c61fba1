"""What an author sees of a filter in the preview of one question."""

from dataclasses import dataclass
from typing import Final

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from surveys.features.parts import PagePart
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

# How a page may ask a question: of somebody whom it is for, or is not, or of whom it does not know.
WAYS: Final = {
    "asked": _("It is for them"),
    "passed": _("It is not for them"),
    "offered": _("After a reload"),
}


@dataclass(frozen=True, slots=True)
class Previewed:
    """`questions`: those that are for some people only, by their names. `asking`: of `ways`, that
    which the preview shows.
    """

    questions: list[str]
    ways: list[tuple[str, str]]
    asking: str


class FiltersOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        for_some = [each.id for each in parameters.questions if each.not_applicable]
        if preview is None or not for_some:
            return None
        asked = preview.get("asking", "")
        asking = asked if asked in WAYS else next(iter(WAYS))
        told = Previewed(for_some, [(way, str(words)) for way, words in WAYS.items()], asking)
        return Shown({"preview": "features/filters/preview.html"}, told, {"asking": asking})
