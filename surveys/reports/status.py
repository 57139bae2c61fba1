"""How far the results are: counts only, cheap enough to be asked for every few seconds."""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from surveys.batches import due
from surveys.reports.release import Release


@dataclass(frozen=True, slots=True)
class Status:
    state: str
    received: int
    in_results: int
    threshold: int
    released: bool
    pooled: int  # held back so that two releases cannot single out the latest respondent
    due: int  # will enter with the worker's next run
    computed_at: str | None

    @property
    def behind(self) -> bool:
        return self.due > 0

    @property
    def revision(self) -> str:
        """Changes when the numbers on the page may have changed, and only then."""
        parts = f"{self.in_results} {self.released} {self.computed_at}"
        return hashlib.sha256(parts.encode()).hexdigest()[:16]

    @property
    def stamp(self) -> str:
        """Changes with anything that the page says."""
        return f"{self.revision}-{self.state}-{self.received}-{self.due}"

    def as_json(self) -> dict[str, Any]:
        derived = {"behind": self.behind, "revision": self.revision, "stamp": self.stamp}
        return {**asdict(self), **derived}


def status_of(release: Release) -> Status:
    launch = release.launch
    waiting = launch.waiting()
    foldable = due(launch, waiting)
    computed_at = release.computed_at
    return Status(
        state=launch.survey.state,
        received=launch.folded + waiting,
        in_results=release.responses,
        threshold=release.threshold,
        released=release.content is not None,
        pooled=waiting - foldable,
        due=foldable + max(0, launch.folded - release.responses),
        computed_at=computed_at.isoformat() if computed_at else None,
    )
