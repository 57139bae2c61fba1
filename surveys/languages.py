"""Languages by their codes: how they call themselves, and in which direction they are written."""

from django.conf.locale import LANG_INFO


def offered_languages() -> dict[str, str]:
    """Return the languages into which a survey can be translated: their own names, by code."""
    named = {code: info["name_local"] for code, info in LANG_INFO.items() if "name_local" in info}
    return dict(sorted(named.items(), key=lambda pair: pair[1].lower()))


def name_of(language: str) -> str:
    """Return how a language calls itself."""
    return offered_languages().get(language, language)


def direction_of(language: str) -> str:
    """Return the direction in which a language is written, as HTML names it."""
    return "rtl" if LANG_INFO.get(language.partition("-")[0], {}).get("bidi") else "ltr"
