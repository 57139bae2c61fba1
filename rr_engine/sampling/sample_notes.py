"""Notes on a survey estimate, under stable codes."""

from rr_engine.estimation.notes import NoteTexts

SAMPLE_NOTES = NoteTexts(
    all_alike="All answers are the same: the interval rests on the device and the weights, not "
    "on the standard error.",
    boundary="A proportion was held at 0; its standard error is only a guide there.",
    few_clusters="Fewer than 10 degrees of freedom between clusters: the standard errors "
    "themselves are uncertain.",
    margins_not_met="The weights do not reach the known margins; the report says by how much.",
    negative_variance="The variance estimator came out below zero, as unbiased ones can; the "
    "standard error is unknown.",
    not_converged="The iterations ended before the estimate settled.",
    outside_range="An unconstrained proportion lies below 0 or above 1; chance can do that.",
    reports_missing="Some drawn respondents have no report; the estimate is about those who "
    "have one.",
    weights_trimmed="Weights were held at a limit, which trades bias for variance.",
    weights_unequal="Unequal weights alone more than double the variance.",
    zero_weights="Respondents of a category whose known share is 0 have the weight 0.",
)
