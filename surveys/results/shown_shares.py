"""An estimated share as the tables of a page show it."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from surveys import numbers
from surveys.numbers import Estimated

Share = TypeVar("Share", bound=Estimated)


@dataclass(frozen=True, slots=True)
class ShownShare(Generic[Share]):
    """A share with its label, and with the digits that all rows of its table have.

    A share of which an interval tells nothing is shown in words, without other numbers.
    """

    label: str
    share: Share
    digits: int

    @property
    def known(self) -> float | None:
        """The estimate, where the reports tell something of it."""
        return None if numbers.tells_nothing(self.share) else self.share.estimate

    @property
    def estimate(self) -> str:
        return numbers.share_text(self.share, self.digits)

    @property
    def interval(self) -> str:
        return numbers.interval_text(self.share, self.digits)

    @property
    def outside(self) -> bool:
        """Whether it is below 0 or above 1: it is shown unchanged, and marked."""
        return self.known is not None and not 0 <= self.known <= 1

    @property
    def standard_error(self) -> str:
        tells = not numbers.tells_nothing(self.share)
        return numbers.points(self.share.standard_error if tells else None, self.digits)

    @property
    def maximum_likelihood(self) -> str:
        tells = not numbers.tells_nothing(self.share)
        likeliest = getattr(self.share, "maximum_likelihood", None)
        return numbers.percent(likeliest if tells else None, self.digits)
