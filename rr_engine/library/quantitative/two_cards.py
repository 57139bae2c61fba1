"""Two reports of one person from two boxes: an unrelated question of unknown prevalence."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray
from rr_engine.codes import check_codes
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import QUANTITY_NOTES, Note
from rr_engine.library.quantitative.scrambling import exactly
from rr_engine.sampling.estimating import estimate_mean
from rr_engine.sampling.scores import report_scores
from rr_engine.sampling.survey_estimate import SurveyEstimate, errors_of, student_intervals
from rr_engine.sampling.survey_sample import SurveySample
from rr_engine.sampling.weighted_sample import WeightedSample, check_sample

# Closer boxes leave too few digits to tell two shares apart.
SAME = 1e-9
NO_YES = ("No", "Yes")
REPORTS = ("No, no", "No, yes", "Yes, no", "Yes, yes")
PEOPLE = ("neither", "innocuous only", "sensitive only", "both")
# The sensitive and the innocuous trait of each kind of people.
KINDS = ((0, 0), (0, 1), (1, 0), (1, 1))


@dataclass(frozen=True)
class TwoCards:
    """Each person draws a card from two boxes, and reports yes or no to each.

    A card asks for the sensitive trait or for an innocuous one, whose prevalence nobody has to
    know; the boxes mix the two kinds of cards differently.

    Parameters
    ----------
    p1, p2 : float
        Share of the cards with the sensitive question in the first and in the second box, from 0
        to 1, not the same.
    T : float, default 0
        Chance, for each report, to be told to answer the sensitive question at once (Mangat 1992);
        below 1.
    carriers_say_yes : bool, default False
        Whether those who have the sensitive trait say yes twice and only the others draw (Mangat,
        Singh and Singh 1992).

    Raises
    ------
    ArgumentError

    Notes
    -----
    docs/methods/quantitative.md. The two traits need not be independent of each other.

    References
    ----------
    .. [1] B. G. Greenberg et al., "The Unrelated Question Randomized Response Model: Theoretical
       Framework", Journal of the American Statistical Association 64 (1969), 520-539.
    .. [2] A. Chaudhuri, "Randomized Response and Indirect Questioning Techniques in Surveys", CRC
       Press 2011, pages 42, 53 and 54 (both reports by one person).

    Examples
    --------
    >>> TwoCards(0.75, 0.25).design.matrix.tolist()[1]
    [0.0, 0.5625, 0.0625, 0.0]
    """

    p1: float
    p2: float
    T: float = 0.0
    carriers_say_yes: bool = False

    def __post_init__(self) -> None:
        first, second = check.probability(self.p1, "p1"), check.probability(self.p2, "p2")
        if not check.probability(self.T, "T") < 1:
            rule = "be below 1, or nobody is asked the innocuous question"
            raise ArgumentError("T", self.T, rule, "not_a_probability")
        rule, given = "be True or False", self.carriers_say_yes
        check.instance(given, "carriers_say_yes", bool, rule, "not_a_bool")
        if abs(first - second) * (1 - self.T) < SAME:
            rule = "differ from p1, or the two shares cannot be told apart"
            raise ArgumentError("p2", self.p2, rule, "shares_coincide")

    @property
    def boxes(self) -> tuple[Fraction, Fraction]:
        """Chance that a report is on the sensitive trait, from the first and the second box."""
        at_once = exactly(self.T)
        first, second = exactly(self.p1), exactly(self.p2)
        return at_once + (1 - at_once) * first, at_once + (1 - at_once) * second

    @property
    def design(self) -> DesignMatrix:
        """The table of both reports together for each kind of people.

        The kinds are neither trait, the innocuous one only, the sensitive one only, and both; the
        last two are one where carriers say yes. Its epsilon is infinite: who knows whether a
        person has the innocuous trait learns the other one from some reports.
        """
        kinds = PEOPLE[:3] if self.carriers_say_yes else PEOPLE
        table = [self._column(*traits) for traits in KINDS[: len(kinds)]]
        labels = (*PEOPLE[:2], "sensitive") if self.carriers_say_yes else PEOPLE
        return DesignMatrix(np.array(table, dtype=float).T, labels, REPORTS)

    def known(self, theta: float, theta_no: float | None = None) -> DesignMatrix:
        """Return the table of both reports for a yes and a no, at a prevalence of the other trait.

        Parameters
        ----------
        theta : float
            Prevalence of the innocuous trait among those who have the sensitive one.
        theta_no : float, optional
            Among the others; the same when left out.

        Returns
        -------
        DesignMatrix
            Shape (4, 2). Its epsilon is that of both reports together, for whoever knows no more
            of a person than these prevalences; infinite when one of them is 0 or 1.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] B. G. Greenberg et al., "The Unrelated Question Randomized Response Model:
           Theoretical Framework", Journal of the American Statistical Association 64 (1969),
           520-539.

        Examples
        --------
        The reports alone have an epsilon of ln 7 and ln 5/3, both together of ln 9:

        >>> round(TwoCards(0.75, 0.25).known(0.5).epsilon, 4)
        2.1972
        """
        among_yes = exactly(check.probability(theta, "theta"))
        given = theta if theta_no is None else theta_no
        among_no = exactly(check.probability(given, "theta_no"))
        columns = []
        for sensitive, share in ((0, among_no), (1, among_yes)):
            without, with_it = (self._column(sensitive, trait) for trait in (0, 1))
            pairs = zip(without, with_it, strict=True)
            columns.append([float((1 - share) * a + share * b) for a, b in pairs])
        return DesignMatrix(np.array(columns).T, NO_YES, REPORTS)

    def _column(self, sensitive: int, innocuous: int) -> list[Fraction]:
        chances = [self._yes(box, sensitive, innocuous) for box in self.boxes]
        (no1, yes1), (no2, yes2) = ((1 - chance, chance) for chance in chances)
        return [no1 * no2, no1 * yes2, yes1 * no2, yes1 * yes2]

    def _yes(self, box: Fraction, sensitive: int, innocuous: int) -> Fraction:
        if self.carriers_say_yes and sensitive:
            return Fraction(1)
        return box * sensitive + (1 - box) * innocuous


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TwoCardShares(FrozenArrays):
    """Shares of the sensitive and of the innocuous trait, in that order in every array.

    Attributes
    ----------
    values : ndarray of float, shape (2,)
        Unbiased; may leave the range 0 to 1. Where carriers say yes, the second is the share of
        people who have the innocuous trait and not the sensitive one.
    covariance : ndarray of float, shape (2, 2)
    kinds : SurveyEstimate
        Shares of the kinds of people of :attr:`TwoCards.design`, from which these follow.
    notes : tuple of Note
        Those of `kinds`, and "outside_range".

    Examples
    --------
    >>> from rr_engine.quantities import TwoCards, estimate_two_cards
    >>> first, second = [1] * 30 + [0] * 70, [1] * 20 + [0] * 30 + [1] * 15 + [0] * 35
    >>> found = estimate_two_cards(TwoCards(0.75, 0.25), first, second)
    >>> found.n, found.interval().round(2).tolist()
    (100, [[0.15, 0.4], [0.25, 0.5]])
    """

    values: FloatArray
    covariance: FloatArray
    kinds: SurveyEstimate
    notes: tuple[Note, ...]

    @property
    def n(self) -> int:
        """Number of people with both reports."""
        return self.kinds.n

    @property
    def standard_errors(self) -> FloatArray:
        """Square roots of the covariance's diagonal; inf where the estimate of it is negative."""
        return errors_of(self.covariance)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return confidence intervals by Student's t between clusters, shape (2, 2).

        Parameters
        ----------
        level : float, default 0.95

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] E. L. Korn and B. I. Graubard, "Analysis of Health Surveys", Wiley 1999, section 2.2.
        """
        errors, degrees = self.standard_errors, self.kinds.degrees_of_freedom
        return student_intervals(self.values, errors, degrees, level)


def estimate_two_cards(
    cards: TwoCards, first: ArrayLike, second: ArrayLike, sample: WeightedSample | None = None
) -> TwoCardShares:
    """Estimate a sensitive share and an unknown innocuous one from two reports of each person.

    Parameters
    ----------
    cards : TwoCards
    first, second : array_like of int, shape (n,)
        The reports from the first and the second box, 0 for no and 1 for yes.
    sample : SurveySample, ProbabilitySample or calibrated sample, optional
        How the people were drawn: at random from many when left out.

    Returns
    -------
    TwoCardShares

    Raises
    ------
    ArgumentError
        Also for a stratum of one person ("single_cluster").

    Notes
    -----
    With boxes p1 and p2 and reports I and J of a person,
    ``((1 - p2) I - (1 - p1) J) / (p1 - p2)`` is unbiased for the sensitive trait, and
    ``(p1 J - p2 I) / (p1 - p2)`` for the innocuous one; these are what the inverse of the table
    gives. For estimates inside the range: ``estimate_weighted(cards.design, 2 * I + J, sample,
    method="mle")``.

    References
    ----------
    .. [1] A. Chaudhuri, "Randomized Response and Indirect Questioning Techniques in Surveys", CRC
       Press 2011, page 42.

    Examples
    --------
    >>> first, second = [1] * 30 + [0] * 70, [1] * 20 + [0] * 30 + [1] * 15 + [0] * 35
    >>> found = estimate_two_cards(TwoCards(0.75, 0.25), first, second)
    >>> found.values.round(3).tolist(), found.standard_errors.round(4).tolist()
    ([0.275, 0.375], [0.0625, 0.0653])
    """
    check.instance(cards, "cards", TwoCards, "be a TwoCards", "not_two_cards")
    one = _check_answers(first, None, "first")
    two = _check_answers(second, len(one), "second")
    drawn = SurveySample(n=len(one)) if sample is None else check_sample(sample)
    found = estimate_mean(report_scores(cards.design, 2 * one + two), drawn)
    traits = np.array(KINDS[: len(found.values)], dtype=float).T
    values = traits @ found.values
    outside = {"outside_range": bool(values.min() < 0 or values.max() > 1)}
    return TwoCardShares(
        values=values,
        covariance=traits @ found.covariance @ traits.T,
        kinds=found,
        notes=(*found.notes, *QUANTITY_NOTES.holding(outside)),
    )


def _check_answers(value: object, size: int | None, argument: str) -> IntArray:
    rule = "be a list of 0 and 1" + ("" if size is None else f", one for each of {size} people")
    remedy = "leave out both of their answers"
    answers = check_codes(value, argument, error=ArgumentError, code="not_bits", remedy=remedy)
    if not np.isin(answers, (0, 1)).all() or (size is not None and len(answers) != size):
        raise ArgumentError(argument, value, rule, "not_bits")
    return answers
