"""How far the results are: counts only, cheap enough to be asked for every few seconds.

Of what has come in and is not in the results only the author hears: to everybody else the status
is part of the release (`surveys.responses.batches`) and moves with it.
"""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from surveys.responses.batches import batch_of, due
from surveys.results.release import Release


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What only the author sees, for it moves with each response."""

    received: int
    pooled: int  # held back so that two releases cannot single anybody out
    due: int  # will enter with the worker's next run

    @property
    def is_behind(self) -> bool:
        return self.due > 0


@dataclass(frozen=True, slots=True)
class Status:
    state: str
    in_results: int
    threshold: int
    batch: int
    released: bool
    computed_at: str | None
    arrivals: Arrivals | None  # None: for others than the author

    @property
    def revision(self) -> str:
        """Changes when the numbers on the page may have changed, and only then."""
        parts = f"{self.in_results} {self.released} {self.computed_at}"
        return hashlib.sha256(parts.encode()).hexdigest()[:16]

    @property
    def stamp(self) -> str:
        """Changes with anything that the page says."""
        stamp = f"{self.revision}-{self.state}"
        return f"{stamp}-{self.arrivals.received}-{self.arrivals.due}" if self.arrivals else stamp

    def as_json(self) -> dict[str, Any]:
        content = asdict(self)
        arrivals = content.pop("arrivals")
        if self.arrivals:
            content |= arrivals | {"behind": self.arrivals.is_behind}
        return {**content, "revision": self.revision, "stamp": self.stamp}


def status_of(release: Release, *, for_author: bool) -> Status:
    """Below the threshold others hear nothing that depends on whether anybody has answered."""
    computed_at = release.computed_at
    released = release.content is not None
    return Status(
        state=release.launch.survey.state,
        in_results=release.responses if released or for_author else 0,
        threshold=release.threshold,
        batch=batch_of(release.launch),
        released=released,
        computed_at=computed_at.isoformat() if computed_at and released else None,
        arrivals=_arrivals(release) if for_author else None,
    )


def _arrivals(release: Release) -> Arrivals:
    launch = release.launch
    waiting = launch.waiting()
    ready = due(launch, waiting)
    return Arrivals(
        received=launch.aggregated + waiting,
        pooled=waiting - ready,
        due=ready + max(0, launch.aggregated - release.responses),
    )
