"""The group of authors: staff who may compose surveys of their own."""

from typing import Any

from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission

AUTHORS = "Authors"
_MODELS = ("survey", "question")


def ensure_author_group(sender: Any, **kwargs: Any) -> None:
    """Give the group its permissions; the admin limits each author to their own surveys."""
    create_permissions(sender, verbosity=0)
    group, _ = Group.objects.get_or_create(name=AUTHORS)
    group.permissions.add(
        *Permission.objects.filter(
            content_type__app_label="surveys", content_type__model__in=_MODELS
        )
    )
