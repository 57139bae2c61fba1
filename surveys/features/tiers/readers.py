"""The readers of tiers: each sees the results of the highest tier of theirs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.utils.translation import gettext as _

from surveys.exceptions import AudienceRefusedError, UnknownAudienceError
from surveys.features.parts import ReadersPart
from surveys.features.tiers.models import Tier
from surveys.features.tiers.section import frozen_tiers
from surveys.models import Launch, Survey

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

KEY = "tier"


class TiersForReaders(ReadersPart):
    key = KEY
    named_in = ((Tier, "readers"),)

    def surveys_of(self, user: "User") -> Q:
        return Q(pk__in=user.readable_tiers.values("survey"))

    def people_of(self, survey_id: Any) -> Q:
        readers = Tier.readers.through.objects.filter(tier__survey_id=survey_id)
        return Q(pk__in=readers.values("user_id"))

    def step_of(
        self, launch: Launch, user: "User | AnonymousUser", asked: Sequence[str]
    ) -> tuple[int, int | None]:
        """Return the step of the highest tier of theirs, and the number that was asked for.

        Authors and superusers see the highest tier of all, or the one that they ask for by its
        number from 1.
        """
        tiers = frozen_tiers(launch.parameters)
        if asked and not tiers:
            raise _unknown(_("This survey has no tiers."))
        if not tiers:
            return 0, None
        may_choose = Survey.objects.editable_by(user).filter(pk=launch.survey_id).exists()
        if asked and not may_choose:
            message = _(
                "Only the author of the survey chooses a tier. Leave “tier” out of the address."
            )
            raise AudienceRefusedError(message, code="tier_refused", field=KEY)
        if asked:
            number = _number(asked, len(tiers))
            return number - 1, number
        return (len(tiers) - 1 if may_choose else _own_step(launch, user)), None


def _unknown(message: str) -> UnknownAudienceError:
    return UnknownAudienceError(message, code="unknown_tier", field=KEY)


def _number(asked: Sequence[str], tiers: int) -> int:
    numbers = {str(number): number for number in range(1, tiers + 1)}
    if len(asked) != 1 or asked[0] not in numbers:
        message = _("“tier” must be one whole number from 1 to %(tiers)s.") % {"tiers": tiers}
        raise _unknown(message)
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
