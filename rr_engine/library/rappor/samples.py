"""Repeated noisy samples of a permanent bit against its relaxation: budget and variance."""

import numpy as np

from rr_engine import check
from rr_engine.arrays import Epsilon


def budget_after_samples(
    epsilon_permanent: Epsilon, epsilon_sample: Epsilon, samples: int
) -> float:
    """Return what noisy samples of one permanent bit give away together.

    Parameters
    ----------
    epsilon_permanent, epsilon_sample : Decimal, str or float
        Of the permanent bit and of one sample of it, each symmetric. Per bit: a whole text has the
        `2 hashes`-fold.
    samples : int
        At least 0.

    Returns
    -------
    float
        ``ln((E_p E_s**K + 1) / (E_p + E_s**K))``: at most ``K epsilon_sample``, below
        `epsilon_permanent`, and tending to it.

    References
    ----------
    .. [1] M. Pan, "Randomized Response with Gradual Release of Privacy Budget", 2024, Eq. 65 and
       Appendix E.

    Examples
    --------
    >>> [round(budget_after_samples(1, 0.5, samples), 4) for samples in (0, 1, 2, 10)]
    [0.0, 0.2273, 0.4338, 0.9843]
    """
    permanent, sample = (
        float(check.epsilon(epsilon_permanent, "epsilon_permanent")),
        float(check.epsilon(epsilon_sample, "epsilon_sample")),
    )
    ones = check.whole(samples, "samples", maximum=2**53) * sample
    # ln((e**(a + b) + 1) / (e**a + e**b)), the larger of a and b taken out.
    least, gap = min(permanent, ones), abs(permanent - ones)
    return float(least + np.log1p(np.exp(-(permanent + ones))) - np.log1p(np.exp(-gap)))


def relaxed_bit_variance(epsilon: Epsilon, n: int) -> float:
    """Return the variance of the estimated frequency of a bit from relaxed reports.

    Parameters
    ----------
    epsilon : Decimal, str or float
        The last of one bit.
    n : int
        Respondents, whose bits are held fixed.

    Returns
    -------
    float
        ``E / (n (E - 1)**2)``.

    References
    ----------
    .. [1] M. Pan, "Randomized Response with Gradual Release of Privacy Budget", 2024, Eq. 67.

    Examples
    --------
    >>> round(relaxed_bit_variance(1, 1000), 6)
    0.000921
    """
    return _flip_variance(float(check.epsilon(epsilon))) / check.size(n)


def sampled_bit_variance(
    epsilon_permanent: Epsilon, epsilon_sample: Epsilon, samples: int, n: int
) -> float:
    """Return the variance of the estimated frequency of a bit from noisy samples.

    Parameters
    ----------
    epsilon_permanent, epsilon_sample : Decimal, str or float
        Of the permanent bit and of one sample of it, each symmetric.
    samples : int
        Of each respondent, at least 1.
    n : int
        Respondents, whose bits are held fixed.

    Returns
    -------
    float
        ``(p_p q_p + p_s q_s / (K (p_s - q_s)**2)) / (n (p_p - q_p)**2)``.

    References
    ----------
    .. [1] M. Pan, "Randomized Response with Gradual Release of Privacy Budget", 2024, Eq. 68 and
       Appendix F.

    Examples
    --------
    >>> round(sampled_bit_variance(1, 1, 10, 1000), 6)
    0.001352
    """
    permanent = float(check.epsilon(epsilon_permanent, "epsilon_permanent"))
    sample = float(check.epsilon(epsilon_sample, "epsilon_sample"))
    gap = np.tanh(permanent / 2)
    of_samples = _flip_variance(sample) / check.whole(samples, "samples", minimum=1, maximum=2**53)
    return float(_flip_variance(permanent) + of_samples / gap**2) / check.size(n)


def _flip_variance(epsilon: float) -> float:
    """Return ``p q / (p - q)**2 = E / (E - 1)**2`` of one symmetric bit."""
    return float(1 / (4 * np.sinh(epsilon / 2) ** 2))
