"""Types of what the engine takes and returns, arrays of lists, and results nobody can change."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from rr_engine.display.shown import Shown

# A privacy budget as it may be given, and where chance comes from.
Epsilon = Decimal | str | float
RandomSource = np.random.Generator | int | None
ArrayLike = npt.ArrayLike
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def freeze(array: npt.NDArray) -> npt.NDArray:
    """Return a permanently read-only copy (its memory is a bytes object)."""
    return np.frombuffer(array.tobytes(), dtype=array.dtype).reshape(array.shape)


def keep(made: object, **values: object) -> None:
    """Set attributes of what is frozen, while it is made."""
    for name, value in values.items():
        object.__setattr__(made, name, value)


@dataclass(frozen=True, slots=True, eq=False)
class FrozenArrays(Shown):
    """A frozen dataclass whose arrays are read-only, so that nobody can change a result."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, field.name, freeze(value))


def as_array(value: object) -> npt.NDArray | None:
    """Return an array of a list; None for what has no rectangular shape, or hides some entries."""
    if isinstance(value, np.ma.MaskedArray):
        return None
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        return None


def as_list(value: object) -> tuple | None:
    """Return the entries of a list, tuple, range or array; None for anything without an order."""
    if isinstance(value, np.ndarray):
        return tuple(value) if value.ndim else None
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | Iterator):
        return None
    return tuple(value)
