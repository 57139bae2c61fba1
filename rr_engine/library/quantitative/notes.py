"""Notes on a figure about quantities, under stable codes."""

from collections.abc import Mapping

from rr_engine.estimation.notes import Note

TEXTS = {
    "infinite_epsilon": "Some report is possible for one value and impossible for another: no "
    "epsilon bounds what it reveals.",
    "listed_values": "The epsilon holds for people whose value is one of those listed; any other "
    "value may give itself away.",
    "not_computed": "The scrambling is no finite list of numbers: its epsilon is not computed, and "
    "reported as infinite.",
    "outside_range": "An unconstrained share lies below 0 or above 1; chance can do that.",
}


def remarks(conditions: Mapping[str, bool]) -> tuple[Note, ...]:
    """Return the notes whose conditions hold."""
    return tuple(Note(code, TEXTS[code]) for code, holds in conditions.items() if holds)
