"""The base class of a physical randomizer: table, epsilon and instructions, made together."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal, localcontext

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import rr_engine
from surveys.devices.built_family import epsilon_of
from surveys.devices.served_family import ServedFamily
from surveys.drafts import Draft
from surveys.parameters import Device
from surveys.parameters.budget import text_of
from surveys.parameters.exact import table_of

# The stratum of its reports.
STRATUM = "physical"
# The precision in which an epsilon is declared; rounded up, so that the table keeps it.
STEP = Decimal("0.0001")
# Words that several of them share.
DIGITS = "0123456789"
NUMBER_OF_ANOTHER = gettext_lazy(
    "Think of the phone number of somebody you know, one that you have not used here yet, and "
    "keep to it."
)
COIN, DIE = gettext_lazy("a coin"), gettext_lazy("a die")
NUMBER = gettext_lazy("somebody else's phone number")


class PhysicalDevice(ABC):
    """A device that an author can offer beside the page's; `needs`: what a person must have."""

    def __init__(self, name: str, label: Promise, needs: Promise) -> None:
        self.name, self.label, self.needs = name, label, needs

    # The name of the family in the parameters document.
    family: ServedFamily

    @abstractmethod
    def fits(self, draft: Draft) -> bool:
        """Whether it fits the kind and the number of answers."""

    @abstractmethod
    def smallest_epsilon(self, draft: Draft) -> Decimal:
        """The smallest epsilon that it reaches for a question that it fits."""

    @abstractmethod
    def build(self, draft: Draft) -> tuple[rr_engine.DesignMatrix, list[str]]:
        """Design and instructions in the strength that the question's epsilon asks for.

        Raises EngineError, with the smallest epsilon that it reaches, when that is too strong.
        """

    @abstractmethod
    def sentences(self, draft: Draft, labels: Sequence[str]) -> list[str]:
        """The instructions in the active language; `labels`: the answers in it."""

    def reaches(self, draft: Draft) -> bool:
        """Whether it can be offered with this question at its epsilon."""
        if not self.fits(draft):
            return False
        try:
            self.build(draft)
        except rr_engine.EngineError:
            return False
        return True

    def freeze(self, draft: Draft) -> Device:
        """The device of the parameters document."""
        design, instructions = self.build(draft)
        return Device(
            id=draft.name,
            questions=(draft.name,),
            option=None,
            stratum=STRATUM,
            family=self.family.name,
            look=self.family.look,
            table=table_of(design),
            epsilon=text_of(declared_epsilon(design)),
            delta=None,
            instructions=tuple(instructions),
            search=None,
            earlier=(),
        )

    def mismatch(self) -> str:
        return _("“%s” does not fit this kind and number of answers.") % self.label


def declared_epsilon(design: rr_engine.DesignMatrix) -> Decimal:
    """The design's exact epsilon, rounded up to the precision in which it is declared."""
    ratio = design.likelihood_ratio_bound
    if ratio is None:
        raise rr_engine.errors.EpsilonError(
            "epsilon", design.epsilon, "be finite", "infinite_epsilon"
        )
    with localcontext() as context:
        # A logarithm of a fraction is irrational: with so many digits it is never on a step.
        context.prec = 50
        exact = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
        return exact.quantize(STEP, rounding=ROUND_CEILING)


def asked_epsilon(draft: Draft) -> str:
    """The epsilon that the author asks for."""
    return text_of(epsilon_of(draft))
