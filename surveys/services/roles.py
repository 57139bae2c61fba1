"""The group of authors, staff who may compose surveys of their own; and who may use their desk."""

from typing import Any

from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission, User

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


def may_use_desk(user: User, *, editing: bool) -> bool:
    """Whether an account can open the authors' desk, with the permission that its role needs."""
    actions = ("change",) if editing else ("change", "view")
    allowed = any(user.has_perm(f"surveys.{action}_survey") for action in actions)
    return user.is_active and user.is_staff and allowed


def may_compose(user: User) -> bool:
    """Whether an account may make surveys."""
    return user.is_active and user.is_staff and user.has_perm("surveys.add_survey")
