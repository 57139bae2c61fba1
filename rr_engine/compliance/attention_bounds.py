"""The prevalence if an unknown share of respondents did not pay attention."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel, check_table
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray
from rr_engine.channels.protocol import Channel
from rr_engine.compliance.mixture import other_reports
from rr_engine.compliance.share_results import COMPLIANCE_NOTES
from rr_engine.design import DesignMatrix
from rr_engine.display.figures import Drawn, Lines
from rr_engine.errors import ArgumentError
from rr_engine.estimation.estimating import estimate
from rr_engine.estimation.notes import Note
from rr_engine.estimation.result import Estimate
from rr_engine.roots import halve

HALVINGS = 40
# Nearer to one, nothing is left of the estimate.
MOST_INATTENTIVE = 0.999


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class InattentionBounds(FrozenArrays, Drawn):
    """A prevalence for each assumed share of respondents who do not follow the device.

    Attributes
    ----------
    shares : ndarray of float, shape (m,)
        The assumed shares, in the order given.
    prevalences, standard_errors : ndarray of float, shape (m,)
        Unbiased if the share is right; may leave the range 0 to 1.
    intervals : ndarray of float, shape (m, 2)
        Cut to the range 0 to 1.
    bounds : tuple of float
        The smallest and the largest of the prevalences, cut to the range.
    interval : tuple of float
        From the lowest to the highest end of the intervals: whatever the share among those assumed.
    level : float
    largest_share : float
        Up to which share the prevalence stays between 0 and 1: beyond it the assumption contradicts
        the reports.
    explaining_share : float or None
        The share at which the prevalence would be the one asked for directly; None where no share
        is, or none was given.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import crosswise
    >>> from rr_engine.compliance import inattention_bounds
    >>> found = inattention_bounds(crosswise(0.25), [112, 198], [0, 0.1, 0.2, 0.3], direct=0.073)
    >>> [round(bound, 3) for bound in found.bounds], round(found.largest_share, 2)
    ([0.104, 0.223], 0.45)
    """

    shares: FloatArray
    prevalences: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    bounds: tuple[float, float]
    interval: tuple[float, float]
    level: float
    largest_share: float
    explaining_share: float | None
    notes: tuple[Note, ...] = ()

    def _figure(self) -> Lines:
        lower, upper = self.intervals.T.tolist()
        return Lines(
            places=self.shares.tolist(),
            lines={"estimate": self.prevalences.tolist(), "lower end": lower, "upper end": upper},
            across="Share that does not follow the device",
            up="Prevalence",
            title="Prevalence by what is assumed of respondents",
        )


@dataclass(frozen=True, slots=True)
class _Setting:
    """The device, what the others report, the counts, and the category of interest."""

    design: Channel
    others: FloatArray
    counts: IntArray
    category: int

    def at(self, share: float) -> Estimate:
        """Return the estimate if that share does not follow the device: a noisier device."""
        mixed = (1 - share) * self.design.matrix + share * self.others[:, None]
        return estimate(DesignMatrix(mixed / mixed.sum(axis=0)), self.counts)

    def prevalence(self, share: float) -> float:
        """Return the estimated prevalence."""
        return float(self.at(share).proportions[self.category])


def inattention_bounds(
    design: Channel,
    counts: ArrayLike,
    shares: ArrayLike | None = None,
    otherwise: ArrayLike | None = None,
    category: int | None = None,
    level: float = 0.95,
    direct: float | None = None,
) -> InattentionBounds:
    """Bound a prevalence where nobody knows how many respondents followed the device.

    Parameters
    ----------
    design : Channel
        Any with a table that is small enough to form.
    counts : array_like of int, shape (reports,); or mapping of reports to counts
    shares : array_like of float, optional
        Assumed shares of respondents who do not follow the device, from 0 to below 1;
        0, 0.01, ... 0.5 when left out.
    otherwise : array_like of float, shape (reports,), optional
        Probabilities of the reports of those: equal ones when left out (answering at random).
    category : int, optional
        1 ("yes" in a binary design) when left out.
    level : float, default 0.95
    direct : float, optional
        A prevalence found otherwise, such as by asking directly.

    Returns
    -------
    InattentionBounds

    Raises
    ------
    CountsError, DistributionError, NotIdentifiableError
    ArgumentError
        Also for a channel without a table ("table_too_large", "table_not_available").

    Notes
    -----
    Inattention is a noisier device, ``(1 - share) P + share otherwise 1'``, with which everything
    is estimated as usual. With answers at random the prevalence moves away from equal shares as the
    assumed share grows. docs/methods/compliance.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148 (crosswise).

    Examples
    --------
    The example of the authors' package: 198 of 310 said "the same", 7.3 % admitted it directly.

    >>> from rr_engine import crosswise
    >>> found = inattention_bounds(crosswise(0.25), [112, 198], [0, 0.1, 0.2, 0.3], direct=0.073)
    >>> found.prevalences.round(3).tolist(), round(found.explaining_share, 2)
    ([0.223, 0.192, 0.153, 0.104], 0.35)
    """
    confidence = check.open_unit(level, "level")
    channel = check_table(check_channel(design))
    assumed = _shares(shares)
    index = check.whole(
        1 if category is None else category, "category", maximum=channel.truth_size - 1
    )
    known = None if direct is None else check.probability(direct, "direct")
    setting = _Setting(channel, other_reports(channel, otherwise), channel.tally(counts), index)
    # Refuses what cannot be estimated even when everybody is attentive.
    estimate(channel, counts)
    found = [setting.at(share) for share in assumed.tolist()]
    prevalences = np.array([float(one.proportions[index]) for one in found])
    intervals = np.array([one.possible_interval(confidence)[index] for one in found])
    cut = np.clip(prevalences, 0, 1)
    n = int(setting.counts.sum())
    return InattentionBounds(
        shares=assumed,
        prevalences=prevalences,
        standard_errors=np.array([float(one.standard_errors[index]) for one in found]),
        intervals=intervals,
        bounds=(float(cut.min()), float(cut.max())),
        interval=(float(intervals[:, 0].min()), float(intervals[:, 1].max())),
        level=confidence,
        largest_share=_largest(setting),
        explaining_share=None if known is None else _explaining(setting, known),
        notes=COMPLIANCE_NOTES.holding(
            {
                "no_reports": n == 0,
                "one_report": n == 1,
                "outside_range": bool((prevalences < 0).any() or (prevalences > 1).any()),
            }
        ),
    )


def _shares(value: ArrayLike | None) -> FloatArray:
    if value is None:
        return np.arange(51) / 100
    rule = "be a list of shares from 0 to below 1"
    shares = check.reals(value, None, "shares", rule)
    if (shares < 0).any() or (shares > MOST_INATTENTIVE).any():
        rule = f"be a list of shares from 0 to {MOST_INATTENTIVE}"
        raise ArgumentError("shares", value, rule, "out_of_range", MOST_INATTENTIVE)
    return shares


def _largest(setting: _Setting) -> float:
    """Return the share up to which the prevalence can exist, by halving."""

    def possible(share: float) -> bool:
        return 0 <= setting.prevalence(share) <= 1

    if not possible(0.0):
        return 0.0
    if possible(MOST_INATTENTIVE):
        return 1.0
    return float(np.mean(halve(possible, 0.0, MOST_INATTENTIVE, HALVINGS)))


def _explaining(setting: _Setting, wanted: float) -> float | None:
    """Return the share at which the prevalence is the one wanted."""
    start = setting.prevalence(0.0) - wanted
    if start == 0:
        return 0.0

    def before(share: float) -> bool:
        return (setting.prevalence(share) - wanted) * start > 0

    if before(MOST_INATTENTIVE):
        return None
    return float(np.mean(halve(before, 0.0, MOST_INATTENTIVE, HALVINGS)))
