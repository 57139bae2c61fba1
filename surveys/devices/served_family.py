"""The part of a launched device's family that results and their readers need."""

from collections.abc import Sequence

from django.utils.functional import Promise

from surveys.parameters import CODES, Device, Question
from surveys.results_document.devices import Certificate, UsedDevice


class ServedFamily:
    """The family of a launched device, as results and their readers need it.

    `names_answers`: report u stands for answer u.
    """

    name: str
    look = CODES
    names_answers = True
    # How it scrambles an answer; its name where nothing is said.
    description: Promise | str = ""

    def explanation(self, device: UsedDevice) -> str:
        """How a device of the results document randomizes, in words."""
        return str(self.description or self.name)

    def certificate(
        self, question: Question, device: Device, shares: Sequence[float] | None
    ) -> Certificate | None:
        """How far a device is from the best that any could be; None where no bound is known.

        `shares` are the maximum-likelihood estimates, or None. A pure function of what it is given.
        """
        return None

    def certificate_words(self, certificate: Certificate, epsilon: str) -> list[str]:
        """The certificate in sentences for the results page."""
        return []
