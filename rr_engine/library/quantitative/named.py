"""Scrambled designs by name: what each paper lets a respondent do with a number."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import ClassVar

from rr_engine import check
from rr_engine.library.quantitative.branches import Branch
from rr_engine.library.quantitative.design import ScrambledDesign
from rr_engine.library.quantitative.scrambling import Scrambling, check_scrambling, exactly


@dataclass(frozen=True)
class NamedScrambling(ScrambledDesign):
    """A design with chances, `p` or `beta`, and scramblings as its fields."""

    def __post_init__(self) -> None:
        for each in fields(self):
            checked = check.probability if each.name in ("p", "beta") else check_scrambling
            checked(getattr(self, each.name), each.name)
        # A mean that is all scrambling number has no part of the true one, whatever multiplies it.
        self._check_slope("beta" if getattr(self, "beta", 0) == 1 else self._slope)

    # The argument to be changed where a report does not depend on the true number.
    _slope: ClassVar[str] = "factor"


@dataclass(frozen=True)
class Eriksson(NamedScrambling):
    """The true number with chance `p`, else the number on a card.

    Parameters
    ----------
    p : float
        Chance of the true number, above 0 and at most 1.
    scrambling : Scrambling
        The cards. Where every number that a person can have is on one of them, epsilon is finite.
        No other design named here can have that where three or more numbers can occur.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    References
    ----------
    .. [1] S. A. Eriksson, "A New Model for Randomized Response", International Statistical Review
       41 (1973), 101-113.

    Examples
    --------
    >>> design = Eriksson(0.5, Scrambling.from_cards([0, 1, 3, 5, 8]))
    >>> design.transform([0, 8]).round(2).tolist()
    [-3.4, 12.6]
    >>> round(design.privacy([0, 1, 3, 5, 8]).epsilon, 4)
    1.7918
    """

    p: float
    scrambling: Scrambling

    _slope = "p"

    def branches(self) -> Sequence[Branch]:
        """Return the truth, and a card instead of it (Eriksson 1973)."""
        truth = exactly(self.p)
        card = Branch(1 - truth, noise=self.scrambling, value_weight=Fraction(0))
        return Branch(truth), card


@dataclass(frozen=True)
class EichhornHayre(NamedScrambling):
    """The true number times a scrambling number.

    Parameters
    ----------
    scrambling : Scrambling
        Its mean is not 0.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    Notes
    -----
    A true number of 0 is reported as 0, for all to see.

    References
    ----------
    .. [1] B. H. Eichhorn and L. S. Hayre, "Scrambled Randomized Response Methods for Obtaining
       Sensitive Quantitative Data", Journal of Statistical Planning and Inference 7 (1983),
       307-316.

    Examples
    --------
    >>> design = EichhornHayre(Scrambling.from_cards([0.5, 1, 1.5]))
    >>> design.device_variance([10, 20]).round(2).tolist()
    [16.67, 66.67]
    """

    scrambling: Scrambling

    _slope = "scrambling"

    def branches(self) -> Sequence[Branch]:
        """Return the one product (Eichhorn and Hayre 1983)."""
        return (Branch(Fraction(1), self.scrambling),)


@dataclass(frozen=True)
class BarLev(NamedScrambling):
    """The true number with chance `p`, else the true number times a scrambling number.

    Parameters
    ----------
    p : float
        Chance of the true number itself, from 0 to 1.
    scrambling : Scrambling
        ``p + (1 - p) mean`` is not 0.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    References
    ----------
    .. [1] S. K. Bar-Lev, E. Bobovitch and B. Boukai, "A Note on Randomized Response Models for
       Quantitative Data", Metrika 60 (2004), 255-260.

    Examples
    --------
    >>> BarLev(0.6, Scrambling(2, 1)).transform([14]).tolist()
    [10.0]
    """

    p: float
    scrambling: Scrambling

    _slope = "scrambling"

    def branches(self) -> Sequence[Branch]:
        """Return the truth, and the product (Bar-Lev, Bobovitch and Boukai 2004)."""
        truth = exactly(self.p)
        return Branch(truth), Branch(1 - truth, self.scrambling)


@dataclass(frozen=True)
class ChaudhuriChristofides(NamedScrambling):
    """The true number times one scrambling number, plus another.

    Parameters
    ----------
    factor : Scrambling
        Its mean is not 0. ``Scrambling.from_cards([1])`` leaves a mere sum (Pollock and Bek 1976).
    addend : Scrambling
        Drawn independently of the factor.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    References
    ----------
    .. [1] A. Chaudhuri and T. C. Christofides, "Indirect Questioning in Sample Surveys", Springer
       2013, page 97.

    Examples
    --------
    >>> pack = Scrambling.from_cards(range(1, 12))
    >>> ChaudhuriChristofides(pack, pack).transform([66]).tolist()
    [10.0]
    """

    factor: Scrambling
    addend: Scrambling

    def branches(self) -> Sequence[Branch]:
        """Return the one line (Chaudhuri and Christofides 2013)."""
        return (Branch(Fraction(1), self.factor, self.addend),)


@dataclass(frozen=True)
class Saha(NamedScrambling):
    """The true number plus a scrambling number, their sum times another: ``W (y + U)``.

    Parameters
    ----------
    factor : Scrambling
        W; its mean is not 0.
    addend : Scrambling
        U, drawn independently of W.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    References
    ----------
    .. [1] A. Saha, "A Simple Randomized Response Technique in Complex Surveys", Metron 65 (2007),
       59-66.

    Examples
    --------
    >>> design = Saha(Scrambling(1.5, 0.25, "uniform"), Scrambling(5.5, 2, "uniform"))
    >>> design.transform([30]).tolist()
    [14.5]
    """

    factor: Scrambling
    addend: Scrambling

    def branches(self) -> Sequence[Branch]:
        """Return the one product of a sum (Saha 2007)."""
        return (Branch(Fraction(1), self.factor, self.addend, scaled=True),)


@dataclass(frozen=True)
class DianaPerri1(NamedScrambling):
    """The true number with chance `p`, else Saha's ``W (y + U)``.

    Parameters
    ----------
    p : float
        Chance of the true number itself, from 0 to 1.
    factor : Scrambling
        W; ``p + (1 - p)`` times its mean is not 0.
    addend : Scrambling
        U, drawn independently of W.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    References
    ----------
    .. [1] G. Diana and P. F. Perri, "New Scrambled Response Models for Estimating the Mean of a
       Sensitive Quantitative Character", Journal of Applied Statistics 37 (2010), page 1877.

    Examples
    --------
    >>> design = DianaPerri1(0.6, Scrambling(2, 0.5), Scrambling(5, 1))
    >>> design.transform([18]).round(4).tolist()
    [10.0]
    """

    p: float
    factor: Scrambling
    addend: Scrambling

    def branches(self) -> Sequence[Branch]:
        """Return the truth, and the product of a sum (Diana and Perri 2010)."""
        truth = exactly(self.p)
        return Branch(truth), Branch(1 - truth, self.factor, self.addend, scaled=True)


@dataclass(frozen=True)
class DianaPerri2(NamedScrambling):
    """A weighted mean of the true number and a scrambling number, times another.

    Parameters
    ----------
    beta : float
        Weight of the scrambling number, from 0 to below 1: ``W (beta U + (1 - beta) y)``.
    factor : Scrambling
        W; its mean is not 0.
    addend : Scrambling
        U, drawn independently of W.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    References
    ----------
    .. [1] G. Diana and P. F. Perri, "New Scrambled Response Models for Estimating the Mean of a
       Sensitive Quantitative Character", Journal of Applied Statistics 37 (2010), page 1879.

    Examples
    --------
    >>> design = DianaPerri2(0.75, Scrambling(2, 0.5), Scrambling(4, 1))
    >>> design.transform([11]).tolist()
    [10.0]
    """

    beta: float
    factor: Scrambling
    addend: Scrambling

    def branches(self) -> Sequence[Branch]:
        """Return the one product of a weighted mean (Diana and Perri 2010)."""
        weight = exactly(self.beta)
        mean = Branch(
            Fraction(1),
            self.factor,
            self.addend,
            scaled=True,
            value_weight=1 - weight,
            noise_weight=weight,
        )
        return (mean,)
