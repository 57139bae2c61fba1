"""Notes on a posterior, under stable codes."""

from rr_engine.estimation.notes import NoteTexts

POSTERIOR_NOTES = NoteTexts(
    no_reports="No reports yet: the posterior is the prior.",
    implausible="Reported shares lie outside what the device can produce; chance does this in "
    "at most 1 of 1,000 surveys that follow it.",
    prior_decides="The reports do not determine all proportions: between some of them the prior "
    "alone decides, whatever the number of reports.",
    separated="Maximum likelihood has no finite estimate of some coefficients; what is said of "
    "these rests on the prior.",
    few_draws="The posterior was followed to its limit without the precision that was aimed "
    "at: see the Monte Carlo errors.",
)
