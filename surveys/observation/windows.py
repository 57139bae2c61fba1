"""When what moves with respondents is told: one snapshot for the whole site, by batches.

    At the end of a window of five minutes a new snapshot is taken if since the last one the
    responses of the site have grown by at least the largest release batch of its open surveys, and
    by 20. Otherwise the last one stands. All that moves with respondents is in it.

So what is published is a function of the numbers of responses at the ends of windows, and two
snapshots differ by a batch. One snapshot, because of two that change at different moments the
difference would be fewer people than either. What alarms need sooner is told at the end of each
window, and only of what has lasted for a window or more.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from surveys.observation.counting import WINDOW_SECONDS

# As in results: nobody hides among fewer (surveys.parameters.chance_strata).
LEAST_BATCH = 20


@dataclass(frozen=True)
class Sample:
    """The site at the end of a window."""

    responses: int
    batch: int
    # What a snapshot tells, ready to be shown.
    told: Mapping[str, float] = field(default_factory=dict)
    # The revision of each launch whose responses are due, by the launch.
    due: Mapping[str, int] = field(default_factory=dict)
    # What is told at the end of each window.
    lasting: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class State:
    """What is told, and what the next decision depends on."""

    window: int
    # Responses at the last snapshot, or fewer where some have been deleted since.
    base: int
    # The largest batch of any window since the last snapshot.
    batch: int = LEAST_BATCH
    # None until the first batch after the start.
    snapshot: Mapping[str, float] | None = None
    # The window at whose end the snapshot was taken, or in which the process began.
    taken: int = 0
    # By launch: its revision, and the window at whose end its responses were due already.
    due: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    lasting: Mapping[str, float] = field(default_factory=dict)

    @property
    def seconds_late(self) -> int:
        """For how long responses have been due that no worker took: whole windows."""
        since = [window for _, window in self.due.values()]
        return (self.window - min(since, default=self.window)) * WINDOW_SECONDS


def first_state(window: int, sample: Sample) -> State:
    """Nothing is told before a batch has come: an earlier process may have told of a moment ago."""
    batch = max(LEAST_BATCH, sample.batch)
    due = {launch: (revision, window) for launch, revision in sample.due.items()}
    return State(window, sample.responses, batch, None, window, due, sample.lasting)


def next_state(state: State, window: int, sample: Sample) -> State:
    """The state after the end of a window; the same one if that was looked at before."""
    if window <= state.window:
        return state
    batch = max(state.batch, sample.batch)
    base, snapshot, taken = min(state.base, sample.responses), state.snapshot, state.taken
    if sample.responses - base >= batch:
        base, snapshot, taken = sample.responses, sample.told, window
        batch = max(LEAST_BATCH, sample.batch)
    due = _still_due(state, window, sample)
    return State(window, base, batch, snapshot, taken, due, sample.lasting)


def _still_due(state: State, window: int, sample: Sample) -> dict[str, tuple[int, int]]:
    """Since when each launch is due whose tallies have not moved meanwhile."""
    due = {}
    for launch, revision in sample.due.items():
        before = state.due.get(launch)
        is_same = before is not None and before[0] == revision
        due[launch] = before if before is not None and is_same else (revision, window)
    return due


def to_json(state: State) -> dict[str, Any]:
    return asdict(state)


def from_json(content: Mapping[str, Any]) -> State:
    due = {launch: (revision, window) for launch, (revision, window) in content["due"].items()}
    return State(**{**content, "due": due})
