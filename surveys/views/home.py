"""The front door, and the health of this process."""

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.models import Survey


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    launched = Survey.objects.exclude(state=Survey.State.DRAFT)
    demo = launched.filter(simulated_truth__isnull=False).first()
    return render(request, "home.html", {"demo": demo})


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok", content_type="text/plain")
