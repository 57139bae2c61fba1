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
    """A number, choice or random source outside what the function accepts."""


class EpsilonError(EngineError):
    """A privacy budget that is not a finite decimal number above zero."""


class CategoryError(EngineError):
    """Categories that cannot be told apart, or a value that is none of them."""


class DesignError(EngineError):
    """A table that is not a randomizing device."""


class NotIdentifiableError(DesignError):
    """A device whose reports do not determine the true proportions."""


class CountsError(EngineError):
    """Report counts that the device cannot have produced."""


class DistributionError(EngineError):
    """Proportions that are negative or do not sum to one."""


class AccountingError(EngineError):
    """A privacy event that the accountant does not know or that breaks its rule."""
