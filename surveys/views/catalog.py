"""The strings of the scripts, in the language of the page rather than of the browser."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET
from django.views.i18n import JavaScriptCatalog

_serve = JavaScriptCatalog.as_view(packages=["surveys"])


@require_GET
@cache_control(max_age=3600, public=True)
def catalog(request: HttpRequest, language: str) -> HttpResponseBase:
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(language):
        return _serve(request)
