"""The strings of the scripts, in the language of the page rather than of the browser."""

import json
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET
from django.views.i18n import JavaScriptCatalog


class _Catalog(JavaScriptCatalog):
    """The texts and one function only: Django's script has ten functions, and date formats."""

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        texts = json.dumps(context["catalog"], ensure_ascii=False, separators=(",", ":"))
        script = f"{{const texts={texts};globalThis.gettext=(text)=>texts[text]??text}}\n"
        return HttpResponse(script, content_type="text/javascript; charset=utf-8")


_view = _Catalog.as_view(packages=["surveys"], domain="djangojs")


@require_GET
@cache_control(max_age=3600, public=True)
def catalog(request: HttpRequest, language: str) -> HttpResponse:
    if language not in dict(settings.RESPONDENT_LANGUAGES):
        raise Http404
    with translation.override(language):
        response = _view(request)
    assert isinstance(response, HttpResponse)
    return response
