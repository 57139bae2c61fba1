"""The respondent's pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import translation
from django.views.decorators.http import require_GET

from surveys.models import Survey


@require_GET
def respond(request: HttpRequest, slug: str) -> HttpResponse:
    survey = get_object_or_404(Survey.objects.exclude(state=Survey.State.DRAFT), slug=slug)
    launch = survey.current_launch()
    with translation.override(survey.language):
        context = {"survey": survey, "parameters": launch.document}
        return render(request, "surveys/respond/respond.html", context)


@require_GET
def check(request: HttpRequest) -> HttpResponse:
    return render(request, "surveys/respond/check.html")
