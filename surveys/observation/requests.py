"""The first middleware: it counts requests, and names and traces those of the desk."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from config.logs import naming
from surveys.observation import audience, counting, tracing
from surveys.observation.counting import COUNTS

View = Callable[[HttpRequest], HttpResponseBase]


def observed(get_response: View) -> View:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        if audience.is_of_the_desk(request):
            return _of_desk(get_response, request)
        if not counting.is_on() or request.path_info in audience.PROBES:
            return get_response(request)
        began = time.perf_counter()
        response = get_response(request)
        sort = audience.sort_of_respondents(request)
        COUNTS.count_respondents(sort, response.status_code, time.perf_counter() - began)
        return response

    return middleware


def _of_desk(get_response: View, request: HttpRequest) -> HttpResponseBase:
    began = time.perf_counter()
    name = audience.request_id(request)
    span = tracing.span_of_request(request, name)
    with naming("request", name):
        response = get_response(request)
    route = _route(request)
    span.end(route, response.status_code)
    response["X-Request-ID"] = name
    if counting.is_on():
        seconds = time.perf_counter() - began
        COUNTS.count_desk(audience.group_of_desk(request), route, response.status_code, seconds)
    return response


def _route(request: HttpRequest) -> str:
    """The name of the view, which says nothing of the survey; empty if there is none."""
    return request.resolver_match.view_name if request.resolver_match else ""
