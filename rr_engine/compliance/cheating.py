"""Those who leave the device aside: their share by several devices, or by an anchor."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from rr_engine import check
from rr_engine.arguments import (
    check_channel,
    check_tables,
    check_tallies,
    holds_several,
    truth_labels,
)
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.protocol import Channel
from rr_engine.compliance import mixture
from rr_engine.compliance.share_results import COMPLIANCE_NOTES, ShareResult, SharesResult
from rr_engine.errors import ArgumentError, NotIdentifiableError
from rr_engine.precision import CONDITION_LIMIT, condition_number


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CheatingShare(SharesResult):
    """Shares of the honest, by true answer, and of those who do not follow the device.

    Attributes
    ----------
    values : ndarray of float, shape (truths + 1,)
        Unconstrained shares of all respondents: honest ones by true answer, last the cheaters.
        The last truth's entry is pi of Clark & Desharnais, the first beta, the cheaters gamma.
    covariance : ndarray of float, shape (truths + 1, truths + 1)
    maximum_likelihood : ndarray of float, shape (truths + 1,)
        The maximum-likelihood shares, none negative.
    intervals : ndarray of float, shape (truths + 1, 2)
        By profile likelihood inside the range 0 to 1.
    level : float
    statistic, p_value : float
        Likelihood-ratio test that there are no cheaters; one-sided.
    interval_method : str
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine.compliance import cheating_share
    >>> from rr_engine.designs import generalized_binary
    >>> groups = [generalized_binary(0.8, 1), generalized_binary(0.2, 1)]
    >>> found = cheating_share(groups, [[610, 390], [340, 660]])
    >>> round(found.cheaters, 2), found.intervals[2].round(2).tolist()
    (0.25, [0.21, 0.29])
    """

    statistic: float
    p_value: float

    @property
    def cheaters(self) -> float:
        """The unconstrained share of cheaters, the last of `values`."""
        return float(self.values[-1])


def cheating_share(
    designs: Sequence[Channel], counts: Sequence[ArrayLike], level: float = 0.95, safe: int = 0
) -> CheatingShare:
    """Estimate how many give one safe report regardless, from groups with different devices.

    Parameters
    ----------
    designs : sequence of Channel
        The device of each group of respondents, drawn at random from one population; at least two,
        with the same numbers of truths and of reports, and with a table that can be formed. Any
        pair that tells cheaters from the honest will do: forced yes only (Clark & Desharnais),
        forced both ways, Warner with two p.
    counts : sequence of array_like of int, one per design
    level : float, default 0.95
    safe : int, default 0
        The report that cheaters give: "no" in a yes/no design.

    Returns
    -------
    CheatingShare
        Its intervals take a hundred fits for each category: seconds from some thirty categories on.

    Raises
    ------
    CountsError
    ArgumentError
        Also for a channel without a table: one too large for it ("table_too_large") or of bits
        ("table_not_available").
    NotIdentifiableError
        When the devices are too alike to tell cheaters from the honest.

    Notes
    -----
    Respondents are of truths + 1 types. Pr(report u) in group g is ``sum_v w_v P_g[u, v]`` plus the
    cheaters' share at u = safe, and all shares sum to one. docs/methods/compliance.md.

    References
    ----------
    .. [1] S. J. Clark and R. A. Desharnais, "Honest answers to embarrassing questions: detecting
       cheating in the randomized response model", Psychological Methods 3 (1998), 160-168.
    .. [2] M. Ostapczuk, J. Musch and M. Moshagen, "A randomized-response investigation of the
       education effect in attitudes towards foreigners", European Journal of Social Psychology 39
       (2009), 920-931 (forced both ways).

    Examples
    --------
    Forced to say yes with 0.2 in one group, with 0.8 in the other:

    >>> from rr_engine.designs import generalized_binary
    >>> groups = [generalized_binary(0.8, 1), generalized_binary(0.2, 1)]
    >>> found = cheating_share(groups, [[610, 390], [340, 660]])
    >>> found.values.round(3).tolist(), found.p_value < 0.001
    ([0.45, 0.3, 0.25], True)
    """
    check.open_unit(level, "level")
    groups = check_several_groups(designs)
    tallies = check_tallies(groups, counts)
    safe_report = check.whole(safe, "safe", maximum=groups[0].tally_size - 1)
    cheater = np.eye(groups[0].tally_size)[:, [safe_report]]
    matrices = [np.hstack([group.matrix, cheater]) for group in groups]
    if not condition_number(np.vstack(matrices)) < CONDITION_LIMIT:
        rule = "differ enough to tell cheaters from honest respondents"
        raise NotIdentifiableError(
            "designs", [group.matrix.tolist() for group in groups], rule, "groups_indistinguishable"
        )
    mixture.check_possible_reports(matrices, tallies)
    return _result(matrices, tallies, level)


def check_several_groups(designs: object) -> list[Channel]:
    """Return the designs of at least two groups, with the same reports."""
    groups = check_group_designs(designs)
    if len(groups) < 2:
        raise ArgumentError("designs", designs, "be at least two", "too_few_designs")
    if len({group.tally_size for group in groups}) > 1:
        raise ArgumentError("designs", designs, "have the same reports", "reports_differ")
    return groups


def check_group_designs(designs: object) -> list[Channel]:
    """Return a list of designs of the same shape."""
    groups = check_tables(designs, "be a list of designs, one for each group")
    if len({design.truth_size for design in groups}) > 1:
        rule = "have the same number of categories"
        raise ArgumentError("designs", designs, rule, "categories_differ")
    return groups


def _result(matrices: list[FloatArray], tallies: list[IntArray], level: float) -> CheatingShare:
    sizes = [int(tally.sum()) for tally in tallies]
    if min(sizes) == 0:
        shares, statistic, p_value = mixture.unknown_shares(matrices[0].shape[1]), 0.0, 1.0
    else:
        shares = mixture.share_types(matrices, tallies, level)
        statistic, p_value = mixture.absence_test(
            *mixture.stack_groups(matrices, tallies), sum(sizes)
        )
    return CheatingShare(
        values=shares.values,
        covariance=shares.covariance,
        maximum_likelihood=shares.maximum_likelihood,
        intervals=shares.intervals,
        level=float(level),
        statistic=statistic,
        p_value=p_value,
        notes=COMPLIANCE_NOTES.holding(mixture.share_remarks(matrices, tallies, shares)),
    )


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

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.compliance import anchor_check
    >>> found = anchor_check(warner(0.75), [700, 300], known=0)
    >>> [round(end, 2) for end in found.interval], found.p_value < 0.001
    ([0.09, 0.32], True)
    """

    share: float
    maximum_likelihood: float
    statistic: float
    p_value: float
    interval_method: str = "profile likelihood"


