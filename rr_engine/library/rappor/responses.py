"""Bits that a respondent's device keeps and sends: permanent ones, samples, relaxations."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from rr_engine.channels.bit_people import bits_of
from rr_engine.channels.bits import BitChannel
from rr_engine.device import RandomBytes, uniform_below
from rr_engine.errors import ArgumentError
from rr_engine.rappor.bloom import normalize_text
from rr_engine.rappor.rappor import Rappor


@dataclass(slots=True)
class PermanentResponses:
    """The memory of one respondent: a text's permanent response is drawn once.

    Parameters
    ----------
    device : Rappor
    cohort : int
        The respondent's own, drawn once as well (:meth:`Rappor.draw_cohort`).
    random_bytes : callable
        ``random_bytes(size)`` returns that many independent uniform bytes.

    Notes
    -----
    A second draw for the same text would be a second report of it, and their epsilons would add.
    Texts with the same normalized form share a response.

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 3.1.

    Examples
    --------
    >>> import os
    >>> memory = PermanentResponses(Rappor.for_epsilon(2, bits=64), 0, os.urandom)
    >>> memory.response("Heroin") == memory.response(" heroin ")
    True
    """

    device: Rappor
    cohort: int
    random_bytes: RandomBytes
    _drawn: dict[str, str] = field(default_factory=dict, init=False, repr=False)

    def response(self, text: str) -> str:
        """Return the permanent response to a text, the same at every call; Pan (2024) Eq. 63."""
        words = normalize_text(text)
        if words not in self._drawn:
            self._drawn[words] = self.device.permanent(words, self.cohort, self.random_bytes)
        return self._drawn[words]

    def sample(self, text: str, sampler: BitChannel) -> str:
        """Return a new noisy sample of the permanent response; Pan (2024) Eq. 64."""
        return draw_sample(self.response(text), sampler, self.random_bytes)


def draw_sample(permanent: str, sampler: BitChannel, random_bytes: RandomBytes) -> str:
    """Draw a noisy sample of a permanent response, RAPPOR's instantaneous response.

    Parameters
    ----------
    permanent : str
        A string of bits.
    sampler : BitChannel
        For sets of as many bits: its chances p and q are those of a 1 from a set and a clear bit.
    random_bytes : callable

    Notes
    -----
    What all samples of one response give away is :func:`budget_after_samples`.

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 3.1, step 3.
    .. [2] M. Pan, "Randomized Response with Gradual Release of Privacy Budget", 2024, Eq. 64.

    Examples
    --------
    >>> draw_sample("01", BitChannel(2, 3, 1, 4, "set"), lambda size: b"\\x00" * size)
    '11'
    """
    if not isinstance(sampler, BitChannel) or sampler.exclusive:
        raise ArgumentError("sampler", sampler, "be a BitChannel for sets", "not_a_channel")
    bits = np.array([bits_of(permanent, sampler.bits, "permanent")])
    return "".join(map(str, sampler.draw(bits, random_bytes)[0].tolist()))


def bit_kernel(now: Rappor, later: Rappor) -> list[list[list[Fraction]]]:
    """Return ``Pr(next bit | previous bit, true bit)`` of the relaxation, exactly.

    Parameters
    ----------
    now, later : Rappor
        Of the same filter and cohorts; `later` has the smaller f, or the same.

    Returns
    -------
    list, indexed by next bit, previous bit and true bit

    Raises
    ------
    ArgumentError

    Notes
    -----
    With C the degradation from the later bit to the earlier one, the kernel is
    ``C[y1, y2] P2[y2, x] / P1[y1, x]``. Over denominators D1, D2 its two values are fractions of
    ``kept`` and ``raised``, so the bit that is drawn follows the later device exactly.

    References
    ----------
    .. [1] M. Pan, "Randomized Response with Gradual Release of Privacy Budget", 2024, Theorem 3.1
       and section 5.1.

    Examples
    --------
    >>> kernel = bit_kernel(Rappor(8, 1, 1, "0.5"), Rappor(8, 1, 1, "0.25"))
    >>> kernel[1][1][1]
    Fraction(35, 36)
    """
    _check_relaxation(now, later)
    first, second = _bit_chances(now), _bit_chances(later)
    unchanged = (first[0] - second[1]) / (second[0] - second[1])
    degraded = (unchanged, 1 - unchanged)

    def chance(following: int, previous: int, truth: int) -> Fraction:
        report = second[following != truth] / first[previous != truth]
        return degraded[following != previous] * report

    return [[[chance(y2, y1, x) for x in (0, 1)] for y1 in (0, 1)] for y2 in (0, 1)]


def _bit_chances(device: Rappor) -> tuple[Fraction, Fraction]:
    """Return the chances that a bit is reported as it is and changed."""
    return (Fraction(device.kept, device.denominator), Fraction(device.raised, device.denominator))


def _check_relaxation(now: Rappor, later: Rappor) -> None:
    alike = isinstance(now, Rappor) and isinstance(later, Rappor)
    if not alike or (now.bits, now.hashes, now.cohorts) != (
        later.bits,
        later.hashes,
        later.cohorts,
    ):
        rule = "be a Rappor with the bits, hashes and cohorts of the earlier one"
        raise ArgumentError("later", later, rule, "reports_differ")
    if Fraction(later.f) > Fraction(now.f):
        raise ArgumentError("later", later, "have no larger f than the earlier one", "budget_falls")


def relax_response(
    previous: str,
    text: str | None,
    cohort: int,
    now: Rappor,
    later: Rappor,
    random_bytes: RandomBytes,
) -> str:
    """Draw the report of a larger epsilon that goes on from an earlier report.

    Both together, and any chain of them, give away the last epsilon and no more: in place of noisy
    samples of a permanent response.

    Parameters
    ----------
    previous : str
        The earlier report, a string of bits drawn by `now`.
    text : str or None
        The true text, the same as before; None for a refusal.
    cohort : int
        The respondent's, as before.
    now, later : Rappor
    random_bytes : callable

    Returns
    -------
    str
        A report with exactly the law of ``later.permanent``.

    References
    ----------
    .. [1] M. Pan, "Randomized Response with Gradual Release of Privacy Budget", 2024, Theorems 3.1
       to 3.3 and section 5.1.

    Examples
    --------
    >>> import os
    >>> now, later = (Rappor.for_epsilon(epsilon, bits=64) for epsilon in ("1", "2"))
    >>> first = now.permanent("Heroin", 0, os.urandom)
    >>> len(relax_response(first, "Heroin", 0, now, later, os.urandom))
    64
    """
    ones = bit_kernel(now, later)[1]
    truths = now.filter_bits(text, cohort).tolist()
    bits = bits_of(previous, now.bits, "previous")
    chances = (ones[bit][truth] for bit, truth in zip(bits, truths, strict=True))
    return "".join(str(_draw_bit(chance, random_bytes)) for chance in chances)


def _draw_bit(chance: Fraction, random_bytes: RandomBytes) -> int:
    """Draw 1 with exactly this chance."""
    return int(uniform_below(chance.denominator, random_bytes) < chance.numerator)
