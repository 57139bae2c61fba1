"""What an author says before anything is proposed, and the limits that follow from it."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Harm:
    """How harmful a leak would be, with the largest epsilons that are proposed then.

    `question`: of one report, also of one to several questions, which can tell as much about each
    of them as about all. `person`: of all reports of one person.
    """

    name: str
    label: "StrOrPromise"
    examples: "StrOrPromise"
    question: Decimal
    person: Decimal


# Whoever believes a trait of 10 in 100 beforehand believes it, after one report, of 45, 33 or 23
# at most: less than one half, a third, a quarter (docs/decisions/0061-advice.md).
HARMS = {
    harm.name: harm
    for harm in (
        Harm(
            "embarrassment",
            _("Embarrassment, or a quarrel"),
            _("Unpopular opinions, vanity, white lies, what is spent on games"),
            Decimal(2),
            Decimal(5),
        ),
        Harm(
            "livelihood",
            _("A job, a reputation, a relationship"),
            _("Cheating in exams, drinking at work, harassment, debts, illness, infidelity"),
            Decimal("1.5"),
            Decimal(3),
        ),
        Harm(
            "prosecution",
            _("Prosecution, or violence"),
            _("Crime, illegal drugs, bribery, domestic violence, persecuted belief or sexuality"),
            Decimal(1),
            Decimal(2),
        ),
    )
}

# Aims where not everything fits: what becomes as small as it can be. "even": the factor by which
# margins change, so that all questions gain or lose alike.
AIMS = ("even", "largest", "mean")


@dataclass(frozen=True, slots=True)
class Wish:
    """`margin`: half the width of a 95 % interval of a share that still suffices."""

    harm: Harm
    planned_n: int
    budget: Decimal
    margin: float = 0.1
    aim: str = "even"

    @property
    def limit(self) -> Decimal:
        """The largest epsilon of one person: the survey's budget, and less where harm is great."""
        return min(self.budget, self.harm.person)
