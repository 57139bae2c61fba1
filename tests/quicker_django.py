"""Django's own test tools do some things again and again for nothing; here once or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management.commands import flush
from django.core.management.sql import emit_post_migrate_signal
from django.template import Context, Template
from django.test.utils import instrumented_test_render

# Templates of fields: a page of questions has a thousand of them, and no test asks what they got.
OF_FIELDS = "django/forms/"
# The rows that `migrate` leaves in the tables of every database, each kind after those that it
# points to.
MADE_BY_MIGRATE = (ContentType, Permission, Group, Group.permissions.through)


@contextmanager
def contexts_of_fields_not_kept() -> Iterator[None]:
    """Django's test client copies the context of every template that a page is made of."""

    def render(template: Template, context: Context) -> Any:
        if str(template.name).startswith(OF_FIELDS):
            return template.nodelist.render(context)
        return instrumented_test_render(template, context)

    with mock.patch.object(Template, "_render", render):
        yield


@contextmanager
def rows_of_migrate_kept() -> Iterator[None]:
    """After each flush of the database Django asks every app what its tables should begin with.

    The first answer is kept, and put back after later flushes, with the same keys.
    """
    kept: list[tuple[Any, list[Any]]] = []

    def fill(*arguments: Any, **options: Any) -> None:
        if not kept:
            emit_post_migrate_signal(*arguments, **options)
            kept.extend((model, list(model.objects.all())) for model in MADE_BY_MIGRATE)
            return
        for model, rows in kept:
            model.objects.bulk_create(rows)

    with mock.patch.object(flush, "emit_post_migrate_signal", fill):
        yield
