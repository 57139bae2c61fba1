"""The sample that a model or a correlation is computed from."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from rr_engine.errors import ArgumentError
from rr_engine.regression.rows import GroupedRows
from rr_engine.sampling.checks import check_weights
from rr_engine.sampling.survey_sample import SurveySample
from rr_engine.sampling.weighted_sample import WeightedSample
from rr_engine.sampling.weighted_sample import check_sample as check_weighted_sample
from rr_engine.validation import FloatArray


def check_sample(sample: object, n: int) -> WeightedSample | None:
    """Return a sample of n respondents, or None where none was given.

    As if drawn with replacement: a model is about what made the population, whatever part of it
    was drawn, and the devices' chance does not end with the population.
    """
    if sample is None:
        return None
    chosen = check_weighted_sample(sample)
    if chosen.n != n:
        rule = f"be of the {n} respondents"
        raise ArgumentError("sample", f"{chosen.n} respondents", rule, "lengths_differ")
    return chosen.with_replacement()


def sample_of(weights: npt.ArrayLike | None, sample: object, n: int) -> WeightedSample:
    """Return the sample of n respondents, with equal weights where there are none."""
    given = check_sample(sample, n)
    amounts = None if weights is None else check_weights(weights, n)
    if given is None:
        return SurveySample(n=n) if amounts is None else SurveySample(amounts)
    if amounts is None:
        return given
    if not isinstance(given, SurveySample):
        rule = "be left out beside a sample whose weights were made for it"
        raise ArgumentError("weights", weights, rule, "weights_twice")
    return given.with_weights(amounts)


def score_variance(
    scores: FloatArray,
    groups: GroupedRows,
    weights: FloatArray,
    variance_of: Callable[[FloatArray], FloatArray] | None,
) -> FloatArray:
    """Return the estimated variance of the weighted sum of scores, from their spread.

    `scores`: of one respondent of each group; `weights`: shape (n,); `variance_of`: of a total of
    weighted contributions, from a survey sample; None for independent respondents.
    """
    if variance_of is not None:
        return variance_of(scores[groups.group_of] * weights[:, None])
    n = int(np.count_nonzero(weights))
    # The usual factor n/(n - 1) of a variance of respondents.
    return (scores * groups.squares[:, None]).T @ scores * n / max(n - 1, 1)
