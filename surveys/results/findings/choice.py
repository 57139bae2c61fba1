"""What the reader of a results page has chosen: weighted numbers or not, and the order."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

WEIGHTS, SORT = "weights", "sort"
OFF, SIZE = "off", "size"


@dataclass(frozen=True, slots=True)
class Choice:
    """`has_weights`: the survey declared margins, and they can be read."""

    has_weights: bool = False
    weights_off: bool = False
    by_size: bool = False

    @property
    def weighted(self) -> bool:
        return self.has_weights and not self.weights_off

    def other_weights(self) -> "Choice":
        return replace(self, weights_off=not self.weights_off)

    def other_order(self) -> "Choice":
        return replace(self, by_size=not self.by_size)

    def query(self, audience: Mapping[str, str]) -> str:
        """The end of the address of the page with this choice; `audience`: that of its readers."""
        values = {
            **audience,
            **({WEIGHTS: OFF} if self.weights_off else {}),
            **({SORT: SIZE} if self.by_size else {}),
        }
        return f"?{urlencode(values)}" if values else "?"


NOTHING_CHOSEN = Choice()


def choice_of(query: Mapping[str, str], *, has_weights: bool) -> Choice:
    """Read a choice from an address; what is not known there is as if it were not said."""
    return Choice(
        has_weights=has_weights,
        weights_off=has_weights and query.get(WEIGHTS) == OFF,
        by_size=query.get(SORT) == SIZE,
    )
