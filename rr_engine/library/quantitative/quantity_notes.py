"""Notes on a figure about quantities, under stable codes."""

from rr_engine.estimation.notes import NoteTexts

QUANTITY_NOTES = NoteTexts(
    infinite_epsilon="Some report is possible for one value and impossible for another: no "
    "epsilon bounds what it reveals.",
    listed_values="The epsilon holds for people whose value is one of those listed; any other "
    "value may give itself away.",
    not_computed="The scrambling is no finite list of numbers: its epsilon is not computed, and "
    "reported as infinite.",
    outside_range="An unconstrained share lies below 0 or above 1; chance can do that.",
)
