"""Bringing the results up to date with what has arrived."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from surveys import engine_bridge, tallies
from surveys.batches import due
from surveys.models import Launch, Result, Survey


def refresh_results(*, launch_id: int) -> bool:
    """Fold what waits, then estimate anew if anything has changed.

    Returns whether more responses are due: one call folds a bounded number.
    """
    tallies.fold_waiting(launch_id)
    launch = Launch.objects.select_related("survey", "result").get(pk=launch_id)
    if launch.folded and not _is_current(launch):
        _save(*_compute(launch_id))
    return bool(due(launch, launch.waiting()))


def lagging_launches() -> Iterator[int]:
    """Launches with responses that are due, or with results older than their tallies or format."""
    waiting = (
        Launch.objects.filter(survey__state__in=[Survey.State.OPEN, Survey.State.CLOSED])
        .annotate(in_inbox=Count("inbox", filter=Q(inbox__misfit=False)))
        .filter(in_inbox__gt=0)
    )
    for launch in waiting.select_related("survey"):
        if due(launch, launch.in_inbox):
            yield launch.pk
    behind = Q(result__isnull=True) | Q(result__responses__lt=F("folded"))
    behind |= ~Q(result__content__format=engine_bridge.RESULT_FORMAT)
    yield from Launch.objects.filter(behind, folded__gt=0).values_list("pk", flat=True)


def _is_current(launch: Launch) -> bool:
    result = getattr(launch, "result", None)
    return (
        result is not None
        and result.responses == launch.folded
        and result.content.get("format") == engine_bridge.RESULT_FORMAT
    )


def _compute(launch_id: int) -> tuple[Launch, dict[str, Any]]:
    launch, counts = tallies.snapshot(launch_id)
    document = engine_bridge.results_document(
        launch.parameters, launch.digest, counts, launch.folded
    )
    return launch, document


@transaction.atomic
def _save(launch: Launch, content: dict[str, Any]) -> None:
    """Keep the newer of two results: a slow worker must not overwrite a fast one."""
    values = {"responses": launch.folded, "content": content, "digest": _digest(content)}
    result, created = Result.objects.select_for_update().get_or_create(
        launch=launch, defaults=values
    )
    if not created and result.responses <= launch.folded:
        Result.objects.filter(pk=result.pk).update(**values, computed_at=timezone.now())


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
