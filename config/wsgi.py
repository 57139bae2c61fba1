"""WSGI entry point."""

import os
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

from config import database

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Utf8Request(WSGIRequest):
    """Reads addresses and forms as UTF-8, whatever charset the sender names.

    Python knows charsets that are none, such as rot13, for which Django answers 500, and others
    that make lone surrogates, which no database takes. All pages are UTF-8, and so is what
    browsers send from them.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        header = meta.get("CONTENT_TYPE", "")
        self.content_type, self.content_params = parse_header_parameters(header)


application = get_wsgi_application()
database.limit(database.limits_of_web())
application.request_class = Utf8Request
