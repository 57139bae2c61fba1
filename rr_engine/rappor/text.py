"""The one form of a text that Python and the browser agree on (static/js/rr/bloom.js)."""

import re
import unicodedata

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
