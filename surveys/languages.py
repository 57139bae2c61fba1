"""Languages by their codes: how they call themselves, and in which direction they are written."""

import re
import unicodedata

from django.conf import settings
from django.conf.locale import LANG_INFO

# The key of an address that names the language of the author's texts.
LANGUAGE_KEY = "language"
# The bidirectional classes of letters that are written from right to left.
LEFTWARD = frozenset({"R", "AL"})
# The signs around a text that is apart from what stands around it (Unicode, annex 9).
FROM_RIGHT, END = "\u2067", "\u2069"
# What stands between quotation marks, English or German, and is not isolated yet.
_QUOTED = re.compile(rf"(?<=[“„])(?!{FROM_RIGHT})[^“”„]+(?=[“”])")


def offered_languages() -> dict[str, str]:
    """Return the languages into which a survey can be translated: their own names, by code."""
    named = {code: info["name_local"] for code, info in LANG_INFO.items() if "name_local" in info}
    return dict(sorted(named.items(), key=lambda pair: pair[1].lower()))


def name_of(language: str) -> str:
    """Return how a language calls itself."""
    return offered_languages().get(language, language)


def site_language(language: str) -> str:
    """Return the language, or the first of the site's where all of the site is not in it."""
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def is_leftward(text: str) -> bool:
    """Whether a text begins in a script that is written from right to left."""
    classes = (unicodedata.bidirectional(sign) for sign in text)
    return next((each in LEFTWARD for each in classes if each in {"L", *LEFTWARD}), False)


def isolated(text: str) -> str:
    """Return a text from right to left so that what stands beside it keeps its place.

    Any other text is itself.
    """
    return f"{FROM_RIGHT}{text}{END}" if is_leftward(text) else text


def with_isolated(sentence: str) -> str:
    """Return a sentence whose quotations are isolated, so that numbers stay beside their words."""
    return _QUOTED.sub(lambda quoted: isolated(quoted[0]), sentence)


def direction_of(language: str) -> str:
    """Return the direction in which a language is written, as HTML names it."""
    return "rtl" if LANG_INFO.get(language.partition("-")[0], {}).get("bidi") else "ltr"
