"""What a crowd was asked: its attributes, and the reports of its clusters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel_list, check_tallies
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_list, keep
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.product import Divisible
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError, CategoryError, CountsError
from rr_engine.estimation.device_stratum import DeviceStratum
from rr_engine.estimation.estimating import estimate
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.stratified import estimate_strata

# For each attribute the categories that are meant.
Condition = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class CrowdAttribute:
    """One question about everybody in the crowd.

    Parameters
    ----------
    name : str
    categories : sequence of str, or int
        Labels of its answers, or their number.
    scores : sequence of float or None, optional
        The number that each category stands for; None where it stands for none, such as "prefer
        not to say". Statistics of numbers are about those who have one. Left out: categories
        without numbers.
    boundaries : sequence of float, optional
        Where bins begin and end, of an attribute whose first categories are bins: one more than
        there are scores. Quantiles are then interpolated in the bins.

    Raises
    ------
    ArgumentError, CategoryError

    Examples
    --------
    >>> CrowdAttribute("age", ["18 to 39", "40 to 79", "no answer"], (29, 60, None)).values.tolist()
    [29.0, 60.0]
    """

    name: str
    categories: tuple[str, ...]
    scores: tuple[float | None, ...] | None = None
    boundaries: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        check_name(self.name, "name")
        labels = check.categories(self.categories)
        keep(self, categories=labels, scores=_check_scores(self.scores, len(labels)))
        keep(self, boundaries=_check_boundaries(self))

    @property
    def size(self) -> int:
        """Number of categories."""
        return len(self.categories)

    @property
    def valued(self) -> tuple[int, ...]:
        """The categories that stand for a number."""
        scores = self.scores or ()
        return tuple(index for index, score in enumerate(scores) if score is not None)

    @property
    def values(self) -> FloatArray:
        """Their numbers."""
        return np.array([score for score in self.scores or () if score is not None])


def _check_scores(value: object, size: int) -> tuple[float | None, ...] | None:
    if value is None:
        return None
    rule = f"be {size} finite numbers or None, of which two or more differ"
    scores = tuple(
        None if entry is None else check.real(entry, "scores", rule)
        for entry in check.entries(value, "scores", size, rule, "scores_unusable")
    )
    numbers = {score for score in scores if score is not None}
    if len(numbers) < 2 or max(map(abs, numbers)) > 1e100:
        raise ArgumentError("scores", value, rule, "scores_unusable")
    return scores


def _check_boundaries(attribute: CrowdAttribute) -> tuple[float, ...] | None:
    if attribute.boundaries is None:
        return None
    count = len(attribute.valued)
    rule = f"be {count + 1} rising numbers, for categories of which the first are bins"
    boundaries = check.reals(attribute.boundaries, (count + 1,), "boundaries", rule)
    if attribute.valued != tuple(range(count)) or (np.diff(boundaries) <= 0).any():
        raise ArgumentError("boundaries", attribute.boundaries, rule, "not_a_partition")
    return tuple(boundaries.tolist())


def check_name(value: object, argument: str) -> str:
    """Return the name of an attribute."""
    if not isinstance(value, str) or not value:
        raise CategoryError(argument, value, "be a non-empty string", "empty_label")
    return value


def check_known(
    value: object, known: Mapping[str, CrowdAttribute], argument: str
) -> CrowdAttribute:
    """Return the attribute of this name."""
    if not isinstance(value, str) or value not in known:
        rule = f"be one of the attributes {', '.join(known)}"
        raise ArgumentError(argument, value, rule, "unknown_choice")
    return known[value]


def check_numeric(
    value: object, known: Mapping[str, CrowdAttribute], argument: str
) -> CrowdAttribute:
    """Return the attribute of this name, which has scores."""
    attribute = check_known(value, known, argument)
    if attribute.scores is None:
        raise ArgumentError(argument, value, "name an attribute with scores", "scores_unusable")
    return attribute


def check_condition(
    value: object, known: Mapping[str, CrowdAttribute], argument: str
) -> dict[str, tuple[int, ...]]:
    """Return a condition: categories of each of some attributes."""
    if not isinstance(value, Mapping):
        rule = "be a mapping from attributes to lists of their categories"
        raise ArgumentError(argument, value, rule, "not_a_condition")
    return {
        check_known(name, known, argument).name: _check_chosen(chosen, known[name], argument)
        for name, chosen in value.items()
    }


def _check_chosen(value: object, attribute: CrowdAttribute, argument: str) -> tuple[int, ...]:
    chosen = as_list(value)
    rule = f"name one or more of the categories 0 to {attribute.size - 1} of {attribute.name}"
    whole = [int(index) for index in chosen or () if isinstance(index, int | np.integer)]
    if not chosen or len(whole) < len(chosen) or not set(whole) <= set(range(attribute.size)):
        raise ArgumentError(argument, value, rule, "not_a_condition")
    return tuple(sorted(set(whole)))


def mask_of(chosen: Sequence[int], size: int) -> FloatArray:
    """Return ones at the chosen categories, zeros elsewhere."""
    mask = np.zeros(size)
    mask[list(chosen)] = 1.0
    return mask


@dataclass(frozen=True, slots=True, eq=False)
class ClusterReports:
    """The reports on attributes that were asked together, all by one device.

    Parameters
    ----------
    attributes : sequence of str
        Names of the attributes; one or more.
    channels : sequence of Channel
        The device: a channel whose truths are the combinations of the attributes' categories, in
        C order. Several where the respondents used different devices: one for each stratum.
    counts : sequence of array_like of int
        How often each report came in, for each channel.
    prior : array_like of float, optional
        Weighs the reports of a single channel with more reports than truths, as for
        :func:`rr_engine.estimate`.

    Raises
    ------
    ArgumentError, CategoryError, CountsError

    Examples
    --------
    >>> from rr_engine.channels import joint_design
    >>> both = joint_design([2, 3], 0.8)
    >>> ClusterReports(["smokes", "drinks"], [both], [[400, 100, 100, 100, 100, 200]]).n
    1000
    """

    attributes: tuple[str, ...]
    channels: tuple[Channel, ...]
    counts: tuple[IntArray, ...]
    prior: ArrayLike | None = None

    def __post_init__(self) -> None:
        names = as_list(self.attributes)
        if not names or len({check_name(name, "attributes") for name in names}) < len(names):
            rule = "name one or more attributes, each once"
            raise ArgumentError("attributes", self.attributes, rule, "axes_not_distinct")
        channels = check_channel_list(self.channels, "channels")
        tallies = check_tallies(channels, self.counts)
        if self.prior is not None and len(channels) > 1:
            rule = "be left out where there are several channels"
            raise ArgumentError("prior", self.prior, rule, "prior_not_used")
        if self.prior is not None:
            channels[0].check_shares(self.prior)
        if not any(tally.any() for tally in tallies):
            raise CountsError("counts", self.counts, "hold one or more reports", "too_few_reports")
        keep(self, attributes=names, channels=tuple(channels), counts=tuple(tallies))

    @property
    def n(self) -> int:
        """Number of people."""
        pairs = zip(self.channels, self.counts, strict=True)
        return sum(channel.people(tally) for channel, tally in pairs)


@dataclass(frozen=True, slots=True, eq=False)
class ClusterEstimate:
    """The unbiased table of a cluster, and the tables that further surveys would have given."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    estimate: Estimate

    @property
    def table(self) -> FloatArray:
        """The estimate, shape (1, *sizes); cells may be negative."""
        return self.estimate.proportions.reshape(1, *self.sizes)

    def draw(
        self, table: FloatArray, repetitions: int, generator: np.random.Generator
    ) -> FloatArray:
        """Return the unbiased tables of surveys of a crowd with this table.

        Reports of people with random truths are counts of the multinomial distribution with the
        probabilities of the reports, so that no people are drawn. Shape (repetitions, *sizes).
        """
        shares = table.ravel()
        strata = self.estimate.strata or (
            DeviceStratum(self.estimate.design, self.estimate.counts),
        )
        counts = [_draw_counts(stratum, shares, repetitions, generator) for stratum in strata]
        reported = np.concatenate(counts, axis=1) / self.estimate.n
        solved = self.estimate.design.solve(reported, self.estimate.weights)
        return solved.reshape(repetitions, *self.sizes)

    def margin(self, names: Collection[str]) -> ClusterEstimate | None:
        """Return the estimate of some of the attributes alone; None where the device has none."""
        design, axes = self.estimate.design, [i for i, n in enumerate(self.names) if n in names]
        shape = design.report_shape
        if self.estimate.strata or not isinstance(design, Divisible):
            return None
        if len(shape) != len(self.names) or design.truth_shape != self.sizes:
            return None
        try:
            channel = design.margin(axes)
        except ArgumentError:
            return None
        others = tuple(axis for axis in range(len(shape)) if axis not in axes)
        counts = self.estimate.counts.reshape(shape).sum(axis=others).ravel()
        part = tuple(self.names[axis] for axis in axes), tuple(self.sizes[axis] for axis in axes)
        return ClusterEstimate(*part, estimate(channel, counts))

    def margin_variance(self, axes: tuple[int, ...]) -> float:
        """Return the mean variance of the cells of a margin if all truths were equally frequent.

        It does not depend on the reports, so that estimates weighed by it stay unbiased.
        """
        others = tuple(axis for axis in range(len(self.sizes)) if axis not in axes)
        cells = prod(self.sizes[axis] for axis in axes)
        indices = np.arange(cells).reshape([self.sizes[axis] for axis in axes])
        places = np.broadcast_to(np.expand_dims(indices, others), self.sizes).ravel()
        contrasts = (places == np.arange(cells)[:, None]).astype(np.float64)
        design = self.estimate.design
        scores = design.scores(contrasts, self.estimate.weights)
        expected = design.apply(np.full(design.truth_size, 1 / design.truth_size))
        spread = (scores**2) @ expected - (scores @ expected) ** 2
        return float(spread.mean()) / self.estimate.n


