"""Privacy of a roster's reports: of one tie, of one person's answers, of one person."""

from dataclasses import dataclass, replace
from fractions import Fraction

from rr_engine import check
from rr_engine.arguments import check_design
from rr_engine.arrays import Epsilon
from rr_engine.design import DesignMatrix
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.networks.scores import check_bit_device
from rr_engine.privacy.loss import log_ratio, ratio_at_most

LARGEST_ROSTER = 1_000_000
SCOPES = ("tie", "tie_at_both_ends", "person", "everything_about_person")
# Powers of larger exponents take too long to compare exactly.
MOST_EXACT_TIES = 2_000


@dataclass(frozen=True, slots=True)
class RosterPrivacy(Shown):
    """Four guarantees of one roster, which are not to be mixed up.

    Attributes
    ----------
    tie : float
        Edge level: epsilon of one tie in one report of it.
    tie_at_both_ends : float
        Edge level: epsilon of one tie in all reports of it, twice that of one where both people
        report the same tie.
    person : float
        Person level: epsilon of all that one person reports, whatever the ties are (as long as
        they are at most `most_ties`).
    everything_about_person : float
        Node level: of all reports on the ties of one person, those of the others too.
    raised, lowered : Fraction or None
        Largest likelihood ratios of one bit, exactly: of a tie against none, and of none against
        a tie. None where a report is identifying.
    roster : int
        Names on the roster.
    most_ties : int or None
    reports : int
        Reports of each tie.
    named_by : int
        Rosters of others that this person is on.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.networks import roster_privacy
    >>> privacy = roster_privacy(k_rr(2, "0.5"), 30, most_ties=5, reports=2)
    >>> round(privacy.tie, 3), round(privacy.person, 3), privacy.at_most("5")
    (0.5, 5.0, True)
    """

    tie: float
    tie_at_both_ends: float
    person: float
    everything_about_person: float
    raised: Fraction | None
    lowered: Fraction | None
    roster: int
    most_ties: int | None
    reports: int
    named_by: int

    def differing(self, scope: str) -> tuple[int, int]:
        """Return how many bits count with the larger and with the smaller ratio of a bit.

        Two sets of at most k ties differ in at most ``min(2 k, roster)`` bits: k that only the one
        set has and k that only the other has.

        References
        ----------
        Ours: docs/methods/network-privacy.md, "Edge level and person level".
        """
        check.choice(scope, "scope", SCOPES)
        if scope == "tie":
            return 1, 0
        if scope == "tie_at_both_ends":
            return self.reports, 0
        cap = self.roster if self.most_ties is None else self.most_ties
        more, less = min(cap, self.roster), min(cap, self.roster - min(cap, self.roster))
        # No cap on one's own ties bounds how many others name one.
        named = self.named_by if scope == "everything_about_person" else 0
        return more + named, less

    def at_most(self, epsilon: Epsilon, scope: str = "person") -> bool:
        """Decide whether a guarantee is within epsilon, exactly in the integers of the device.

        Raises
        ------
        EpsilonError
        ArgumentError
            Of more than 2,000 bits.

        References
        ----------
        Ours: e**epsilon is compared with a product of fractions, docs/methods/network-privacy.md.
        """
        budget = check.epsilon(epsilon)
        more, less = self.differing(scope)
        if more + less > MOST_EXACT_TIES:
            rule = f"differ in at most {MOST_EXACT_TIES} bits, to be compared exactly"
            raise ArgumentError("roster", self.roster, rule, "out_of_range")
        if self.raised is None or self.lowered is None:
            return False
        high, low = max(self.raised, self.lowered), min(self.raised, self.lowered)
        return ratio_at_most(high**more * low**less, budget)


def roster_privacy(
    design: DesignMatrix,
    roster: int,
    most_ties: int | None = None,
    reports: int = 1,
    named_by: int | None = None,
) -> RosterPrivacy:
    """Compute what a roster reveals of a tie and of a person.

    Parameters
    ----------
    design : DesignMatrix
        Of two categories, no tie and tie, and two reports: each name goes through it by itself.
    roster : int
        Names on the roster of a person, from 1 to 1,000,000.
    most_ties : int, optional
        A cap that the true answers keep: "name up to k".
    reports : {1, 2}
        Whether a tie is reported by one of its ends or by both.
    named_by : int, optional
        Rosters of others that a person is on; as many as names on the own one when left out.

    Returns
    -------
    RosterPrivacy

    Raises
    ------
    ArgumentError, DesignError

    Notes
    -----
    docs/methods/network-privacy.md. The bits are independent given the ties, so that likelihood
    ratios multiply: the bound is attained by the report that names exactly the ties of one of
    the two sets. The cap is a promise about the answers: a page has to enforce it before
    anything is randomized.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, sections 5.1 and 6.4.
    .. [2] M. Hay, C. Li, G. Miklau and D. Jensen, "Accurate Estimation of the Degree Distribution
       of Private Networks", ICDM 2009, section II (edge and node privacy).

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> privacy = roster_privacy(k_rr(2, "0.5"), 30, most_ties=5, reports=2)
    >>> [round(value, 6) for value in (privacy.tie, privacy.tie_at_both_ends, privacy.person)]
    [0.5, 1.0, 5.0]
    >>> privacy.at_most("5"), round(privacy.everything_about_person, 6)
    (True, 20.0)
    """
    device = check_design(design)
    check_bit_device(device)
    names = check.whole(roster, "roster", minimum=1, maximum=LARGEST_ROSTER)
    cap = None if most_ties is None else check.whole(most_ties, "most_ties", minimum=1)
    times = check.whole(reports, "reports", minimum=1, maximum=2)
    raised, lowered = bit_ratios(device)
    others = (
        names if named_by is None else check.whole(named_by, "named_by", maximum=LARGEST_ROSTER)
    )
    bits = RosterPrivacy(0.0, 0.0, 0.0, 0.0, raised, lowered, names, cap, times, others)
    low, high = sorted((log_ratio(raised), log_ratio(lowered)))

    def loss(scope: str) -> float:
        more, less = bits.differing(scope)
        return more * high + (less * low if less else 0.0)

    return replace(
        bits,
        tie=loss("tie"),
        tie_at_both_ends=loss("tie_at_both_ends"),
        person=loss("person"),
        everything_about_person=loss("everything_about_person"),
    )


def bit_ratios(device: DesignMatrix) -> tuple[Fraction | None, Fraction | None]:
    """Return the largest likelihood ratios of a tie against none, and of none against a tie."""
    table = device.matrix if device.integers is None else device.integers
    rows = [tuple(Fraction(entry) for entry in row) for row in table.tolist()]
    used = [row for row in rows if any(row)]
    raised = None if any(without == 0 for without, _ in used) else max(w / v for v, w in used)
    lowered = None if any(tied == 0 for _, tied in used) else max(v / w for v, w in used)
    return raised, lowered
