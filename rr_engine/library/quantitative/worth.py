"""The number of direct answers that scrambled reports are worth."""

from rr_engine import check
from rr_engine.sampling.survey_estimate import SurveyEstimate

# Relative; below it the spread of direct answers is rounding.
ROUNDING = 1e-12


def equivalent_direct_n(found: SurveyEstimate) -> tuple[float | None, ...]:
    """Return how many honest direct answers of such a sample would have the same standard error.

    Parameters
    ----------
    found : SurveyEstimate
        Of means, shares or totals, from scrambled or from randomized answers.

    Returns
    -------
    tuple of float or None
        For each mean. None where it cannot be told, the device alone explaining how far the
        reports lie apart, and where direct answers would have no error, as in a census.

    Raises
    ------
    ArgumentError

    Notes
    -----
    n times the part of the variance that is not the device's, over the variance.

    References
    ----------
    .. [1] L. Kish, "Survey Sampling", Wiley 1965, section 8.2 (effective sample size).

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import estimate_mean
    >>> from rr_engine.quantities import Eriksson, Scrambling
    >>> design = Eriksson(0.75, Scrambling.from_cards([0, 1, 2, 3]))
    >>> found = estimate_mean(design.scores([0, 3, 1, 1, 2, 0, 1, 1]), SurveySample(n=8))
    >>> round(equivalent_direct_n(found)[0], 3)
    4.055
    """
    rule = "be what estimate_mean or estimate_total returns"
    check.instance(found, "found", SurveyEstimate, rule, "not_an_estimate")
    whole = found.covariance.diagonal().tolist()
    device = found.randomization_covariance.diagonal().tolist()
    return tuple(
        found.n * (total - own) / total if total > 0 and total - own > ROUNDING * total else None
        for total, own in zip(whole, device, strict=True)
    )
