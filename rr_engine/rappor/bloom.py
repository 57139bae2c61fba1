"""The one form of a text, and the bits that it sets in a Bloom filter, by SHA-256.

Python and the browser agree on both (static/js/rr/bloom.js, static/js/rr/text.js).
"""

import re
import unicodedata
from collections.abc import Iterator
from hashlib import sha256

from rr_engine.errors import CategoryError

# Python has lone surrogates in a string, the encoder of a browser replaces them.
_SURROGATES = re.compile("[\ud800-\udfff]")
# Invisible: soft hyphen, zero-width space, marks of direction, word joiner, byte order mark, and
# the selectors of a character's picture.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff\ufe0e\ufe0f]")
# Control characters and white space, written out: the two languages differ on what `\s` is.
_SPACES = re.compile(
    "[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
)
# After lower case: what is one letter to a reader, and what keyboards put in place of ' " and -.
_FOLDED = {
    "ς": "σ",
    "ß": "ss",
    "i\u0307": "i",
    "‘": "'",
    "’": "'",
    "ʼ": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "‐": "-",
    "‑": "-",
    "‒": "-",
    "–": "-",
    "—": "-",
    "−": "-",
}
NUMBER_BYTES = 4


def normalize_text(text: str, argument: str = "text") -> str:
    """Return the form in which texts are compared and hashed.

    Parameters
    ----------
    text : str
        What somebody typed, or a candidate.
    argument : str
        Its name in an error.

    Returns
    -------
    str
        Not empty.

    Raises
    ------
    CategoryError
        If `text` is no string, or nothing is left of it.

    Notes
    -----
    docs/methods/rappor.md. Compatibility composition (NFKC), lower case, no invisible characters,
    a final sigma like any other, ß as ss, i with a dot above as i, straight quotation marks and
    hyphens, NFKC again, and one space for any run of white space and control characters, none
    at the ends. It does not change its own result. Case folding is not used because browsers do
    not have it.

    References
    ----------
    .. [1] Unicode Standard Annex 15, "Unicode Normalization Forms", 2021 (NFKC, and that it never
       changes for characters that are assigned).

    Examples
    --------
    >>> normalize_text("  Groß\\u00a0STRASSE "), normalize_text("İSTANBUL"), normalize_text("ΟΔΟΣ")
    ('gross strasse', 'istanbul', 'οδοσ')
    """
    if not isinstance(text, str):
        raise CategoryError(argument, text, "be a text", "empty_label")
    lower = unicodedata.normalize("NFKC", _SURROGATES.sub("\ufffd", text)).lower()
    folded = _INVISIBLE.sub("", lower)
    for letter, replacement in _FOLDED.items():
        folded = folded.replace(letter, replacement)
    words = _SPACES.sub(" ", unicodedata.normalize("NFKC", folded)).strip(" ")
    if not words:
        raise CategoryError(argument, text, "have a character that can be seen", "empty_label")
    return words


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
