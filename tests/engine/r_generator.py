"""Numbers of R's default generators, to draw again the data that R packages were shown with."""

from math import exp, factorial, floor, log, pi, sqrt

import numpy as np
from scipy.special import ndtri

_LOG_TWO_SUMS = np.cumsum([log(2) ** k / factorial(k) for k in range(1, 17)]).tolist()
_TAIL = (
    -0.5, 0.3333333, -0.2500068, 0.2000118, -0.1661269, 0.1421878, -0.1384794, 0.1250060,
)  # fmt: skip


class R:
    """R after `set.seed(seed)`: `rbinom` of size 1, `rnorm`, `rpois`, `sample` of R 3.6 on."""

    def __init__(self, seed):
        words = [seed]
        for _ in range(50 + 625):
            words.append((69069 * words[-1] + 1) % 2**32)
        self.source = np.random.MT19937()
        state = self.source.state
        state["state"] = {"key": np.array(words[-624:], dtype=np.uint32), "pos": 624}
        self.source.state = state

    def uniform(self, size):
        return self.source.random_raw(size) * 2.3283064365386963e-10

    def bernoulli(self, size, chance):
        high = self.uniform(size) >= np.maximum(chance, 1 - np.asarray(chance))
        return np.where(high, np.asarray(chance) <= 0.5, np.asarray(chance) > 0.5).astype(int)

    def indices(self, size, rounds):
        """Rows of `rounds` samples with replacement, by rejection from the next power of two."""
        bits = (size - 1).bit_length()
        drawn = np.floor(self.uniform(2 * size * rounds) * 65536).astype(int) % 2**bits
        return drawn[drawn < size][: size * rounds].reshape(rounds, size)

    def normal(self, size):
        """By inversion, from two uniform numbers each."""
        pairs = self.uniform(2 * size).reshape(size, 2)
        return ndtri((np.floor(134217728 * pairs[:, 0]) + pairs[:, 1]) / 134217728)

    def exponential(self):
        """Algorithm SA of Ahrens and Dieter (1972)."""
        base, uniform = 0.0, 2 * self._one()
        while uniform <= 1:
            base += _LOG_TWO_SUMS[0]
            uniform *= 2
        uniform -= 1
        if uniform <= _LOG_TWO_SUMS[0]:
            return base + uniform
        place, least = 0, self._one()
        while True:
            least = min(least, self._one())
            place += 1
            if uniform <= _LOG_TWO_SUMS[place]:
                return base + least * _LOG_TWO_SUMS[0]

    def poisson(self, size, mean):
        """Algorithm PD of Ahrens and Dieter (1982), for a mean of 10 or more."""
        return np.array([self._poisson(mean) for _ in range(size)])

    def _one(self):
        return float(self.uniform(1)[0])

    def _poisson(self, mean):
        spread = sqrt(mean)
        normal = mean + spread * float(self.normal(1)[0])
        if normal >= 0:
            count = floor(normal)
            if count >= floor(mean - 1.1484):
                return count
            uniform = self._one()
            if 6 * mean**2 * uniform >= (mean - count) ** 3:
                return count
            p, q = _poisson_heights(mean, count)
            if q[1] - uniform * q[1] <= p[1] * exp(p[0] - q[0]):
                return count
        while True:
            tail = self.exponential()
            uniform = 2 * self._one() - 1
            place = 1.8 + (tail if uniform >= 0 else -tail)
            if place > -0.6744:
                count = floor(mean + spread * place)
                p, q = _poisson_heights(mean, count)
                height = p[1] * exp(p[0] + tail) - q[1] * exp(q[0] + tail)
                if 0.1069 / mean * abs(uniform) <= height:
                    return count


def _poisson_heights(mean, count):
    """Exponents and factors of the Poisson probability and of the hat over it."""
    rest = mean - count
    if count < 10:
        p = (-mean, mean**count / factorial(count))
    else:
        share = 1 / (12 * count)
        share -= 4.8 * share**3
        v = rest / count
        if abs(v) <= 0.25:
            first = count * v * v * np.polyval(_TAIL[::-1], v) - share
        else:
            first = count * log(1 + v) - rest - share
        p = (first, 1 / sqrt(2 * pi) / sqrt(count))
    b1 = 1 / (24 * mean)
    b2 = 0.3 * b1 * b1
    c3 = b1 * b2 / 7
    c2 = b2 - 15 * c3
    c1 = b1 - 6 * b2 + 45 * c3
    c0 = 1 - b1 + 3 * b2 - 15 * c3
    x = ((0.5 - rest) / sqrt(mean)) ** 2
    return p, (-0.5 * x, 1 / sqrt(2 * pi * mean) * (((c3 * x + c2) * x + c1) * x + c0))