def _draw_counts(
    stratum: DeviceStratum, shares: FloatArray, repetitions: int, generator: np.random.Generator
) -> IntArray:
    """Return tallies of a stratum, shape (repetitions, tally)."""
    design = stratum.design
    if not isinstance(design, CountingChannel):
        # Each person sends a string of bits, so that the bits' counts depend on each other.
        tallies = []
        for _ in range(repetitions):
            people = design.drawn_people(shares, stratum.n, generator)
            tallies.append(design.counts_of(people, stratum.n, generator))
        return np.array(tallies)
    chances = np.clip(design.apply(shares), 0.0, 1.0)
    return generator.multinomial(stratum.n, chances / chances.sum(), size=repetitions)


def estimate_cluster(reports: ClusterReports, sizes: tuple[int, ...]) -> ClusterEstimate:
    """Return the unbiased table of a cluster whose attributes have so many categories."""
    check_truths(reports, sizes)
    if len(reports.channels) == 1:
        (channel,), (counts,) = reports.channels, reports.counts
        result = estimate(channel, counts, prior=reports.prior)
    else:
        result = estimate_strata(reports.channels, reports.counts)
    return ClusterEstimate(reports.attributes, sizes, result)


def check_truths(reports: ClusterReports, sizes: tuple[int, ...]) -> None:
    """Refuse channels that are not about the combinations of so many categories."""
    for channel in reports.channels:
        if channel.truth_size != prod(sizes) or not channel.exclusive:
            rule = f"have the {prod(sizes)} combinations of {', '.join(reports.attributes)}"
            raise ArgumentError("channels", channel.truth_shape, rule, "truths_do_not_fit")
