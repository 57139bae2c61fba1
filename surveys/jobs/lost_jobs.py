"""Periodic recovery of jobs after killed workers, lost tasks or an emptied broker."""

import logging
from collections.abc import Iterable

from django.db import DatabaseError

from surveys.jobs import queue
from surveys.jobs.asking import end_cancelled
from surveys.jobs.kinds import JobKind, all_kinds
from surveys.jobs.lease import put_back_lost
from surveys.models import Job

logger = logging.getLogger(__name__)


def recover_all() -> None:
    """Recover every kind in turn; an error in one kind is logged and does not stop the others."""
    for kind in all_kinds():
        try:
            recover(kind)
        except DatabaseError:
            raise
        except Exception:
            logger.exception("Jobs of the kind %s are not recovered", kind.name)


def recover(kind: JobKind) -> None:
    """Queue again or give up jobs without a worker; wake all jobs that wait or lag behind."""
    put_back_lost(kind)
    end_cancelled(kind)
    _delete_orphans(kind)
    for subject in _subjects_to_wake(kind):
        queue.wake(kind, subject)


def _subjects_to_wake(kind: JobKind) -> Iterable[int]:
    if kind.lagging is not None:
        return kind.lagging()
    queued = Job.objects.filter(kind=kind.name, state=Job.State.QUEUED)
    return list(queued.order_by("pk").values_list("subject", flat=True))


def _delete_orphans(kind: JobKind) -> None:
    """Delete jobs whose subject was deleted."""
    if kind.about is not None:
        keys = kind.about._base_manager.values("pk")
        Job.objects.filter(kind=kind.name).exclude(subject__in=keys).delete()
