"""The front page, and the health check of this process."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.models import Survey
from surveys.views.errors import OUTAGE, OUTAGE_SECONDS


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    launched = Survey.objects.exclude(state=Survey.State.DRAFT)
    demos = launched.filter(simulated_truth__isnull=False)
    network = Survey.Mode.PERSONAL
    found = {
        "demo": demos.exclude(mode=network).first(),
        "network_demo": demos.filter(mode=network).first(),
    }
    return render(request, "home.html", found)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Query a table, because SQLite creates an empty database for a missing file."""
    try:
        Survey.objects.exists()
    except OUTAGE:
        headers = {"Retry-After": str(OUTAGE_SECONDS)}
        return HttpResponse("no database", content_type="text/plain", status=503, headers=headers)
    return HttpResponse("ok", content_type="text/plain")
