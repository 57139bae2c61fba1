"""Personal links, by which a member of a roster answers once.

A link is the address of the survey and, behind a #, 28 random symbols: browsers send that part to
nobody, so it stands in no log. static/js/rr/person.js has its twin.
"""

import re
import secrets

from surveys.features.modes import ALPHABET, OwnKey

# 140 bits: nobody finds one by trying.
SYMBOLS = 28
_FORM = re.compile(rf"[{ALPHABET}]{{{SYMBOLS}}}")


def is_personal_link(text: object) -> bool:
    """Whether this is the secret part of a link in the one form that is sent: upper case."""
    return isinstance(text, str) and _FORM.fullmatch(text) is not None


def new_link() -> str:
    """The secret part of another link."""
    return "".join(secrets.choice(ALPHABET) for _ in range(SYMBOLS))


KEY = OwnKey("link", "personal link", is_personal_link)
