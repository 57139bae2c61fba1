"""The status of the results: counts only, cheap enough for a request every few seconds.

Only the author sees the responses that are not in the results yet: for everybody else the status
is part of the release (`surveys.responses.batches`) and changes with it.
"""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from surveys.models import WeightedShares
from surveys.responses.batches import batch_of, due
from surveys.results.release import Release
from surveys.results.weighted.presentation import computed_weighted, stored_weighted


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Counts for the author only, because they change with each response."""

    received: int
    pooled: int  # kept in the inbox so that two releases cannot single anybody out
    due: int  # enter the results with the worker's next run

    @property
    def is_behind(self) -> bool:
        return self.due > 0


@dataclass(frozen=True, slots=True)
class Status:
    step: int
    state: str
    in_results: int
    threshold: int
    batch: int
    released: bool
    computed_at: str | None
    arrivals: Arrivals | None  # None for readers other than the author
    weighted: int = 0  # the revision of the weighted shares, once they can be read
    weighted_failed: int = 0  # and the one at which the last attempt at them failed

    @property
    def revision(self) -> str:
        """A hash that changes exactly when the numbers on the page may have changed.

        Those of two steps never have the same.
        """
        parts = f"{self.step} {self.in_results} {self.released} {self.computed_at}"
        parts += f" {self.weighted}" if self.weighted else ""
        parts += f" failed {self.weighted_failed}" if self.weighted_failed else ""
        return hashlib.sha256(parts.encode()).hexdigest()[:16]

    @property
    def stamp(self) -> str:
        """A stamp that changes with anything on the page."""
        stamp = f"{self.revision}-{self.state}"
        return f"{stamp}-{self.arrivals.received}-{self.arrivals.due}" if self.arrivals else stamp

    def as_json(self) -> dict[str, Any]:
        content = asdict(self)
        arrivals = content.pop("arrivals")
        del content["step"], content["weighted"], content["weighted_failed"]
        if self.arrivals:
            content |= arrivals | {"behind": self.arrivals.is_behind}
        return {**content, "revision": self.revision, "stamp": self.stamp}


def status_of(release: Release, *, for_author: bool) -> Status:
    """The status; below the threshold it is the same for others whether anybody answered or not."""
    computed_at = release.computed_at
    is_released = release.content is not None
    weighted = stored_weighted(release) if is_released else None
    return Status(
        step=release.step,
        state=release.launch.survey.state,
        in_results=release.responses if is_released or for_author else 0,
        threshold=release.threshold,
        batch=batch_of(release.launch),
        released=is_released,
        computed_at=computed_at.isoformat() if computed_at and is_released else None,
        arrivals=_arrivals(release) if for_author else None,
        weighted=_readable_revision(weighted),
        weighted_failed=weighted.failed if weighted else 0,
    )


def _readable_revision(weighted: WeightedShares | None) -> int:
    if weighted is None or not (weighted.refusal or computed_weighted(weighted)):
        return 0
    return weighted.revision


def _arrivals(release: Release) -> Arrivals:
    launch = release.launch
    by_wave = launch.waiting_by_wave()
    inbox_size = sum(by_wave)
    due_count = sum(due(launch, count) for count in by_wave)
    return Arrivals(
        received=launch.aggregated + inbox_size,
        pooled=inbox_size - due_count,
        due=due_count + max(0, launch.revision - release.revision),
    )
