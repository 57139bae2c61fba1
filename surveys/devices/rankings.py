"""Devices that scramble an order of items into another one. docs/methods/rankings.md"""

import functools
import math
from collections.abc import Sequence
from decimal import Decimal

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rr_engine
from rr_engine.designs.orders import all_orders, distance_counts, inversions
from rr_engine.designs.ranking import RankingDevice
from surveys import numbers
from surveys.devices.built_family import Settings
from surveys.devices.family import Family
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.parameters import ORDERS, RANKING, Ranking
from surveys.parameters.budget import text_of
from surveys.parameters.exact import ranking_device, table_of_ranking
from surveys.parameters.tables import LEAST_RANKED, MOST_RANKED, Coded
from surveys.results_document.devices import UsedDevice

# The numbers of orders, with a refusal one more.
_ITEMS = {math.factorial(items): items for items in range(LEAST_RANKED, MOST_RANKED + 1)}


class AllOrders(Family):
    """K-ary randomized response over all orders (Wang 2016, Eq. 19)."""

    name = "all_orders"
    label = _("Randomized response over all orders")
    needs = _("It takes a ranking.")
    description = _("Chance keeps the order or picks another, all others equally likely.")
    look = ORDERS
    names_answers = False
    # The radius up to which an order is likelier; None for the best one.
    radius: int | None = 0

    def fits(self, draft: Draft) -> bool:
        kind = kind_of(draft)
        return kind.control == RANKING and LEAST_RANKED <= len(draft.options) <= MOST_RANKED

    def is_listed(self, draft: Draft) -> bool:
        return kind_of(draft).control == RANKING

    def truths(self, draft: Draft) -> list[str]:
        """The numbers of the orders; the refusal is the last one."""
        count = math.factorial(len(draft.options)) + draft.prefer_not
        return [str(number) for number in range(count)]

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        return self._device(len(labels), epsilon).design

    def table(self, draft: Draft) -> Ranking:
        return table_of_ranking(self._device(len(self.truths(draft)), self.epsilon_of_each(draft)))

    def sharper_table(self, draft: Draft, waves: Sequence[Coded]) -> Ranking:
        return self.table(draft)

    def _device(self, truths: int, epsilon: Decimal) -> RankingDevice:
        refusal = truths not in _ITEMS
        return _built(_ITEMS[truths - refusal], text_of(epsilon), self.radius, refusal=refusal)

    # --- for the author -------------------------------------------------------------------------

    def planning_error(self, draft: Draft) -> float:
        """What researchers read are mean ranks, shares of ranks, and pairs of items."""
        return self._device(len(self.truths(draft)), self.epsilon_of_each(draft)).typical_error

    def seen_from_one(self, channel: rr_engine.channels.Channel) -> rr_engine.DesignMatrix:
        """The device of the rank of any one item."""
        return _device_of(channel).rank_design

    def retention_probabilities(self, channel: rr_engine.channels.Channel) -> list[float]:
        device = _device_of(channel)
        return [device.weights[0] / device.denominator]

    def told_probabilities(self, channel: rr_engine.channels.Channel) -> list[float]:
        return [_near_share(_device_of(channel))[1]]

    def retention_label(self) -> str:
        return gettext("Orders kept as they are")

    def belief_label(self) -> str:
        return gettext(
            "Belief that “%(answer)s” is first after its most telling rank, from %(prior)s"
        )

    def frequencies_of_many(self, channel: rr_engine.channels.Channel, base: int) -> str:
        near, share = _near_share(_device_of(channel))
        values = {"people": base, "kept": round(share * base), "pairs": near}
        text = (
            gettext(
                "Of %(people)s people with the same real order, %(kept)s send it and the others "
                "one that chance picks."
            )
            if near == 0
            else gettext(
                "Of %(people)s people with the same real order, %(kept)s send one in which at most "
                "%(pairs)s pairs of items are the other way round; the others one that is further "
                "away."
            )
        )
        return text % {name: numbers.count(value) for name, value in values.items()}

    def explanation(self, device: UsedDevice) -> str:
        if not isinstance(device.table, Ranking):
            return str(self.description)
        near, share = _near_share(ranking_device(device.table))
        text = (
            gettext("Chance keeps the order (%(share)s) or sends another one.")
            if near == 0
            else gettext(
                "Chance sends an order in which at most %(pairs)s pairs of items are the other way "
                "round (%(share)s), or one that is further away."
            )
        )
        return text % {"share": numbers.percent(share, 2), "pairs": numbers.count(near)}


class NearOrders(AllOrders):
    """All orders within a distance of the real one are likelier than all others."""

    name = "near_orders"
    label = _("Orders near the real one")
    description = _("Chance sends an order near the real one, or one that is further away.")
    needs = _("It takes a ranking.")
    radius = None
    rival = True


@functools.lru_cache(maxsize=64)
def _built(items: int, epsilon: str, radius: int | None, *, refusal: bool) -> RankingDevice:
    return rr_engine.designs.near_orders(items, epsilon, radius=radius, refusal=refusal)


def _device_of(channel: rr_engine.channels.Channel) -> RankingDevice:
    """The device whose table over all orders this is, read off the column of the first order."""
    if not isinstance(channel, rr_engine.DesignMatrix):
        raise TypeError("a device over orders is a table")
    integers, denominator = channel.exact_table()
    refusal = len(integers) not in _ITEMS
    items = _ITEMS[len(integers) - refusal]
    first = {inversions(order): place for place, order in enumerate(all_orders(items))}
    weights = tuple(int(integers[first[distance], 0]) for distance in sorted(first))
    chances = (int(integers[-1, 0]), int(integers[-1, -1]), int(integers[0, -1]))
    return RankingDevice(items, weights, denominator, chances if refusal else None)


def _near_share(device: RankingDevice) -> tuple[int, float]:
    """The distance up to which orders are likelier, and how often one of these is sent."""
    least = device.weights[-1]
    near = max((d for d, weight in enumerate(device.weights) if weight > least), default=0)
    pairs = zip(device.weights[: near + 1], distance_counts(device.items), strict=False)
    return near, sum(weight * count for weight, count in pairs) / device.denominator
