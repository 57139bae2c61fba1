"""Texts as a spreadsheet reads them: OWASP, "CSV Injection" (owasp.org/www-community/attacks).

Two rules (docs/decisions/0047-labels-in-files.md): no text is launched from which a spreadsheet
would compute anything, and only in files made for a spreadsheet are beginnings guarded.
"""

import re
from itertools import pairwise

# A cell that begins so may be taken for a formula; the wide forms in some languages.
SIGNS = "=+-@＝＋－＠"
BEGINNINGS = (*SIGNS, "\t", "\r")
GUARD = "'"

# The characters of ordinary words after such a sign; an operator, a bracket, a colon or an
# exclamation mark are no part of any.
_WORD = re.compile(r"[\w.,?%°€£'’„“”…–—]+")
_SIGNED = re.compile(r"[+\-−][0-9][0-9.,]*%?")
_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[RrZzLl][0-9]*[CcSs][0-9]*")
_AFTER_SEMICOLON = re.compile(rf";[\s\"']*(?=[{re.escape(SIGNS)}])")
# Between the answers of a card or a combination.
_BAR = "|"


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would compute something from a cell with this text.

    "=1" it would, "-2+3" and "@SUM(A1)" too. A number such as "-5", words such as "@home" or
    "-10 to -5", and signs alone such as "++" begin so and compute nothing.
    """
    text = text.strip()
    first_answer = text.split(f" {_BAR} ")[0]
    if not text.startswith(BEGINNINGS) or not first_answer.strip(f"{SIGNS} "):
        return False
    return text[0] in "=＝" or not _is_words(text[1:].split())


def _is_words(words: list[str]) -> bool:
    """Whether no word is an operator or a cell; a sign is that of a number after a word."""
    if not words or _SIGNED.fullmatch(words[0]):
        return False
    pairs = pairwise(["", *words])
    return all(
        word == _BAR
        or (bool(_WORD.fullmatch(word)) and not _CELL.fullmatch(word))
        or (bool(_SIGNED.fullmatch(word)) and before.isalpha())
        for before, word in pairs
    )


def guarded(text: str) -> str:
    """The text as a cell of a file made for a spreadsheet."""
    return f"{GUARD}{text}" if text.startswith(BEGINNINGS) else text


def guarded_words(text: str) -> str:
    """What somebody unknown has written, as one line in such a file.

    In some countries a semicolon separates cells, so that what follows one is a beginning as well.
    """
    return guarded(_AFTER_SEMICOLON.sub(rf"\g<0>{GUARD}", " ".join(text.split())))


def unguarded(cell: str) -> str:
    """The text of a cell that may come from such a file."""
    rest = cell.removeprefix(GUARD)
    return rest if rest.startswith(BEGINNINGS) else cell
