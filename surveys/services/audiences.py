"""The results that somebody sees: those of one tier, or of everybody in a survey without tiers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext as _

from surveys.exceptions import TierRefusedError, UnknownTierError
from surveys.models import Launch, Survey, Tier
from surveys.parameters import keys_asked_directly

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User


@dataclass(frozen=True, slots=True)
class Audience:
    """`chosen`: the number of the tier that the address names, from 1; None where it names none."""

    launch: Launch
    step: int
    chosen: int | None = None

    @property
    def query(self) -> str:
        """The end of the addresses of the same results."""
        return f"?tier={self.chosen}" if self.chosen else ""


def audience_of(
    launch: Launch, user: "User | AnonymousUser", asked: Sequence[str] = ()
) -> Audience:
    """The audience that somebody who may see the results belongs to: the highest tier of theirs.

    Authors and superusers see the highest tier of all, or the one that they ask for by its number
    from 1, as texts in `asked`. Raises TierRefusedError if anybody else asks, and UnknownTierError
    for what is no number of a tier.
    """
    tiers = launch.parameters.tiers
    if asked and not tiers:
        raise UnknownTierError(_("This survey has no tiers."))
    if not tiers:
        return Audience(launch, 0)
    may_choose = Survey.objects.editable_by(user).filter(pk=launch.survey_id).exists()
    if asked and not may_choose:
        message = _(
            "Only the author of the survey chooses a tier. Leave “tier” out of the address."
        )
        raise TierRefusedError(message)
    if asked:
        number = _number(asked, len(tiers))
        return Audience(launch, number - 1, number)
    return Audience(launch, len(tiers) - 1 if may_choose else _own_step(launch, user))


def sees_results(launch: Launch, user: "User | AnonymousUser") -> bool:
    """Whether somebody to whom the survey shows its results may see those of this launch.

    Of people who were asked something sensitive directly only those whom the author names see any:
    under an open link a stranger could send all answers of a batch but one, and subtract them.
    """
    return not keys_asked_directly(launch.parameters) or reads_reports(launch, user)


def reads_reports(launch: Launch, user: "User | AnonymousUser") -> bool:
    """Whether somebody may have the reports, one row a person or an answer: who was named by the
    author as a researcher or as a reader of a tier, and who edits the survey.

    Whoever sees the results because they are public gets estimates and tables, in every mode.
    """
    if not user.is_authenticated:
        return False
    survey = Survey.objects.filter(pk=launch.survey_id)
    named = Q(researchers=user.pk) | Q(tiers__readers=user.pk)
    return survey.filter(named).exists() or survey.editable_by(user).exists()


def _number(asked: Sequence[str], tiers: int) -> int:
    numbers = {str(number): number for number in range(1, tiers + 1)}
    if len(asked) != 1 or asked[0] not in numbers:
        message = _("“tier” must be one whole number from 1 to %(tiers)s.") % {"tiers": tiers}
        raise UnknownTierError(message)
    return numbers[asked[0]]


def _own_step(launch: Launch, user: "User | AnonymousUser") -> int:
    """Return the step of the highest tier whose reader somebody is; the lowest is for everybody."""
    if not user.is_authenticated:
        return 0
    tiers = Tier.objects.filter(survey=launch.survey_id)
    own = set(tiers.filter(readers=user.pk).values_list("pk", flat=True))
    # In the order in which they were frozen.
    steps = enumerate(tiers.order_by("position", "pk").values_list("pk", flat=True))
    return max((step for step, tier in steps if tier in own), default=0)
