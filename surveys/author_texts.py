"""Texts that authors type, paste or upload: how they are stored, and which are one to a reader.

What cannot be seen is no part of a text, a line ends where an editor ends it, and the same letters
are the same characters, however they were put together. docs/decisions/0046-authors-texts.md has
the reasons; static/js/admin/author_texts.js is the twin, on tests/vectors/author_texts.json.
"""

import re
import unicodedata

# Python has lone surrogates in a string, the encoder of a browser replaces them.
_SURROGATES = re.compile("[\ud800-\udfff]")
# Characters that end a line in no editor: a tab, the other breaks of Unicode, and a line end within
# a cell.
_BREAKS = re.compile("[\t-\r\u001c-\u001f\u0085\u2028\u2029]")
# Characters that no reader sees: control characters, a soft hyphen, fillers, those without width,
# and those that turn the direction of writing.
_UNSEEN = re.compile(
    "[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5"
    "\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e001f\U000e0080-\U000e00ff"
    "\U000e01f0-\U000e0fff]"
)
# Characters that are invisible alone and shape their neighbours: joiners of Persian, Indian scripts
# and emoji, and selectors of a character's picture.
_JOINERS = "\u034f\u200c\u200d"
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_SHAPING = f"{_JOINERS}{_SELECTORS}\U000e0020-\U000e007f"
_SPACES = " \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_AT_START = re.compile(f"(^|[{_SPACES}])[{_SHAPING}]+")
_AT_END = re.compile(f"[{_JOINERS}]+($|[{_SPACES}])")
_ENDS = re.compile(f"^[{_SPACES}]+|[{_SPACES}]+$")
_LINE_END = re.compile("\r\n|\n|\r")

# For the comparison only: a run of spaces of any width, which a blank of Braille is too; ligatures.
_ANY_SPACES = re.compile(f"[{_SPACES}\u2800]+")
_LIGATURES = re.compile("[\ufb00-\ufb06]")
_SHAPED = re.compile(f"[{_JOINERS}{_SELECTORS}]")
# Characters that look alike, and those that keyboards put in place of ' " and -.
_FOLDED = {
    "ς": "σ",
    "i\u0307": "i",
    "µ": "μ",
    "…": "...",
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


def one_line(text: str) -> str:
    """A text of one line as it is stored; empty where nothing of it can be seen."""
    seen = _UNSEEN.sub("", _BREAKS.sub(" ", _SURROGATES.sub("\ufffd", text)))
    shaped = _AT_END.sub(r"\1", _AT_START.sub(r"\1", seen))
    composed = unicodedata.normalize("NFC", shaped)
    return _ENDS.sub("", re.sub(" {2,}", " ", composed)) if reader_key_of(composed) else ""


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """The lines that have something to be seen, with their numbers from 1."""
    lines = enumerate(map(one_line, _LINE_END.split(text)), 1)
    return [(number, line) for number, line in lines if line]


def paragraphs(text: str) -> str:
    """A text of several lines as it is stored; blank lines stay between others."""
    return "\n".join(map(one_line, _LINE_END.split(text))).strip("\n")


def reader_key(text: str) -> str:
    """Return what a reader tells texts by: two with one key look alike. Empty: nothing can be seen.

    Capitals, spaces, quotation marks, hyphens and what shapes a character make no difference.
    """
    return reader_key_of(one_line(text))


def reader_key_of(line: str) -> str:
    folded = _SHAPED.sub("", line.lower())
    for letter, replacement in _FOLDED.items():
        folded = folded.replace(letter, replacement)
    folded = _LIGATURES.sub(lambda match: unicodedata.normalize("NFKC", match[0]), folded)
    return _ANY_SPACES.sub(" ", unicodedata.normalize("NFC", folded)).strip(" ")
