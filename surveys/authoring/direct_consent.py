"""The sentence about people who are asked directly, which the consent text must have.

It is fixed, so that a launch can tell whether it is there; authors write around it what they like.
"""

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.models import Survey


def consent_sentence(language: str) -> str:
    """In the language that respondents read."""
    with translation.override(language):
        return _(
            "Chance picks some people, who are asked sensitive questions directly. If I am one of "
            "them, my real answers to these are sent and stored as they are, and I may leave them "
            "out."
        )


def has_sentence(survey: Survey) -> bool:
    """Whether the consent text says it, however its lines are broken."""
    return _words(consent_sentence(survey.language)) in _words(survey.consent)


def with_sentence(survey: Survey) -> str:
    """The consent text with the sentence, at its end unless it is there."""
    if has_sentence(survey):
        return survey.consent
    return f"{survey.consent.rstrip()}\n\n{consent_sentence(survey.language)}".strip()


def without_sentence(survey: Survey) -> str:
    """The consent text without the sentence, where it stands as it was added."""
    sentence = consent_sentence(survey.language)
    return survey.consent.replace(f"\n\n{sentence}", "").replace(sentence, "").strip()


def _words(text: str) -> str:
    return " ".join(text.split())
