"""What a feature adds to the demonstration: a survey of its own, with simulated answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from surveys.authoring.planning.simulation import Response
    from surveys.models import Launch


@dataclass(frozen=True, slots=True)
class Unsent:
    """Simulated responses that a launch lacks, each with the key of its sender.

    `left`: the keys of those who are left for visitors to answer as, by name.
    """

    launch: "Launch"
    responses: "Sequence[Response]"
    keys: Sequence[Mapping[str, str]]
    left: Mapping[str, str]


class DemoPart:
    """The part for the demonstration. `kept_as`: the name of the file with what is left to try."""

    kept_as = ""

    def launch(self, *, owner: "User") -> None:
        """Launch the survey of the feature, if it has one."""

    def unsent(self) -> Unsent | None:
        """Return what its open survey lacks; None where there is none, or all is sent."""
        return None

    def lines(self, url: str, left: Mapping[str, str]) -> list[str]:
        """Return what is printed of it at each start. `left`: those left for visitors."""
        return []
