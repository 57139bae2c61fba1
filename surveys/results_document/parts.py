"""The common parts of a results document, and the mark of what does not depend on the answers."""

from typing import Annotated, Any, Final, TypeVar

import msgspec

from surveys import numbers

# The value of a key that a document leaves out.
ABSENT: Any = msgspec.UNSET
# The mark of a field that no answer has a part in, so that it is told of however few people.
TOLD: Final = "told of few people, too"
Field = TypeVar("Field")
Told = Annotated[Field, TOLD]
# Both ends; None where the reports do not tell.
Interval = numbers.Interval
# The codes of notes, whose sentences are in `surveys/results/notes.py`.
Notes = tuple[str, ...]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An immutable part of the document; its fields are the keys of the JSON, in their order.

    Subclasses say `frozen` and `kw_only` too. A field that is not `Told` has a default, if anything
    around it can be about too few people: it is what stands there then (`withholding.py`).
    """


class Share(Part, frozen=True, kw_only=True):
    estimate: float | None
    standard_error: float | None
    interval: Interval


class ShareWithin(Share, frozen=True, kw_only=True):
    """The share of an answer within a group."""

    interval_50: Interval


class Derived(Part, frozen=True, kw_only=True):
    """A number that was computed from shares, such as a mean or a measure of association."""

    value: float | None
    standard_error: float | None
    interval: Interval
    notes: Notes


class HypothesisTest(Part, frozen=True, kw_only=True):
    statistic: float | None
    degrees_of_freedom: float | None
    p_value: float | None
    notes: Notes
