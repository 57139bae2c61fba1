"""Jobs: work that outlives a request. They are queued once, leased, paced, cancelled, recovered.

A kind of job is registered once; the rest of the app asks for jobs of it (`ask`, `request`), runs
them in a worker (`run`), cancels them, and lets the clock recover them. docs/decisions/0028.
"""

from surveys.jobs.asking import ask, cancel, request
from surveys.jobs.kinds import (
    BROKEN,
    STARTED_AGAIN,
    TOO_LARGE,
    JobKind,
    Outcome,
    kind_named,
    register,
)
from surveys.jobs.lost_jobs import recover_all
from surveys.jobs.running import LeaseLostError, Run, run

__all__ = [
    "BROKEN",
    "STARTED_AGAIN",
    "TOO_LARGE",
    "JobKind",
    "LeaseLostError",
    "Outcome",
    "Run",
    "ask",
    "cancel",
    "kind_named",
    "recover_all",
    "register",
    "request",
    "run",
]
