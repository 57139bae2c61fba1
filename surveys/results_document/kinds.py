"""The results that only some kinds of questions have: numbers, texts and networks."""

from typing import TYPE_CHECKING

import msgspec

from surveys.features.settings import stored
from surveys.results_document.parts import ABSENT, Interval, Notes, Part, Share

# --- numbers ------------------------------------------------------------------------------------


class EitherMean:
    """A mean from one bit, or from bins: the document does not say by a key which one it is."""

    __slots__ = ()


@stored
class MeanOfOneBit(Part, EitherMean, frozen=True, kw_only=True):
    estimate: float | None
    maximum_likelihood: float | None
    interval: Interval
    interval_50: Interval
    confidence_sequence: Interval
    standard_error: float | None
    fake_weight: float | None
    fakes: float | None
    reported: int | None
    reported_share: float | None


@stored
class MeanOfBins(Part, EitherMean, frozen=True, kw_only=True):
    """`discretisation`: how far from it the mean can be; `interval_of_all`: that of all numbers."""

    estimate: float | None
    standard_error: float | None
    interval: Interval
    interval_50: Interval
    discretisation: float
    interval_of_all: Interval


if TYPE_CHECKING:
    Mean = MeanOfOneBit | MeanOfBins
else:
    # msgspec takes no two types that nothing tells apart; `mean_of_json` does.
    Mean = EitherMean


# The types that a schema has in place of what nothing tells apart.
MEANS = (MeanOfOneBit, MeanOfBins)


def mean_of_json(wanted: type, content: object) -> object:
    """Read the mean of a number, which is the only part that msgspec cannot read."""
    if wanted is not EitherMean:
        raise TypeError(f"{wanted} is a type that msgspec has to read")
    if not isinstance(content, dict):
        raise ValueError("the mean of a number is an object")
    return msgspec.convert(content, MeanOfOneBit if "fakes" in content else MeanOfBins)


class Quantile(Part, frozen=True, kw_only=True):
    """`even_interval`: if the numbers of a bin are spread evenly over it."""

    chance: float
    estimate: float | None
    interval: Interval
    even_interval: Interval


class Distribution(Part, frozen=True, kw_only=True):
    boundaries: tuple[float, ...]
    cumulative: tuple[float | None, ...]
    standard_errors: tuple[float | None, ...]
    monotone: tuple[float | None, ...]


class Number(Part, frozen=True, kw_only=True):
    """`distribution`: None without bins, of which there are no quantiles either."""

    lower: float
    upper: float
    unit: str
    mean: Mean
    quantiles: tuple[Quantile, ...]
    distribution: Distribution | None
    notes: Notes


# --- texts --------------------------------------------------------------------------------------


class Candidate(Part, frozen=True, kw_only=True):
    """A text of the list; `bounded`: its share between 0 and 1."""

    label: str
    estimate: float | None
    bounded: float | None
    standard_error: float | None
    interval: Interval
    interval_50: Interval
    p_value: float | None
    found: bool


class CandidateList(Part, frozen=True, kw_only=True):
    size: int
    digest: str


class Unlisted(Part, frozen=True, kw_only=True):
    """The share of the people whose text is not on the list."""

    estimate: float | None
    standard_error: float | None


class Texts(Part, frozen=True, kw_only=True):
    """Without candidates nothing is estimated."""

    list: CandidateList
    candidates: tuple[Candidate, ...]
    unlisted: Unlisted | None
    false_discovery_rate: float = ABSENT
    dispersion: float | None = ABSENT


# --- rankings -----------------------------------------------------------------------------------


class MeanRank(Part, frozen=True, kw_only=True):
    """The mean rank of an item, 1 for the first, of those who rank."""

    label: str
    estimate: float | None
    standard_error: float | None
    interval: Interval
    interval_50: Interval
    notes: Notes


class RankShare(Part, frozen=True, kw_only=True):
    """The share of those, of all who answered, who put an item, by its number, at a rank."""

    item: int
    rank: int
    estimate: float | None
    maximum_likelihood: float | None
    standard_error: float | None
    interval: Interval
    interval_50: Interval


class PairShare(Part, frozen=True, kw_only=True):
    """The share of those, of all who rank, who put the first of two items before the second."""

    first: int
    second: int
    estimate: float | None
    standard_error: float | None
    interval: Interval
    notes: Notes


class OrderShare(Part, frozen=True, kw_only=True):
    """The share of a whole order, by the numbers of its items, of all who answered."""

    order: tuple[int, ...]
    estimate: float | None
    maximum_likelihood: float | None
    standard_error: float | None
    interval: Interval
    interval_50: Interval


class RankingResults(Part, frozen=True, kw_only=True):
    """`orders`: none of more than four items. `refusal`: None where there is no refusal."""

    means: tuple[MeanRank, ...]
    shares: tuple[RankShare, ...]
    pairs: tuple[PairShare, ...]
    orders: tuple[OrderShare, ...]
    refusal: Share | None


# --- networks -----------------------------------------------------------------------------------


class TiePrivacy(Part, frozen=True, kw_only=True):
    """The epsilon of one tie and of all that one person says; None where there is no bound."""

    tie: float | None
    tie_at_both_ends: float | None
    person: float | None
    everything_about_person: float | None


class NetworkStatistic(Part, frozen=True, kw_only=True):
    name: str
    estimate: float | None
    standard_error: float | None
    interval: Interval
    interval_50: Interval
    notes: Notes


class DegreeClass(Part, frozen=True, kw_only=True):
    """The share of the members with so many ties; `highest`: None where the class is open."""

    lowest: int
    highest: int | None
    estimate: float | None
    interval: Interval
    interval_50: Interval

    @property
    def standard_error(self) -> None:
        return None


class Degrees(Part, frozen=True, kw_only=True):
    """`kind`: whose ties are counted, given or received ones. `shares`: none of one class alone."""

    kind: str
    mean: NetworkStatistic
    variance: NetworkStatistic
    shares: tuple[DegreeClass, ...]
    notes: Notes


class MemberGroup(Part, frozen=True, kw_only=True):
    label: str
    members: int
    shown: bool


class MixingCell(Part, frozen=True, kw_only=True):
    """The density from one group, by its number, to another."""

    first: int = msgspec.field(name="from")
    second: int = msgspec.field(name="to")
    pairs: int
    estimate: float | None
    standard_error: float | None
    interval: Interval
    interval_50: Interval
    notes: Notes


class Mixing(Part, frozen=True, kw_only=True):
    groups: tuple[MemberGroup, ...]
    cells: tuple[MixingCell, ...]


class Reconstruction(Part, frozen=True, kw_only=True):
    ties: int
    tie_kept: float | None
    triangles: float
    triangles_bias: float | None
    degree_variance: float | None


class NetworkResults(Part, frozen=True, kw_only=True):
    """Where too few have answered, there are counts and privacy only."""

    directed: bool
    members: int
    reporters: int
    missing: int
    least_people: int
    privacy: TiePrivacy
    pairs: int | None = None
    asked_pairs: int | None = None
    statistics: tuple[NetworkStatistic, ...] = ()
    degrees: tuple[Degrees, ...] = ()
    mixing: Mixing | None = None
    reconstruction: Reconstruction | None = None
