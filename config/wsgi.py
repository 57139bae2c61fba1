"""WSGI entry point."""

import os
from collections.abc import Callable
from typing import Any

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.utils.http import parse_header_parameters

from config import database

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Of a request for an address outside the site's path; surveys/middleware.py answers it.
OUTSIDE = "candor.outside"


class Utf8Request(WSGIRequest):
    """Reads addresses and forms as UTF-8, whatever charset the sender names.

    Python knows charsets that are none, such as rot13, for which Django answers 500, and others
    that make lone surrogates, which no database takes. All pages are UTF-8, and so is what
    browsers send from them.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        header = meta.get("CONTENT_TYPE", "")
        self.content_type, self.content_params = parse_header_parameters(header)


class Application(WSGIHandler):
    """The site, at the root of its name or below CANDOR_PATH.

    A proxy passes the path on as it came, or takes it away and CANDOR_PATH_STRIPPED says so. To
    guess by the address would open each page under a second one, /survey/survey/admin/, past the
    rules of the proxy for the first. Addresses that are made have the path in either case, by
    FORCE_SCRIPT_NAME.
    """

    request_class = Utf8Request

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if settings.SITE_PATH and not settings.SITE_PATH_STRIPPED:
            environ = _without_the_path(environ, settings.SITE_PATH)
        return super().__call__(environ, start_response)


def _without_the_path(environ: dict[str, Any], path: str) -> dict[str, Any]:
    """The request as if the site were at the root; marked where it is for nothing of the site."""
    asked = environ.get("PATH_INFO", "")
    if asked == path or asked.startswith(f"{path}/"):
        return {**environ, "PATH_INFO": asked[len(path) :] or "/"}
    return {**environ, OUTSIDE: True}


django.setup(set_prefix=False)
application = Application()
database.limit(database.limits_of_web())
