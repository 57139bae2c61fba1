"""The part of tiers for results: the card that says whose results a page shows."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.features.parts import ResultsPart
from surveys.features.tiers.section import frozen_tiers
from surveys.parameters.budget import spent, text_of
from surveys.results.release import Release


@dataclass(frozen=True, slots=True)
class ShownTier:
    """The tier whose results these are, by its number from 1, and `names`: of all, lowest first."""

    number: int
    names: list[tuple[int, str]]
    epsilon: str
    may_choose: bool

    @property
    def name(self) -> str:
        return self.names[self.number - 1][1]


class TiersInResults(ResultsPart):
    def page_context(self, release: Release, *, may_choose: bool) -> ShownTier | None:
        tiers = frozen_tiers(release.launch.told)
        if not tiers:
            return None
        return ShownTier(
            release.step + 1,
            [(number, tier.name) for number, tier in enumerate(tiers, start=1)],
            numbers.epsilon(text_of(spent(release.parameters.devices))),
            may_choose,
        )

    def printed(self, release: Release) -> list[str]:
        shown = self.page_context(release, may_choose=False)
        if shown is None:
            return []
        values = {
            "name": shown.name,
            "number": shown.number,
            "count": len(shown.names),
            "epsilon": shown.epsilon,
        }
        title = _("Tier %(number)s of %(count)s: %(name)s") % values
        text = _(
            "All numbers and downloads here are those of the tier “%(name)s”. What one person sent "
            "to it reveals at most ε = %(epsilon)s in all."
        )
        return [f"{title}.", text % values]
