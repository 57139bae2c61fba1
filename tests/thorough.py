"""How many examples a test tries whose number is arbitrary.

Each more finds less than the one before it. `make test` tries as many as there is time for at every
merge; `make thorough` tries the whole number, which is also the one to try after a change of what
the test is about.
"""

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

THOROUGH = bool(os.environ.get("THOROUGH"))


def examples(usual: int, whole: int) -> int:
    """`usual`, or in a thorough run `whole`."""
    return whole if THOROUGH else usual


def every_second(cases: Iterable[Case]) -> list[Case]:
    """Every second of cases whose number is arbitrary, the first of them; thorough, all."""
    return [*cases] if THOROUGH else [*cases][::2]
