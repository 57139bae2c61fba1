"""Copies of surveys with all rows that depend on them, on PostgreSQL: thousands in seconds."""

import copy
import secrets
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.contrib.admin.utils import NestedObjects
from django.contrib.auth.models import User
from django.db.models import Model, UUIDField
from django.db.models.base import ModelState

from benchmarks.inbox import without_triggers
from surveys.models import Launch, Survey

AT_ONCE = 2_000


def copies(survey: Survey, owners: Sequence[User]) -> None:
    """One copy of the survey for each of the owners, who has also done what its owner has."""
    collector = NestedObjects(using="default")
    collector.collect([survey])
    made: dict[tuple[type[Model], Any, int], Any] = {}
    # A launch is frozen by triggers.
    with without_triggers():
        for model in _referred_to_first(collector.data):
            instances = collector.data[model]
            numbers = [(one, number) for one in instances for number in range(len(owners))]
            rows = [_copied(one, number, owners, made) for one, number in numbers]
            model._default_manager.bulk_create(rows, batch_size=AT_ONCE)
            for (one, number), row in zip(numbers, rows, strict=True):
                made[model, one.pk, number] = row.pk


def _referred_to_first(models: Iterable[type[Model]]) -> Iterator[type[Model]]:
    left = list(models)
    while left:
        ready = [each for each in left if not _refers_to(each) & {*left} - {each}]
        yield from ready
        left = [each for each in left if each not in ready]


def _refers_to(model: type[Model]) -> set[Any]:
    return {each.remote_field.model for each in model._meta.concrete_fields if each.remote_field}


def _copied(
    one: Model, number: int, owners: Sequence[User], made: dict[tuple[type[Model], Any, int], Any]
) -> Model:
    row = copy.copy(one)
    row._state = ModelState()
    for field in one._meta.concrete_fields:
        value = getattr(one, field.attname)
        if isinstance(field, UUIDField):
            setattr(row, field.attname, uuid.uuid4())
        elif field.primary_key and not field.remote_field:
            setattr(row, field.attname, None)
        elif field.remote_field and value is not None:
            of = field.remote_field.model
            other = owners[number].pk if of is User else made.get((of, value, number), value)
            setattr(row, field.attname, other)
    if isinstance(row, Survey):
        row.slug = f"{row.slug}-{number}"
        row.title = f"{row.title}, copy {number}"
    elif isinstance(row, Launch):
        row.digest = f"sha256:{secrets.token_hex(32)}"
    return row
