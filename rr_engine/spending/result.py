"""A split budget: the epsilon and the device of each question, with a certificate."""

from dataclasses import dataclass
from decimal import Decimal

from rr_engine.display.shown import Shown


@dataclass(frozen=True, slots=True)
class QuestionShare(Shown):
    """The share of the budget that one question gets.

    Attributes
    ----------
    epsilon : Decimal
    device : str
    subset_size : int or None
        Categories in one report of a named device; 1 for k-ary randomized response.
    margin : float
        Of the question's least certain share.

    Examples
    --------
    >>> from rr_engine.spending import BudgetQuestion, split_budget
    >>> questions = [BudgetQuestion(), BudgetQuestion(3)]
    >>> first, second = split_budget(questions, "2", 1000).questions
    >>> round(first.margin, 3), round(second.margin, 3)
    (0.073, 0.073)
    """

    epsilon: Decimal
    device: str
    subset_size: int | None
    margin: float


@dataclass(frozen=True, slots=True)
class SplitCertificate(Shown):
    """Why no split is better.

    Attributes
    ----------
    bound : float
        No split of the budget has a smaller value of the objective: over the epsilons of the grid
        without pairs; with pairs over all real epsilons.
    gap : float
        The value of the split less the bound; 0 for the largest margin without pairs.
    needed : Decimal or None
        For the largest margin without pairs: the smallest total with which every weighted margin
        is below the largest one of this split, which is above the budget. None where no epsilon
        within the bounds of the questions lowers it.
    price : float or None
        For sums without pairs: what the objective would fall by with the next step, for one unit
        of epsilon. No step of any question gains more, and none was taken that gains less.
    all_devices : bool
        Whether the bound is over all devices that the questions may have, or, with pairs, over the
        chosen ones, each of which is the best for its question at these epsilons.

    Examples
    --------
    >>> from rr_engine.spending import BudgetQuestion, split_budget
    >>> questions = [BudgetQuestion(), BudgetQuestion(3)]
    >>> proof = split_budget(questions, "2", 1000).certificate
    >>> round(proof.bound, 3), proof.gap, proof.needed
    (0.073, 0.0, Decimal('2.01'))
    """

    bound: float
    gap: float
    needed: Decimal | None
    price: float | None
    all_devices: bool


@dataclass(frozen=True, slots=True)
class BudgetSplit(Shown):
    """A budget split over questions, beside the even split with the usual devices.

    Attributes
    ----------
    objective : str
    questions : tuple of QuestionShare
    pair_margins : tuple of float
        The largest margin of a cell, of each pair.
    value : float
        The objective: the largest weighted margin, or the weighted mean of the margins or of their
        squares.
    even, even_pair_margins, even_value
        The same of the even split: equal epsilons within the bounds, the first device of each.
    certificate : SplitCertificate

    Examples
    --------
    >>> from rr_engine.spending import BudgetQuestion, split_budget
    >>> questions = [BudgetQuestion(), BudgetQuestion(3)]
    >>> split = split_budget(questions, "2", 1000)
    >>> [round(float(share.epsilon), 2) for share in split.questions]
    [0.9, 1.1]
    """

    objective: str
    questions: tuple[QuestionShare, ...]
    pair_margins: tuple[float, ...]
    value: float
    even: tuple[QuestionShare, ...]
    even_pair_margins: tuple[float, ...]
    even_value: float
    certificate: SplitCertificate

    @property
    def total(self) -> Decimal:
        """The sum of the epsilons, never above the budget."""
        return sum((question.epsilon for question in self.questions), Decimal(0))


@dataclass(frozen=True, slots=True)
class SmallestBudget(Shown):
    """The smallest total that reaches the margins asked for.

    Attributes
    ----------
    questions : tuple of QuestionShare
    pair_margins : tuple of float
    bound : float
        No smaller total reaches the margins: equal to the total without pairs; with pairs over all
        real epsilons, for the chosen devices.

    Examples
    --------
    >>> from rr_engine.spending import BudgetQuestion, smallest_budget
    >>> questions = [BudgetQuestion(), BudgetQuestion(3)]
    >>> found = smallest_budget(questions, 1500, 0.05)
    >>> [str(question.epsilon) for question in found.questions], found.bound
    (['1.12', '1.32'], 2.44)
    """

    questions: tuple[QuestionShare, ...]
    pair_margins: tuple[float, ...]
    bound: float

    @property
    def total(self) -> Decimal:
        """The sum of the epsilons."""
        return sum((question.epsilon for question in self.questions), Decimal(0))
