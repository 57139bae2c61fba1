"""What the clock does for jobs, whatever was killed, lost or emptied meanwhile."""

import logging
from collections.abc import Iterable

from django.db import DatabaseError

from surveys.jobs import queue
from surveys.jobs.asking import end_cancelled
from surveys.jobs.kinds import Kind, all_kinds
from surveys.jobs.lease import put_back_lost
from surveys.models import Job

logger = logging.getLogger(__name__)


def recover_all() -> None:
    """Every kind in turn; one whose own code fails is logged and in nobody else's way."""
    for kind in all_kinds():
        try:
            recover(kind)
        except DatabaseError:
            raise
        except Exception:
            logger.exception("Jobs of the kind %s are not recovered", kind.name)


def recover(kind: Kind) -> None:
    """Put back or give up what has lost its worker; wake all that waits or lags."""
    put_back_lost(kind)
    end_cancelled(kind)
    _delete_orphans(kind)
    for subject in _subjects_to_wake(kind):
        queue.wake(kind, subject)


def _subjects_to_wake(kind: Kind) -> Iterable[int]:
    if kind.lagging is not None:
        return kind.lagging()
    queued = Job.objects.filter(kind=kind.name, state=Job.State.QUEUED)
    return list(queued.order_by("pk").values_list("subject", flat=True))


def _delete_orphans(kind: Kind) -> None:
    """Jobs about rows that were deleted."""
    if kind.about is not None:
        keys = kind.about._default_manager.values("pk")
        Job.objects.filter(kind=kind.name).exclude(subject__in=keys).delete()
