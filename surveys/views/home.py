"""The front page, and the health check of this process."""

from collections.abc import Mapping

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.features import FEATURES, Trait
from surveys.models import Survey
from surveys.services import soundness
from surveys.views.errors import OUTAGE_SECONDS


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    launched = Survey.objects.exclude(state=Survey.State.DRAFT)
    demos = launched.filter(simulated_truth__isnull=False)
    known = [
        feature.mode.value
        for feature in FEATURES.values()
        if feature.mode and Trait.NAMED in feature.traits
    ]
    found = {
        "demo": demos.exclude(mode__in=known).first(),
        "network_demo": demos.filter(mode__in=known).first(),
    }
    return render(request, "home.html", found)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """503 where nothing can be stored; in words also what needs the operator, but stops nobody."""
    try:
        soundness.read_every_table()
        missing = soundness.responses_are_missing()
    except DatabaseError:
        text = "no database" if soundness.has_every_table() else "tables are missing"
        return _plain(text, 503, {"Retry-After": str(OUTAGE_SECONDS)})
    text = "ok, but responses are missing: manage.py candor recount says where" if missing else "ok"
    return _plain(text, 200, {})


def _plain(text: str, status: int, headers: Mapping[str, str]) -> HttpResponse:
    """Return plain text with its length.

    The middleware for pages adds the length elsewhere: without it the server would close the
    connection of whoever asks.
    """
    headers = {"Content-Length": str(len(text)), **headers}
    return HttpResponse(text, content_type="text/plain", status=status, headers=headers)
