"""Surveys of people who report on several attributes, each by a device of its own.

People differ in the devices that they used: a pattern is one device for each of the attributes. Of
how many people used which two together each pair knows; of more the most even table is taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.product import ProductChannel, margin_of_device
from rr_engine.channels.protocol import Channel
from rr_engine.crowd.components import Chances, Component
from rr_engine.crowd.fitting import CAREFUL, LARGEST_JOINT, fit_margins, margin_of_table
from rr_engine.crowd.pairs import MeasuredPair, Pair
from rr_engine.errors import DesignError

# A pattern that fewer people have is left out.
FEWEST = 0.5
# The devices of a pair, and tallies of shape (draws, reports, reports).
PairTally = tuple[tuple[Channel, Channel], IntArray]


@dataclass(frozen=True, slots=True, eq=False)
class Reporter:
    """Attributes that are reported together, and the devices that people used for them.

    `component`: the place of the component that they make up, where they are several.
    """

    names: tuple[str, ...]
    channels: tuple[Channel, ...]
    component: int | None = None

    def part(self, name: str, place: int) -> Channel:
        """The device of one attribute, where this one of all was used."""
        channel = self.channels[place]
        if len(self.names) == 1:
            return channel
        return margin_of_device(channel, (self.names.index(name),))


def reporters_of(
    names: Sequence[str], components: Sequence[Component], pairs: Mapping[Pair, MeasuredPair]
) -> tuple[Reporter, ...]:
    """Return who reports on which attributes.

    Attributes of one component are reported together if they are all of it, by one device.
    """
    found: list[Reporter] = []
    for place, component in enumerate(components):
        asked = tuple(name for name in names if name in component.names)
        channel = _whole_device(component, asked)
        if channel is not None:
            found.append(Reporter(component.clusters[0].names, (channel,), place))
        else:
            found += [Reporter((name,), _devices_of(name, names, pairs)) for name in asked]
    return tuple(reporter for reporter in found if reporter.channels)


def _whole_device(component: Component, asked: tuple[str, ...]) -> Channel | None:
    """Return the device of a component with several attributes, all of them asked about."""
    estimate = component.clusters[0].estimate
    several = len(asked) > 1 and len(asked) == len(component.names)
    one = len(component.clusters) == 1 and not estimate.strata
    shape = estimate.design.report_shape if isinstance(estimate.design, CountingChannel) else ()
    return estimate.design if several and one and len(shape) == len(asked) else None


def _devices_of(
    name: str, names: Sequence[str], pairs: Mapping[Pair, MeasuredPair]
) -> tuple[Channel, ...]:
    devices = [
        devices[name]
        for pair, measured in pairs.items()
        if name in pair and pair <= set(names)
        for devices, _ in measured.strata
    ]
    return tuple(dict.fromkeys(devices))


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedReports:
    """The reports of all draws.

    `names`: the attributes in their order. `tallies`: for each pattern the places of the reporters'
    devices, and counts of shape (draws, a size for each reporter).
    """

    names: tuple[str, ...]
    reporters: tuple[Reporter, ...]
    tallies: list[tuple[tuple[int, ...], IntArray]]

    @property
    def n(self) -> int:
        return sum(int(counts[0].sum()) for _, counts in self.tallies)

    def of_pair(self, names: Sequence[str]) -> list[PairTally]:
        """Return the reports on two attributes, for each two devices that were used."""
        first, second = (self._holder(name) for name in names)
        found: dict[tuple[int, int], IntArray] = {}
        for places, counts in self.tallies:
            used = places[first], places[second]
            tally = self._tally(counts, ((first, names[0]), (second, names[1])), used)
            found[used] = found[used] + tally if used in found else tally
        pair = self.reporters[first], self.reporters[second]
        return [
            ((pair[0].part(names[0], used[0]), pair[1].part(names[1], used[1])), tally)
            for used, tally in found.items()
        ]

    def of_all(self, reporter: int) -> IntArray:
        """Return the reports of one reporter, with whatever device, shape (draws, reports)."""
        parts = [margin_of_table(counts, (reporter,)) for _, counts in self.tallies]
        return np.sum(parts, axis=0)

    def _holder(self, name: str) -> int:
        return next(i for i, reporter in enumerate(self.reporters) if name in reporter.names)

    def _tally(
        self, counts: IntArray, asked: Sequence[tuple[int, str]], used: tuple[int, int]
    ) -> IntArray:
        """Return the counts of the reports on two attributes."""
        table = margin_of_table(counts, tuple(holder for holder, _ in asked))
        for axis, ((holder, name), place) in enumerate(zip(asked, used, strict=True), start=1):
            reporter = self.reporters[holder]
            if len(reporter.names) > 1:
                shape = reporter.channels[place].report_shape
                table = np.moveaxis(table, axis, -1)
                table = table.reshape(*table.shape[:-1], *shape)
                kept = table.ndim - len(shape) + reporter.names.index(name)
                others = tuple(a for a in range(table.ndim - len(shape), table.ndim) if a != kept)
                table = np.moveaxis(table.sum(axis=others), -1, axis)
        return table


def simulated_reports(
    joint: FloatArray,
    names: Sequence[str],
    reporters: tuple[Reporter, ...],
    pairs: Mapping[Pair, MeasuredPair],
    repetitions: int,
    chances: Chances,
) -> SimulatedReports:
    """Draw surveys of a crowd with this joint table; `names` are those of its axes.

    As many people as reported on the pair of the fewest.
    """
    n = min(pair.n for pair in pairs.values())
    order = [names.index(name) for reporter in reporters for name in reporter.names]
    shares = margin_of_table(joint[None], tuple(order))[0].ravel()
    tallies = []
    for number, (places, weight) in enumerate(_patterns(reporters, pairs)):
        people = round(n * weight)
        if people < FEWEST:
            continue
        devices = [reporter.channels[p] for reporter, p in zip(reporters, places, strict=True)]
        sizes = [device.tally_size for device in devices]
        if prod(sizes) > LARGEST_JOINT:
            rule = f"have at most {LARGEST_JOINT} combinations of reports"
            raise DesignError("names", prod(sizes), rule, "too_many_cells", LARGEST_JOINT)
        expected = np.clip(ProductChannel(tuple(devices)).apply(shares), 0.0, 1.0)
        generator = chances.of_pattern(number)
        counts = generator.multinomial(people, expected / expected.sum(), size=repetitions)
        tallies.append((places, counts.reshape(repetitions, *sizes)))
    return SimulatedReports(tuple(names), reporters, tallies)


def _patterns(
    reporters: Sequence[Reporter], pairs: Mapping[Pair, MeasuredPair]
) -> list[tuple[tuple[int, ...], float]]:
    """Return the patterns with the shares of the people who have them."""
    sizes = tuple(len(reporter.channels) for reporter in reporters)
    margins, axes = [], []
    for first, second in combinations(range(len(reporters)), 2):
        margin = _used_together(reporters[first], reporters[second], pairs)
        if margin is not None:
            margins.append(margin[None])
            axes.append((first, second))
    table = fit_margins(margins, axes, sizes, CAREFUL)[0][0]
    return [(place, float(weight)) for place, weight in np.ndenumerate(table) if weight > 0]


def _used_together(
    first: Reporter, second: Reporter, pairs: Mapping[Pair, MeasuredPair]
) -> FloatArray | None:
    """Return how often two reporters' devices were used by one person; None if not known."""
    for name in first.names:
        for other in second.names:
            measured = pairs.get(frozenset((name, other)))
            if measured is not None:
                table = np.zeros((len(first.channels), len(second.channels)))
                for devices, n in measured.strata:
                    table[_place(first, devices[name]), _place(second, devices[other])] += n
                return table / table.sum()
    return None


def _place(reporter: Reporter, device: Channel) -> int:
    return 0 if len(reporter.names) > 1 else reporter.channels.index(device)
