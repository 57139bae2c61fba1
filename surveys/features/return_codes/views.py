"""The page's part of return codes: the address that says what was sent under one."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from surveys.features.parts import PagePart
from surveys.features.return_codes.assignment import chain_of
from surveys.features.return_codes.section import KEY
from surveys.models.launch import InForce
from surveys.responses.envelope import parse_own_key
from surveys.throttle import throttle_posts
from surveys.views.origin import same_origin_only
from surveys.views.wire import Answer, look_up, slow_down


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
    urls = (path("s/<slug:slug>/return/", returning, name="return"),)
    json_endings = ("/return/",)
