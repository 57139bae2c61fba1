"""Downloads of one survey."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from surveys.views.results import visible_survey


def results_json(request: HttpRequest, slug: str) -> HttpResponse:
    return JsonResponse(visible_survey(request, slug).current_launch().result.content)


def parameters_json(request: HttpRequest, slug: str) -> HttpResponse:
    return JsonResponse(visible_survey(request, slug).current_launch().document)


reports_csv = report_html = results_json
