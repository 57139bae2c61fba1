"""The page's part of return codes: the address that says what was sent under one."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import path, reverse
from django.views.decorators.http import require_POST

from surveys.features.parts import PagePart
from surveys.features.return_codes.assignment import chain_of
from surveys.features.return_codes.section import KEY, PSEUDONYMOUS
from surveys.models import Survey
from surveys.models.launch import InForce
from surveys.parameters import Parameters
from surveys.responses.envelope import parse_own_key
from surveys.throttle import throttle_posts
from surveys.views.origin import same_origin_only
from surveys.views.parts import Shown
from surveys.views.wire import Answer, look_up, slow_down

# The places of the page that say something of return codes.
PLACES = ("no_script", "welcome", "more", "withdrawal")


@same_origin_only
@require_POST
@throttle_posts("return", "SUBMIT_RATE", refuse=slow_down)
def returning(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with what was sent under a return code, for whoever has it."""

    def parse(body: bytes) -> str:
        return parse_own_key(body, KEY, "a symbol of it is wrong.")

    def chain(launch: InForce, code: str) -> Answer:
        found = chain_of(launch_id=launch.pk, code=code)
        return found.as_json(), found.padding

    return look_up(request, slug, parse, chain)


class ReturnCodesOnPage(PagePart):
    request = "features/return_codes/request.html"
    urls = (path("s/<slug:slug>/return/", returning, name="return"),)

    after = ("keeping", "sent_before")

    def parts(self, parameters: Parameters) -> dict[str, bool]:
        comes_back = parameters.wave > 1
        keeps = parameters.mode == PSEUDONYMOUS
        return {"returning": comes_back, "sent_before": comes_back, "keeping": keeps}

    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        if parameters.mode != PSEUDONYMOUS:
            return None
        slots = {place: f"features/return_codes/{place}.html" for place in PLACES}
        data = {"return": reverse("return", args=[survey.slug])} if preview is None else {}
        return Shown(slots, data=data)
