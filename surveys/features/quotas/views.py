"""What respondents' pages, and programs, learn of quotas: which are full, and no number."""

from django.http import HttpRequest, HttpResponseBase, JsonResponse, QueryDict
from django.urls import path
from django.views.decorators.http import require_GET

from surveys.features.parts import PagePart
from surveys.features.quotas.progress import full_quotas
from surveys.features.quotas.section import Quota, quotas_of
from surveys.models import Launch, Survey
from surveys.parameters import Parameters
from surveys.views.errors import problem
from surveys.views.parts import Shown

FOLDER = "features/quotas"


@require_GET
def full(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The places of the full quotas among those of the document in force."""
    launches = Launch.objects.filter(survey__slug=slug).exclude(survey__state=Survey.State.DRAFT)
    launch = launches.order_by("-version", "-wave").first()
    if launch is None or not quotas_of(launch.parameters):
        return problem(404, "no_quotas", "There is no launched survey with quotas at this address.")
    response = JsonResponse({"digest": launch.digest, "full": full_quotas(launch)})
    response["Cache-Control"] = "no-cache"
    return response


class QuotasOnPage(PagePart):
    urls = (path("s/<slug:slug>/quotas.json", full, name="quotas"),)

    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        quotas: tuple[Quota, ...] = quotas_of(parameters)
        if not quotas:
            return None
        places = full_quotas(survey.current_launch()) if preview is None else []
        data = {"full": ",".join(map(str, places))}
        return Shown({"asks": f"{FOLDER}/asks.html"}, quotas, data)
