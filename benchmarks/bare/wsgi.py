"""WSGI entry point; creates the one table where it is missing."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.bare.settings"

from django.core.wsgi import get_wsgi_application
from django.db import connection

application = get_wsgi_application()


def _create_table() -> None:
    from benchmarks.bare.models import Row

    if Row._meta.db_table not in connection.introspection.table_names():
        with connection.schema_editor() as editor:
            editor.create_model(Row)
    connection.close()


_create_table()
