"""The results of a survey, for those who may see them."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render

from surveys.models import Survey


def visible_survey(request: HttpRequest, slug: str) -> Survey:
    return get_object_or_404(Survey.objects.results_visible_to(request.user), slug=slug)


def results(request: HttpRequest, slug: str) -> HttpResponse:
    return render(
        request, "surveys/results/results.html", {"survey": visible_survey(request, slug)}
    )


def status(request: HttpRequest, slug: str) -> HttpResponse:
    launch = visible_survey(request, slug).current_launch()
    return JsonResponse({"received": launch.received(), "folded": launch.folded})


def figures(request: HttpRequest, slug: str) -> HttpResponse:
    launch = visible_survey(request, slug).current_launch()
    return JsonResponse(launch.result.figures)