def anchor_check(
    design: Channel,
    counts: ArrayLike,
    known: float | ArrayLike,
    level: float = 0.95,
    otherwise: ArrayLike | None = None,
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
    columns = np.column_stack([design.apply(truth), mixture.other_reports(design, otherwise)])
    if not condition_number(columns) < CONDITION_LIMIT:
        rule = "give followers of the device other reports than those who do not follow it"
        raise NotIdentifiableError("known", known, rule, "groups_indistinguishable")
    mixture.check_possible_reports([columns], [tally])
    n = int(tally.sum())
    shares = mixture.share_types([columns], [tally], level) if n else mixture.unknown_shares(2)
    statistic, p_value = mixture.absence_test(columns, tally / n, n) if n else (0.0, 1.0)
    return AnchorCheck(
        share=float(shares.values[1]),
        standard_error=sqrt(shares.covariance[1, 1]),
        maximum_likelihood=float(shares.maximum_likelihood[1]),
        interval=tuple(shares.intervals[1].tolist()),
        level=float(level),
        statistic=statistic,
        p_value=p_value,
        notes=COMPLIANCE_NOTES.holding(mixture.share_remarks([columns], [tally], shares)),
    )


def _counting(design: Channel) -> Channel:
    if isinstance(check_channel(design), BitPeople):
        rule = "count reports one by one: bits of the same report are not independent of each other"
        raise ArgumentError("design", design, rule, "table_not_available")
    return design


def _proportions(design: Channel, known: float | ArrayLike) -> FloatArray:
    size = design.truth_size
    if size == 2 and not holds_several(known):
        share = check.probability(known, "known")
        return np.array([1 - share, share])
    return check.distribution(known, size, "known", truth_labels(design))
