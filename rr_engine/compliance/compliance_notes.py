"""Notes on a compliance figure, under stable codes."""

from rr_engine.estimation.notes import NoteTexts

COMPLIANCE_NOTES = NoteTexts(
    no_reports="A group has no reports yet: nothing can be said, intervals are the whole range.",
    one_report="A group with one report gives no standard error.",
    all_alike="A group's reports are all the same: judge by the interval, not by the standard "
    "error.",
    implausible="Neither honest respondents nor others explain these reports; chance does this "
    "in about 1 of 1,000 surveys.",
    outside_range="An unconstrained share lies below 0 or above 1; the interval and the test "
    "rest on the likelihood inside the range.",
    no_carriers="No carriers are estimated: whether they tell the truth cannot be said.",
    no_attention="Reports on the attention item look random: the prevalence cannot be told.",
    boundary="Some proportions are estimated as 0; the degrees of freedom count those in.",
    sparse="Expected counts are small: take the p-value from resamples.",
    saturated="The device can produce these shares exactly: nothing is left to test.",
)
