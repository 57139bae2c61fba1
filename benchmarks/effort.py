"""How much a run measures, and the type of what its parts return."""

from dataclasses import dataclass
from typing import Any

Numbers = dict[str, Any]
Rows = dict[str, Numbers]


@dataclass(frozen=True, slots=True)
class Effort:
    """Things measured in turns get `rounds` of `seconds` each."""

    full: bool
    rounds: int
    seconds: float


QUICK = Effort(full=False, rounds=3, seconds=4.0)
FULL = Effort(full=True, rounds=9, seconds=5.0)
