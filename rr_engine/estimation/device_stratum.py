"""The counts of one device, of several that ask the same question."""

from __future__ import annotations

from dataclasses import dataclass

from rr_engine.arrays import FrozenArrays, IntArray
from rr_engine.channels.protocol import Channel


@dataclass(frozen=True, slots=True, eq=False)
class DeviceStratum(FrozenArrays):
    """The part of the respondents who used one device.

    Attributes
    ----------
    design : Channel
    counts : ndarray of int, shape (reports of this device,)
        Of a device of bits two numbers for each bit, how often it was clear and set.

    Examples
    --------
    >>> from rr_engine import estimate_strata, warner
    >>> found = estimate_strata([warner(0.75), warner(0.9)], [[560, 440], [280, 120]])
    >>> [(stratum.n, stratum.counts.tolist()) for stratum in found.strata]
    [(1000, [560, 440]), (400, [280, 120])]
    """

    design: Channel
    counts: IntArray

    @property
    def n(self) -> int:
        """Number of reports."""
        return self.design.people(self.counts)
