"""Kinds of jobs and their registry."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext_noop

from surveys.models import Job

# Stored in English and translated where they are shown (`Job.message_text`).
STARTED_AGAIN = gettext_noop("Started again: its worker was stopped.")
BROKEN = gettext_noop("Something went wrong; the log of the worker says what.")
TOO_LARGE = gettext_noop(
    "It needed more memory than a worker may take; the operator can allow more."
)

# A job that failed for a temporary reason is tried again after 1, 2, 4, ... seconds.
LONGEST_BACK_OFF = 60.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. `more`: whether a standing job already has more to do."""

    state: str = Job.State.DONE
    message: str | None = None
    more: bool = False


def _no_pause(_seconds: float) -> float:
    return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """One kind of job. A job is identified by its kind's name and its subject, a row's key.

    A job that is *asked for* runs once to its end. A *standing* one (`lagging` is given) is run
    whenever the data show that there is work: its demand is stored with the data, so
    that requesting it costs no statement. It is never given up, only delayed.
    """

    name: str
    # The work, called with a `surveys.jobs.running.Run`. It stops early when
    # `Run.report` says so, and writes within `Run.holding`.
    run: Callable[[Any], Outcome | None]
    queue: str
    # Seconds without a heartbeat after which a worker loses its job; there are five in that time.
    lease: float = 15.0
    # Seconds after which `Run.report` asks for an end; 30 later the worker is interrupted, and 60
    # after that killed.
    longest: int = 90
    # Attempts after which a job is given up; a standing job never is.
    most_attempts: int = 3
    # All subjects with work to do, and whether a given one has some.
    lagging: Callable[[], Iterable[int]] | None = None
    is_lagging: Callable[[int], bool] = lambda _subject: True
    # The model of the subjects: a job is deleted with its row. None if a model of the kind's own
    # has a foreign key that does this.
    about: type[Model] | None = None
    # Seconds between two runs of one subject, by how many seconds the first one took.
    pause: Callable[[float], float] = _no_pause
    # How long a wake-up may wait in the queue before another is sent.
    pending_seconds: int = 10
    # Messages of a job that was cancelled, exceeded its time, or was given up.
    cancelled: str = ""
    out_of_time: str = ""
    gave_up: str = ""
    # The consequence of a broker that is down, for the log.
    without_broker: str = "jobs will wait"

    @property
    def standing(self) -> bool:
        return self.lagging is not None

    @property
    def waiting_state(self) -> str:
        return Job.State.IDLE if self.standing else Job.State.QUEUED

    @property
    def lease_length(self) -> timedelta:
        return timedelta(seconds=self.lease)


_kinds: dict[str, JobKind] = {}


def register(kind: JobKind) -> JobKind:
    """Register a kind of job. Raises ValueError for a name that is taken."""
    if kind.name in _kinds:
        raise ValueError(f"kind: there is a kind of job named {kind.name!r} already")
    _kinds[kind.name] = kind
    return kind


def kind_named(name: str) -> JobKind:
    """The kind of this name; raises ValueError if there is none."""
    if name not in _kinds:
        raise ValueError(f"kind: no kind of job is named {name!r} in this program")
    return _kinds[name]


def all_kinds() -> list[JobKind]:
    return list(_kinds.values())


def back_off(attempt: int) -> float:
    """Seconds before the next attempt, given the number of attempts so far."""
    return min(2.0 ** min(attempt - 1, 10), LONGEST_BACK_OFF)
