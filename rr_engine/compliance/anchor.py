"""A control item with a known answer: how many respondents answer at random."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arguments import check_channel, holds_several
from rr_engine.arrays import FloatArray
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.protocol import Channel
from rr_engine.compliance.compliance_notes import COMPLIANCE_NOTES
from rr_engine.compliance.mixture import (
    absence_test,
    check_possible_reports,
    other_reports,
    share_remarks,
    share_types,
    unknown_shares,
)
from rr_engine.compliance.share_results import ShareResult
from rr_engine.errors import ArgumentError, NotIdentifiableError
from rr_engine.precision import CONDITION_LIMIT, condition_number


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorCheck(ShareResult):
    """The share of respondents who do not follow the device on a control item.

    Attributes
    ----------
    share : float
        Unconstrained and unbiased; may leave the range 0 to 1.
    standard_error : float
        inf for fewer than two reports.
    maximum_likelihood : float
        The maximum-likelihood share, from 0 to 1.
    interval : tuple of float
        By profile likelihood inside the range.
    level : float
    statistic, p_value : float
        Likelihood-ratio test that everybody follows the device; one-sided.
    interval_method : str
    notes : tuple of Note
    """

    share: float
    maximum_likelihood: float
    statistic: float
    p_value: float
    interval_method: str = "profile likelihood"


def anchor_check(
    design: Channel,
    counts: npt.ArrayLike,
    known: float | npt.ArrayLike,
    level: float = 0.95,
    otherwise: npt.ArrayLike | None = None,
) -> AnchorCheck:
    """Estimate the share of respondents who answer a control item without the device.

    Parameters
    ----------
    design : Channel
        Any whose reports are counted one by one, whatever its size: only its reports under the
        known proportions count.
    counts : array_like of int, shape (reports,); or mapping of reports to counts
        Reports on an item whose true proportions are known, such as one that is true of nobody.
    known : float or array_like, shape (truths,)
        The known proportions; for two categories the second one ("yes") alone will do.
    level : float, default 0.95
    otherwise : array_like of float, shape (reports,), optional
        Probabilities of the reports of those who do not follow the device: equal ones when left
        out (answering at random), or 1 for a report that they always give.

    Returns
    -------
    AnchorCheck

    Raises
    ------
    CountsError, DistributionError
    ArgumentError
        Also for a device of bits ("table_not_available").
    NotIdentifiableError
        When followers and the others would report alike, as with a share of one half known.

    Notes
    -----
    Pr(report) = (1 - share) P known + share * otherwise. With a binary device, equal reports and a
    trait that nobody has, 1 - share is the attentive rate of Atsusaka & Stevenson.
    docs/methods/compliance.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148.

    Examples
    --------
    Nobody is a carrier; the device says yes for one in four of them:

    >>> from rr_engine import warner
    >>> found = anchor_check(warner(0.75), [700, 300], known=0)
    >>> round(found.share, 3), round(found.standard_error, 4)
    (0.2, 0.058)
    """
    check.open_unit(level, "level")
    tally = _counting(design).tally(counts)
    truth = _proportions(design, known)
    columns = np.column_stack([design.apply(truth), other_reports(design, otherwise)])
    if not condition_number(columns) < CONDITION_LIMIT:
        rule = "give followers of the device other reports than those who do not follow it"
        raise NotIdentifiableError("known", known, rule, "groups_indistinguishable")
    check_possible_reports([columns], [tally])
    n = int(tally.sum())
    shares = share_types([columns], [tally], level) if n else unknown_shares(2)
    statistic, p_value = absence_test(columns, tally / n, n) if n else (0.0, 1.0)
    return AnchorCheck(
        share=float(shares.values[1]),
        standard_error=sqrt(shares.covariance[1, 1]),
        maximum_likelihood=float(shares.maximum_likelihood[1]),
        interval=tuple(shares.intervals[1].tolist()),
        level=float(level),
        statistic=statistic,
        p_value=p_value,
        notes=COMPLIANCE_NOTES.holding(share_remarks([columns], [tally], shares)),
    )


def _counting(design: Channel) -> Channel:
    if isinstance(check_channel(design), BitPeople):
        rule = "count reports one by one: bits of the same report are not independent of each other"
        raise ArgumentError("design", design, rule, "table_not_available")
    return design


def _proportions(design: Channel, known: float | npt.ArrayLike) -> FloatArray:
    size = design.truth_size
    if size == 2 and not holds_several(known):
        share = check.probability(known, "known")
        return np.array([1 - share, share])
    return check.distribution(known, size, "known")
