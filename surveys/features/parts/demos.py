"""What a feature adds to the demonstration: a survey whose respondents are simulated.

The rooms are imported for type checkers only: features stand above them all.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from surveys.authoring.planning.simulation import Response
    from surveys.models import Launch


class Filling(Protocol):
    """What the command does for a demonstration: `respondents` is how many it is to have."""

    respondents: int

    def say(self, text: str) -> None:
        """Tell whoever waits what is done."""

    def send(
        self,
        launch: "Launch",
        responses: "Sequence[Response]",
        keys: Sequence[Mapping[str, str]],
    ) -> None:
        """Send responses as browsers do, each with its own key, and wait for the results."""

    def wait(self, launch: "Launch") -> None:
        """Wait until the results have all that they may show."""

    def keep(self, name: str, value: Any) -> None:
        """Store what is printed at each start, readable by its owner only."""

    def kept(self, name: str, otherwise: Any) -> Any:
        """Return what was stored under a name."""


class DemoPart:
    """The demonstration of a feature, for those who try Candor on their own machine."""

    def launch(self, owner: "User") -> None:
        """Launch a survey of this author that shows the feature."""

    def fill(self, filling: Filling) -> None:
        """Send what its simulated respondents have not sent yet."""

    def lines(self, url: str, filling: Filling) -> list[str]:
        """Return what is printed at each start about it; `url` is that of the running server."""
        return []
