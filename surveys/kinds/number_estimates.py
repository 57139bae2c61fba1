"""Numbers of one estimate of a number: its mean, its distribution and its quantiles, as JSON."""

from typing import Any

import rr_engine
from surveys.kinds.estimates import LEVELS, QuestionEstimate, error_beside, number, numbers, rows_of
from surveys.parameters import Scale

# The quartiles, and the median between them.
CHANCES = (0.25, 0.5, 0.75)
# The numbers of a row of shares that are places on the scale, and those that are ranges of it.
_PLACES = ("estimate", "maximum_likelihood")
_SPANS = ("interval", "interval_50", "confidence_sequence")


def mean_number(scale: Scale, estimate: QuestionEstimate, population: str) -> dict[str, Any]:
    """The mean from reports of one bit: the row of the upper end, in the units of the number."""
    lower, upper = scale.ends
    mean = rr_engine.MeanEstimate(estimate.unbiased, lower, upper, population)
    width, upper_end = upper - lower, rows_of(estimate)[1]

    def placed(share: float | None) -> float | None:
        return None if share is None else lower + width * share

    in_units = {
        **{name: placed(upper_end[name]) for name in _PLACES},
        **{name: [placed(end) for end in upper_end[name]] for name in _SPANS},
        "standard_error": None
        if upper_end["standard_error"] is None
        else width * upper_end["standard_error"],
    }
    kept = ("fake_weight", "fakes")
    return {
        **_scale_json(scale),
        "mean": {**in_units, **{name: upper_end[name] for name in kept}, **_reported(estimate)},
        "quantiles": [],
        "distribution": None,
        "notes": sorted({note.code for note in mean.notes}),
    }


def _reported(estimate: QuestionEstimate) -> dict[str, Any]:
    """How often the second code came in; those of several devices have no meaning together."""
    if len(estimate.material.counts) > 1:
        return {"reported": None, "reported_share": None}
    first, second = (int(count) for count in estimate.material.counts[0])
    return {"reported": second, "reported_share": second / max(first + second, 1)}


def binned_number(scale: Scale, estimate: rr_engine.Estimate) -> dict[str, Any]:
    """Mean, distribution and quartiles of a number that is reported in bins."""
    bins = bins_of(scale)
    mean = rr_engine.mean_from_bins(estimate, bins)
    distribution = rr_engine.distribution_from_bins(estimate, bins)
    quantiles = [rr_engine.quantile_from_bins(estimate, bins, chance) for chance in CHANCES]
    notes = {note.code for found in quantiles for note in found.notes}
    return {
        **_scale_json(scale),
        "mean": {
            "estimate": number(mean.value),
            "standard_error": error_beside(
                numbers(mean.middles.interval(LEVELS[0])), mean.standard_error
            ),
            "interval": numbers(mean.middles.interval(LEVELS[0])),
            "interval_50": numbers(mean.middles.interval(LEVELS[1])),
            "discretisation": mean.discretisation,
            "interval_of_all": numbers(mean.interval(LEVELS[0])),
        },
        "quantiles": [_quantile(found) for found in quantiles],
        "distribution": {
            "boundaries": numbers(distribution.boundaries),
            "cumulative": numbers(distribution.cumulative),
            "standard_errors": numbers(distribution.standard_errors),
            "monotone": numbers(distribution.monotone),
        },
        "notes": sorted(notes | {note.code for note in mean.middles.notes}),
    }


def bins_of(scale: Scale) -> rr_engine.Bins:
    """The bins of a scale that has some."""
    return rr_engine.Bins(*scale.ends, scale.steps, scale.bins)


def _scale_json(scale: Scale) -> dict[str, Any]:
    lower, upper = scale.ends
    return {"lower": lower, "upper": upper, "unit": scale.unit}


def _quantile(quantile: rr_engine.Quantile) -> dict[str, Any]:
    return {
        "chance": quantile.chance,
        "estimate": number(quantile.value),
        "interval": numbers(quantile.interval(LEVELS[0])),
        # Where the numbers of a bin are spread evenly over it.
        "even_interval": numbers(quantile.interval(LEVELS[0], "even")),
    }
