"""The Bloom filter of a text: which bits it sets, by SHA-256 (static/js/rr/bloom.js)."""

from collections.abc import Iterator
from hashlib import sha256

from rr_engine.rappor.text import normalize_text

NUMBER_BYTES = 4


def bloom_positions(text: str, cohort: int, bits: int, hashes: int) -> tuple[int, ...]:
    """Return the different bits that a text sets in a cohort, in the order of the hash.

    Parameters
    ----------
    text : str
        Normalized first (:func:`normalize_text`).
    cohort : int
        From 0 on.
    bits, hashes : int
        Length of the filter, and how many bits are set; at most half of them.

    Notes
    -----
    Block j is the SHA-256 of the UTF-8 text ``candor bloom <cohort> <j> <text>``, eight big-endian
    numbers of 32 bits. Each number modulo `bits` is a position; one that occurred before is
    skipped, and block j + 1 follows when block j is used up.

    References
    ----------
    .. [1] B. H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors",
       Communications of the ACM 13, 1970.
    .. [2] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 3 (cohorts).

    Examples
    --------
    >>> bloom_positions("Heroin", 0, 256, 2) == bloom_positions(" heroin", 0, 256, 2)
    True
    """
    return positions_of(normalize_text(text), cohort, bits, hashes)


def positions_of(words: str, cohort: int, bits: int, hashes: int) -> tuple[int, ...]:
    """Return the bits that a normalized text sets in a cohort."""
    positions: dict[int, None] = {}
    for number in _hash_numbers(words, cohort):
        positions[number % bits] = None
        if len(positions) == hashes:
            break
    return tuple(positions)


def _hash_numbers(text: str, cohort: int) -> Iterator[int]:
    """Yield numbers of 32 bits without end."""
    block = 0
    while True:
        digest = sha256(f"candor bloom {cohort} {block} {text}".encode()).digest()
        for start in range(0, len(digest), NUMBER_BYTES):
            yield int.from_bytes(digest[start : start + NUMBER_BYTES], "big")
        block += 1
