"""Numbers of one estimate of a number: its mean, its distribution and its quantiles."""

from typing import Any

import rr_engine
from surveys.kinds.estimates import (
    LEVELS,
    QuestionEstimate,
    ends,
    mean_of_scores,
    number,
    numbers,
    rows_of,
)
from surveys.parameters import Scale
from surveys.results_document.kinds import Distribution, MeanOfBins, MeanOfOneBit, Number, Quantile
from surveys.results_document.parts import Interval

# The quartiles, and the median between them.
CHANCES = (0.25, 0.5, 0.75)
# The rows of the two ends of a range, which nobody sees.
ENDS = ("lower", "upper")


def mean_number(scale: Scale, estimate: QuestionEstimate, population: str) -> Number:
    """The mean from reports of one bit: the row of the upper end, in the units of the number."""
    lower, upper = scale.ends
    mean = rr_engine.bounded.MeanEstimate(estimate.unbiased, lower, upper, population)
    width, (_lower_end, upper_end) = upper - lower, rows_of(estimate, ENDS)

    def placed(share: float | None) -> float | None:
        return None if share is None else lower + width * share

    def both_placed(interval: Interval) -> Interval:
        low, high = interval
        return placed(low), placed(high)

    error = upper_end.standard_error
    in_units = MeanOfOneBit(
        estimate=placed(upper_end.estimate),
        maximum_likelihood=placed(upper_end.maximum_likelihood),
        interval=both_placed(upper_end.interval),
        interval_50=both_placed(upper_end.interval_50),
        confidence_sequence=both_placed(upper_end.confidence_sequence),
        standard_error=None if error is None else width * error,
        fake_weight=upper_end.fake_weight,
        fakes=upper_end.fakes,
        **_reported(estimate),
    )
    notes = tuple(sorted({note.code for note in mean.notes}))
    return Number(**_of_scale(scale), mean=in_units, quantiles=(), distribution=None, notes=notes)


def _reported(estimate: QuestionEstimate) -> dict[str, Any]:
    """How often the second code came in; those of several devices have no meaning together."""
    if len(estimate.material.counts) > 1:
        return {"reported": None, "reported_share": None}
    first, second = (int(count) for count in estimate.material.counts[0])
    return {"reported": second, "reported_share": second / max(first + second, 1)}


def binned_number(scale: Scale, estimate: rr_engine.Estimate) -> Number:
    """Mean, distribution and quartiles of a number that is reported in bins."""
    bins = bins_of(scale)
    mean = rr_engine.bounded.mean_from_bins(estimate, bins)
    told = mean_of_scores(mean.middles, estimate, bins.middles)
    known = told.interval == ends(mean.middles.interval(LEVELS[0]))
    distribution = rr_engine.bounded.distribution_from_bins(estimate, bins)
    quantiles = [rr_engine.bounded.quantile_from_bins(estimate, bins, chance) for chance in CHANCES]
    notes = {note.code for found in quantiles for note in found.notes}
    return Number(
        **_of_scale(scale),
        mean=MeanOfBins(
            estimate=told.value,
            standard_error=told.standard_error,
            interval=told.interval,
            interval_50=ends(mean.middles.interval(LEVELS[1])) if known else (None, None),
            discretisation=mean.discretisation,
            interval_of_all=ends(mean.interval(LEVELS[0])) if known else (None, None),
        ),
        quantiles=tuple(map(_quantile, quantiles)),
        distribution=Distribution(
            boundaries=tuple(map(float, distribution.boundaries)),
            cumulative=numbers(distribution.cumulative),
            standard_errors=numbers(distribution.standard_errors),
            monotone=numbers(distribution.monotone),
        ),
        notes=tuple(sorted(notes | {note.code for note in mean.middles.notes})),
    )


def bins_of(scale: Scale) -> rr_engine.bounded.Bins:
    """The bins of a scale that has some."""
    return rr_engine.bounded.Bins(*scale.ends, scale.steps, scale.bins)


def _of_scale(scale: Scale) -> dict[str, Any]:
    lower, upper = scale.ends
    return {"lower": lower, "upper": upper, "unit": scale.unit}


def _quantile(quantile: rr_engine.bounded.Quantile) -> Quantile:
    return Quantile(
        chance=quantile.chance,
        estimate=number(quantile.value),
        interval=ends(quantile.interval(LEVELS[0])),
        even_interval=ends(quantile.interval(LEVELS[0], "even")),
    )
