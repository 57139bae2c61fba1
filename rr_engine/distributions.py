"""Normal, t, F, chi-square, binomial and beta: the tails and quantiles that the engine needs.

From `scipy.special`, which `scipy.stats` computes with too. Importing that would take nearly half
of what the engine takes to import, in each process, and a number of its distributions takes some
hundred microseconds, where it takes some ten here or less. Of SciPy's other parts, too, each is
imported when it is first used: a module says `import scipy`, and names the part at every use.

All take scalars or arrays that broadcast, and return what they broadcast to.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy import special

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray

normal_cdf = special.ndtr
normal_ppf = special.ndtri


def normal_sf(value: ArrayLike) -> FloatArray:
    return special.ndtr(-np.asarray(value))


def normal_isf(tail: ArrayLike) -> FloatArray:
    return -special.ndtri(tail)


def t_isf(tail: ArrayLike, freedom: ArrayLike) -> FloatArray:
    return -special.stdtrit(freedom, tail)


def f_sf(ratio: ArrayLike, above: ArrayLike, below: ArrayLike) -> FloatArray:
    return special.fdtrc(above, below, np.maximum(ratio, 0.0))


def chi2_sf(statistic: ArrayLike, freedom: ArrayLike) -> FloatArray:
    """Return the upper tail; nan without a degree of freedom."""
    freedom = np.where(np.asarray(freedom) > 0, freedom, np.nan)
    return special.chdtrc(freedom, np.maximum(statistic, 0.0))


def chi2_ppf(share: ArrayLike, freedom: ArrayLike) -> FloatArray:
    return 2 * special.gammaincinv(np.asarray(freedom) / 2, share)


def chi2_isf(tail: ArrayLike, freedom: ArrayLike) -> FloatArray:
    return 2 * special.gammainccinv(np.asarray(freedom) / 2, tail)


def noncentral_chi2_sf(statistic: ArrayLike, freedom: ArrayLike, excess: ArrayLike) -> FloatArray:
    """The tail of the noncentral chi-square distribution; `excess` is its noncentrality."""
    return 1 - special.chndtr(statistic, freedom, excess)


def noncentrality(statistic: ArrayLike, freedom: ArrayLike, tail: ArrayLike) -> FloatArray:
    """The noncentrality at which the tail beyond the statistic is that large."""
    return special.chndtrinc(statistic, freedom, 1 - np.asarray(tail))


def binomial_cdf(count: ArrayLike, n: ArrayLike, share: ArrayLike) -> FloatArray:
    """The chance of at most `count` among `n`; of integers."""
    return binomial_tail(count, n)(share)


def binomial_sf(count: ArrayLike, n: ArrayLike, share: ArrayLike) -> FloatArray:
    """The chance of more than `count` among `n`; of integers."""
    return binomial_tail(count, n, above=True)(share)


def binomial_tail(
    count: ArrayLike, n: ArrayLike, *, above: bool = False
) -> Callable[[ArrayLike], FloatArray]:
    """The chance of at most `count` among `n`, or of more, as a function of the share."""
    shapes, inside = _shapes(count, n), special.betainc if above else special.betaincc
    first, second = (np.maximum(shape, 1) for shape in shapes)
    never, always = (shape < 1 for shape in (shapes[::-1] if above else shapes))
    return lambda share: np.where(never, 0.0, np.where(always, 1.0, inside(first, second, share)))


def smooth_binomial_cdf(count: ArrayLike, n: ArrayLike, share: ArrayLike) -> FloatArray:
    """The same as :func:`binomial_cdf` at whole counts, and in between without a jump.

    By the beta distribution that gives the chance at whole counts; 0 at a count of -1 and below.
    """
    above, below = _shapes(count, n)
    tail = special.betaincc(np.where(above > 0, above, 1.0), np.where(below > 0, below, 1.0), share)
    return np.where(above <= 0, 0.0, np.where(below <= 0, 1.0, tail))


def _shapes(count: ArrayLike, n: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the shapes of the beta distribution of Pr(X > count); below 1 at the ends."""
    below = np.asarray(count, dtype=np.float64)
    return below + 1, np.asarray(n, dtype=np.float64) - below


def binomial_pmf(count: ArrayLike, n: ArrayLike, share: ArrayLike) -> FloatArray:
    """The chance of `count` among `n`, 0 <= count <= n, to a relative n * 1e-15."""
    count = np.asarray(count, dtype=np.float64)
    ways = -np.log1p(n) - special.betaln(count + 1, n - count + 1)
    return np.exp(
        ways + special.xlogy(count, share) + special.xlog1py(n - count, -np.asarray(share))
    )


def beta_ppf(share: ArrayLike, first: ArrayLike, second: ArrayLike) -> FloatArray:
    return special.betaincinv(first, second, share)


def beta_isf(tail: ArrayLike, first: ArrayLike, second: ArrayLike) -> FloatArray:
    return special.betainccinv(first, second, tail)


def margin_factor(level: float) -> float:
    """Return the half width of the normal interval of a level in standard deviations."""
    return _quantile(check.open_unit(level, "level"))


@lru_cache(maxsize=64)
def _quantile(level: float) -> float:
    """The same of a checked level; cached, because SciPy is slow."""
    return float(normal_isf((1 - level) / 2))
