"""Return codes, by which somebody comes back whom nobody knows.

A code is 18 random symbols and two that check them, in five groups of four. The check is the number
of the 18 symbols modulo the prime 1021, so that no wrong symbol and no swap of two neighbours goes
unseen. static/js/features/return_codes/code.js is its twin.
"""

import re
import secrets

from surveys.features.modes import ALPHABET, OwnKey

MODULUS = 1021
RANDOM_SYMBOLS, GROUP = 18, 4
# The mode of documents in which respondents have codes.
PSEUDONYMOUS = "pseudonymous"
_FORM = re.compile(rf"[{ALPHABET}]{{4}}(-[{ALPHABET}]{{4}}){{4}}")


def is_return_code(text: object) -> bool:
    """Whether this is a code in the one form that is sent: upper case, in groups."""
    if not isinstance(text, str) or not _FORM.fullmatch(text):
        return False
    symbols = text.replace("-", "")
    return symbols[RANDOM_SYMBOLS:] == check_symbols(symbols[:RANDOM_SYMBOLS])


def check_symbols(symbols: str) -> str:
    """The two symbols that check the random ones."""
    number = 0
    for symbol in symbols:
        number = (number * len(ALPHABET) + ALPHABET.index(symbol)) % MODULUS
    high, low = divmod(number, len(ALPHABET))
    return ALPHABET[high] + ALPHABET[low]


def return_code(symbols: str) -> str:
    """The code of 18 random symbols."""
    whole = symbols + check_symbols(symbols)
    return "-".join(whole[start : start + GROUP] for start in range(0, len(whole), GROUP))


def new_code() -> str:
    """A code as a browser draws it for somebody who answers for the first time."""
    return return_code("".join(secrets.choice(ALPHABET) for _ in range(RANDOM_SYMBOLS)))


KEY = OwnKey("code", "return code", is_return_code)
