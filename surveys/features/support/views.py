"""What the pages of respondents show of support: its bar, its box, and what leaving can do."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.http import QueryDict
from django.utils.safestring import SafeString

from surveys.features.parts import PagePart
from surveys.features.support.links import linked
from surveys.features.support.section import frozen_support
from surveys.models import Launch, Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

FOLDER = "features/support"
# The places of the pages, each with its template.
SLOTS = {
    name: f"{FOLDER}/{name}.html"
    for name in ("frame_head", "frame", "welcome", "form", "below_question", "end")
}


@dataclass(frozen=True, slots=True)
class SupportShown:
    """What the templates read.

    `digests`: of all waves of the survey, under which browsers keep something. `host`: where the
    quick exit leads, as people know it.
    """

    text: SafeString
    after: tuple[str, ...]
    exit: str | None
    digests: tuple[str, ...]

    @property
    def host(self) -> str:
        return urlsplit(self.exit or "").hostname or ""


class SupportOnPage(PagePart):
    request = f"{FOLDER}/request.html"
    scripts = ("exit",)

    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        support = frozen_support(parameters)
        if support is None:
            return None
        launches = survey.launches.order_by("wave") if support.exit else Launch.objects.none()
        digests = tuple(launches.values_list("digest", flat=True))
        values = SupportShown(linked(support.text), support.after, support.exit, digests)
        # The screens are one entry of the history, which the page that the exit leads to replaces.
        return Shown(SLOTS, values, data={"single": "true"} if support.exit else {})
