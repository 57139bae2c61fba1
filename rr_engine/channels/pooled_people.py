"""The tally of several devices together, the people behind it, and chance."""

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_list
from rr_engine.channels.beliefs import TableBeliefs
from rr_engine.channels.counting import Stacked, whole_people
from rr_engine.channels.protocol import Channel, Likelihood, ReportedShare, SingleShares, Weights
from rr_engine.device import RandomBytes
from rr_engine.errors import ArgumentError, CountsError


class PooledPeople(TableBeliefs):
    """Counts, people and reports of several devices, whose tallies follow each other."""

    __slots__ = ()

    # The device of each stratum, and the number of its reports.
    channels: tuple[Channel, ...]
    sizes: tuple[int, ...]
    uniform = None
    pair = None
    saturated = False

    @property
    def n(self) -> int:
        """Number of reports of all strata."""
        return sum(self.sizes)

    @property
    def shares_of_strata(self) -> FloatArray:
        """Share of each stratum of all reports, w_s."""
        return np.array(self.sizes) / self.n

    def weighted_channels(self) -> list[tuple[float, Channel]]:
        """Return w_s and the channel of every stratum."""
        return list(zip(self.shares_of_strata.tolist(), self.channels, strict=True))

    def split(self, stacked: npt.NDArray) -> list[npt.NDArray]:
        """Return the part of every stratum of an array whose last axis is the stacked tally."""
        ends = np.cumsum([channel.tally_size for channel in self.channels])
        return np.split(stacked, ends[:-1], axis=-1)

    def report_label(self, index: int) -> str:
        """Return the number of the stratum, from 1, and the name of the entry of its tally."""
        starts = np.cumsum([0, *(channel.tally_size for channel in self.channels)])
        stratum = int(np.searchsorted(starts, index, side="right")) - 1
        label = self.channels[stratum].report_label(index - int(starts[stratum]))
        return f"{stratum + 1}: {label}"

    # -- single entries -------------------------------------------------------------------------

    def reported_share(self, truth: int) -> ReportedShare | None:
        """Return None: a proportion shows through every device."""
        return None

    def single_shares(self, weights: Weights = None) -> SingleShares | None:
        """Return None for the same reason."""
        return None

    def report_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest share of each entry of the stacked tally."""
        bounds = [
            [np.broadcast_to(w * end, (each.tally_size,)) for end in each.report_bounds()]
            for w, each in self.weighted_channels()
        ]
        least, most = (np.concatenate(ends) for ends in zip(*bounds, strict=True))
        return least, most

    # -- counts ---------------------------------------------------------------------------------

    def tally(self, counts: object, argument: str = "counts") -> IntArray:
        """Return the tallies of all strata in a row; takes one set of counts for each."""
        size = len(self.channels)
        rule = f"have counts for each of the {size} strata"
        given = check.entries(counts, argument, size, rule, "tallies_do_not_fit", CountsError)
        pairs = zip(self.channels, given, strict=True)
        return np.concatenate([each.tally(part, argument) for each, part in pairs])

    def people(self, counts: IntArray) -> int:
        """Return the number of people of all strata."""
        pairs = zip(self.channels, self.split(counts), strict=True)
        return sum(each.people(part) for each, part in pairs)

    def all_alike(self, counts: IntArray) -> bool:
        """Tell whether the reports of every stratum are all the same."""
        pairs = zip(self.channels, self.split(counts), strict=True)
        return all(each.all_alike(part) or each.people(part) == 1 for each, part in pairs)

    # -- truths: those of every channel ---------------------------------------------------------

    def check_shares(self, value: object, argument: str = "prior") -> FloatArray:
        """Return true proportions, checked."""
        return self.channels[0].check_shares(value, argument)

    def equal_shares(self) -> FloatArray:
        """Return the uninformative proportions."""
        return self.channels[0].equal_shares()

    def spread_shares(self, share: float, truth: int) -> FloatArray:
        """Return proportions with this share of one truth and uninformative others."""
        return self.channels[0].spread_shares(share, truth)

    def project(self, shares: FloatArray) -> FloatArray:
        """Return the nearest proportions that can exist."""
        return self.channels[0].project(shares)

    def likelihood(self, counts: object, reported: FloatArray) -> tuple[Likelihood, FloatArray]:
        """Return the product of the strata's likelihoods; `counts` as they were given."""
        given = as_list(counts) or [None] * len(self.channels)
        strata = zip(self.weighted_channels(), given, self.split(reported), strict=True)
        rows = [each.likelihood(part, shares / w) for (w, each), part, shares in strata]
        best = int(np.argmin([channel.condition_number for channel in self.channels]))
        stacked = Stacked([part for part, _ in rows], self.shares_of_strata.tolist(), best)
        observed = [w * own for w, (_, own) in zip(self.shares_of_strata, rows, strict=True)]
        return stacked, np.concatenate(observed)

    # -- chance ---------------------------------------------------------------------------------

    def draw(self, truths: ArrayLike, random_bytes: RandomBytes) -> IntArray:
        """Refuse: each stratum's own device draws its reports."""
        rule = "be one of the devices of the strata to draw from"
        raise ArgumentError("channel", self, rule, "no_integers")

    def whole_people(self, shares: FloatArray, n: int) -> IntArray:
        """Return the number of people with each truth, rounded to integers that sum to `n`."""
        return self.channels[0].whole_people(shares, n)

    def drawn_people(self, shares: FloatArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw how many of `n` people of a population have each truth."""
        return self.channels[0].drawn_people(shares, n, rng)

    def survey_counts(
        self, shares: FloatArray, n: int, rng: np.random.Generator, surveys: int
    ) -> IntArray:
        """Draw stacked tallies of surveys of `n` people, split among the strata as these are."""
        pairs = zip(self.channels, whole_people(self.shares_of_strata, n).tolist(), strict=True)
        return np.hstack([each.survey_counts(shares, size, rng, surveys) for each, size in pairs])

    def counts_of(self, people: IntArray, n: int, rng: np.random.Generator) -> IntArray:
        """Refuse: who of a given group used which device is not part of a tally."""
        return self.draw(people, rng.bytes)
