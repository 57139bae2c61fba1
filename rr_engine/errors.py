"""Errors of the engine: each names the argument, its value, the rule that was broken and a code."""

import reprlib
from decimal import Decimal

from rr_engine.error_codes import ERROR_CODES

__all__ = [
    "ERROR_CODES",
    "AccountingError",
    "ArgumentError",
    "CategoryError",
    "CountsError",
    "DesignError",
    "DistributionError",
    "EngineError",
    "EpsilonError",
    "NotIdentifiableError",
]


class EngineError(ValueError):
    """A value that the engine refuses.

    Attributes
    ----------
    argument : str
        Name of the argument as the caller knows it.
    value : object
        What was passed.
    rule : str
        What it must do, as the rest of a sentence that starts with the argument's name.
    code : str
        Which fault it is, one of docs/methods/errors.md; stays the same when words change.
    limit : int, float, Decimal or None
        The nearest value that would have been taken, or that none may reach, where there is one.

    Examples
    --------
    >>> from rr_engine import EngineError, warner
    >>> try:
    ...     warner(1.5)
    ... except EngineError as error:
    ...     print(error.argument, error.value, error.code)
    p 1.5 not_a_probability
    """

    def __init__(
        self,
        argument: str,
        value: object,
        rule: str,
        code: str,
        limit: int | float | Decimal | None = None,
    ) -> None:
        # All go into ``args`` so that the error survives pickling between processes.
        super().__init__(argument, value, rule, code, limit)
        self.argument = argument
        self.value = value
        self.rule = rule
        self.code = code
        self.limit = limit

    def __str__(self) -> str:
        return f"{self.argument} must {self.rule}; got {shorten(self.value)}"


def shorten(value: object) -> str:
    """Return the value, cut to a length that a message can hold."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python refuses to write out an integer of more than 4300 digits
        return f"{type(value).__name__} of too many digits"


class ArgumentError(EngineError):
    """A number, choice or random source outside what the function accepts.

    Examples
    --------
    >>> from rr_engine import EngineError, power
    >>> try:
    ...     power("coin", 0.1, 0, 100)
    ... except EngineError as error:
    ...     print(type(error).__name__, error.argument, error.code)
    ArgumentError design not_a_channel
    """


class EpsilonError(EngineError):
    """A privacy budget that is not a finite decimal number above zero.

    Examples
    --------
    >>> from rr_engine import EngineError, k_rr
    >>> try:
    ...     k_rr(3, 0)
    ... except EngineError as error:
    ...     print(type(error).__name__, error.argument, error.code)
    EpsilonError epsilon not_an_epsilon
    """


class CategoryError(EngineError):
    """Categories that cannot be told apart, or a value that is none of them.

    Examples
    --------
    >>> from rr_engine import DesignMatrix, EngineError
    >>> try:
    ...     DesignMatrix([[0.7, 0.3], [0.3, 0.7]], ["yes", "yes"])
    ... except EngineError as error:
    ...     print(type(error).__name__, error.argument, error.code)
    CategoryError categories repeated_label
    """


class DesignError(EngineError):
    """A table that is not a randomizing device.

    Examples
    --------
    >>> from rr_engine import DesignMatrix, EngineError
    >>> try:
    ...     DesignMatrix([[0.5, 0.2], [0.4, 0.8]])
    ... except EngineError as error:
    ...     print(type(error).__name__, error.argument, error.code)
    DesignError matrix columns_do_not_sum
    """


class NotIdentifiableError(DesignError):
    """A device whose reports do not determine the true proportions.

    Examples
    --------
    >>> from rr_engine import EngineError, estimate, warner
    >>> try:
    ...     estimate(warner(0.5), [5, 5])
    ... except EngineError as error:
    ...     print(type(error).__name__, error.argument, error.code)
    NotIdentifiableError design not_identifiable
    """


class CountsError(EngineError):
    """Report counts that the device cannot have produced.

    Examples
    --------
    >>> from rr_engine import EngineError, estimate, warner
    >>> try:
    ...     estimate(warner(0.8), [-1, 3])
    ... except EngineError as error:
    ...     print(type(error).__name__, error.argument, error.code)
    CountsError counts not_counts
    """


class DistributionError(EngineError):
    """Proportions that are negative or do not sum to one.

    Examples
    --------
    >>> from rr_engine import EngineError, k_rr
    >>> try:
    ...     k_rr(2, 1).posterior([0.5, 0.6])
    ... except EngineError as error:
    ...     print(type(error).__name__, error.argument, error.code)
    DistributionError prior shares_do_not_sum
    """


class AccountingError(EngineError):
    """A privacy event that the accountant does not know or that breaks its rule.

    Examples
    --------
    >>> from rr_engine import EngineError
    >>> from rr_engine.privacy import Randomized, Relaxation
    >>> try:
    ...     Relaxation([Randomized(2), Randomized(1)])
    ... except EngineError as error:
    ...     print(type(error).__name__, error.argument, error.code)
    AccountingError events budget_falls
    """
