"""One page for the token, one address that takes a row."""

import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.urls import path
from django.views.decorators.http import require_POST

from benchmarks.bare.models import Row


def token(request: HttpRequest) -> HttpResponse:
    return HttpResponse(get_token(request))


@require_POST
def insert(request: HttpRequest) -> HttpResponse:
    row = Row.objects.create(content=json.loads(request.body))
    answer = JsonResponse({"id": row.pk}, status=201)
    answer["Content-Length"] = len(answer.content)  # else it is sent in chunks
    return answer


urlpatterns = [path("token", token), path("rows", insert)]
