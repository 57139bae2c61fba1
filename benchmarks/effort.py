"""How long a run may take, and what its parts give back."""

from dataclasses import dataclass
from typing import Any

Numbers = dict[str, Any]
Rows = dict[str, Numbers]


@dataclass(frozen=True, slots=True)
class Effort:
    """`rounds` of `seconds` each where two things are measured in turns."""

    full: bool
    rounds: int
    seconds: float


QUICK = Effort(full=False, rounds=3, seconds=4.0)
FULL = Effort(full=True, rounds=9, seconds=5.0)
