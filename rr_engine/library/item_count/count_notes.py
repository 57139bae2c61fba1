"""Notes on an item count, under stable codes."""

from rr_engine.estimation.notes import NoteTexts

COUNT_NOTES = NoteTexts(
    no_reports="A group has no reports yet: nothing can be said, intervals are the whole range.",
    one_report="A group with one report gives no standard error.",
    all_alike="A group's reports are all the same: judge by the interval inside the range.",
    outside_range="The difference in means lies below 0 or above 1; the other interval is "
    "inside the range.",
    negative_types="A share of people by count and trait is estimated below 0: test for a "
    "design effect.",
    count_reveals="A count of none or of all items reveals the trait: such a list has no finite "
    "epsilon.",
    bounded="Many inequalities are tested together: the p-value is an upper bound.",
    nothing_to_test="No share is near enough to zero to test.",
    nobody_to_compare="Among those who answered the direct question alike, one list has fewer "
    "than two people.",
    lists_disagree="The two lists give different prevalences: the assumptions fail on one.",
    direct_yes_refuted="The list finds another share than 1 among those who said yes when asked "
    "directly: an assumption fails.",
    direct_moved="The list that one got changed the direct answer: the combined estimate may be "
    "off.",
    share_outside="An unconstrained share lies below 0 or above 1; chance can do that.",
    exchangeable="The devices differ: sums alone are read as if each set of items were as "
    "likely as any other of its size.",
    overdispersed="Sums of a person's reports vary as independent items of one prevalence do "
    "not: use the standard error by person.",
)
