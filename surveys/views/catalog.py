"""The strings of the scripts, in the language of the page rather than of the browser."""

import functools
import json
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET
from django.views.i18n import JavaScriptCatalog

from surveys.features import FEATURES


class _Catalog(JavaScriptCatalog):
    """The texts and one function only: Django's script has ten functions, and date formats."""

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        texts = json.dumps(context["catalog"], ensure_ascii=False, separators=(",", ":"))
        # Another catalogue may be loaded too; it does not matter which comes first.
        script = (
            f"{{const texts={texts},rest=globalThis.gettext;"
            "globalThis.gettext=(text)=>texts[text]??rest?.(text)??text}\n"
        )
        return HttpResponse(script, content_type="text/javascript; charset=utf-8")


SCRIPTS = "djangojs"
# Further strings for pages of surveys with joint questions and ties.
JOINT, TIES = "joint", "ties"
# And those with a bit for each answer.
BITS = "bits"
FURTHER = (JOINT, TIES, BITS)


def further_domains() -> tuple[str, ...]:
    """Return every domain that only some pages need; those of features have their names."""
    return (*FURTHER, *(name for name, feature in FEATURES.items() if feature.page.texts))


@functools.cache
def _view_of(domain: str) -> Callable[[HttpRequest], Any]:
    return _Catalog.as_view(packages=["surveys"], domain=domain)


@require_GET
@cache_control(max_age=3600, public=True)
def catalog(request: HttpRequest, language: str, domain: str = SCRIPTS) -> HttpResponse:
    if language not in dict(settings.LANGUAGES) or domain not in (SCRIPTS, *further_domains()):
        raise Http404
    with translation.override(language):
        return _view_of(domain)(request)
