"""What a design promises, what its table keeps, and the exact table that keeps the promise."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Protocol, TypedDict

import numpy as np

from rr_engine.errors import ArgumentError, DesignError, EpsilonError
from rr_engine.precision import uniform_entries
from rr_engine.privacy.loss import exponential_bounds, log_ratio
from rr_engine.quantizing import quantize, quantize_relaxed
from rr_engine.validation import (
    FloatArray,
    IntArray,
    check_delta,
    check_epsilon,
    check_integers,
)

# How far the loss of a matrix of floats may lie from the epsilon that it was computed from.
ROUNDING = 1e-12


class Promise(TypedDict):
    """What a design declares; None for what it does not."""

    declared_epsilon: Decimal | None
    declared_delta: Decimal | None


class DeclaredTable(Protocol):
    """A table with the loss that was declared for it: what is read of a DesignMatrix here."""

    @property
    def matrix(self) -> FloatArray: ...

    @property
    def integers(self) -> IntArray | None: ...

    @property
    def denominator(self) -> int | None: ...

    @property
    def declared_epsilon(self) -> Decimal | None: ...

    @property
    def declared_delta(self) -> Decimal | None: ...

    @property
    def loss_ratio(self) -> Fraction | None: ...

    @property
    def epsilon(self) -> float: ...

    def delta(self, epsilon: float) -> float: ...

    def delta_at_most(self, epsilon: Decimal, delta: Decimal) -> bool: ...


def check_table_of(
    matrix: FloatArray, integers: object, denominator: object
) -> tuple[IntArray, int] | tuple[None, None]:
    """Return the exact table behind a matrix and its denominator; neither where none is given."""
    if integers is None and denominator is None:
        return None, None
    table, size = check_integers(integers, denominator)
    if not np.array_equal(table / size, matrix):
        rule = "be the matrix times the denominator"
        raise DesignError("integers", table, rule, "integers_not_matrix")
    return table, size


def check_promise(epsilon: object, delta: object) -> Promise:
    """Return what is declared as decimals; a delta alone is refused."""
    given = epsilon is not None or delta is not None
    return {
        "declared_epsilon": check_epsilon(epsilon, "declared_epsilon") if given else None,
        "declared_delta": None if delta is None else check_delta(delta, "declared_delta"),
    }


def check_declared(design: DeclaredTable) -> None:
    """Refuse a declared epsilon, or (epsilon, delta), that the table does not keep."""
    epsilon, delta = design.declared_epsilon, design.declared_delta
    if epsilon is None:
        return
    if design.integers is not None:
        kept = design.delta_at_most(epsilon, delta or Decimal(0))
    elif delta is not None:
        kept = design.delta(float(epsilon)) <= float(delta) + ROUNDING * (1 + float(epsilon))
    else:
        kept = log_ratio(design.loss_ratio) <= float(epsilon) * (1 + ROUNDING) + ROUNDING
    if not kept:
        rule = "be a promise that the table keeps (together with the declared delta, if any)"
        raise EpsilonError("declared_epsilon", epsilon, rule, "declaration_not_kept")


def meets_declared(design: DeclaredTable, own: float) -> bool:
    """Tell whether a table of loss `own` is that of the declared epsilon, but for rounding."""
    if design.integers is not None or design.declared_epsilon is None:
        return False
    declared = float(design.declared_epsilon)
    return design.declared_delta is None and own >= declared * (1 - ROUNDING) - ROUNDING


def taken_at_word(design: DeclaredTable, epsilon: Decimal, delta: Decimal) -> bool:
    """Tell whether a matrix of floats was declared to keep at least this promise."""
    if design.integers is not None or design.declared_epsilon is None:
        return False
    return design.declared_epsilon <= epsilon and (design.declared_delta or 0) <= delta


def check_accepted(design: DeclaredTable, accepted: object) -> None:
    """Refuse a table that proves somebody's truth, unless that was accepted or it is `direct`."""
    if not isinstance(accepted, bool):
        raise ArgumentError("accept_infinite_epsilon", accepted, "be True or False", "not_a_bool")
    if accepted or design.loss_ratio is not None:
        return
    if design.integers is not None and uniform_entries(design.integers) == (design.denominator, 0):
        return
    rule = "be finite, because a report proves a truth here; accept_infinite_epsilon=True accepts"
    raise EpsilonError("epsilon", design.epsilon, rule, "infinite_epsilon")


def exact_table(design: DeclaredTable, bits: int) -> IntArray:
    """Return the integers over 2**bits that keep what the design has and what it promises."""
    epsilon, delta = design.declared_epsilon, design.declared_delta
    ratio = design.loss_ratio
    if epsilon is None:
        return quantize(design.matrix, ratio, bits)
    if delta is not None:
        return quantize_relaxed(design.matrix, ratio, epsilon, delta, bits)
    if meets_declared(design, log_ratio(ratio)):
        ratio = Fraction(exponential_bounds(epsilon)[0])
    return quantize(design.matrix, ratio, bits)
