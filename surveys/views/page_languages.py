"""The language of a respondent's page: the survey's own, or one into which it is translated."""

from copy import copy
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from surveys.languages import LANGUAGE_KEY, direction_of, name_of
from surveys.models import Survey
from surveys.parameters import Parameters, ServedParameters, in_language


@dataclass(frozen=True, slots=True)
class Choice:
    """A language that a page offers: its code, how it calls itself, and how it is written."""

    code: str
    name: str
    direction: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A survey as a page shows it.

    `survey`, `document`: in the language of the page. `served`: the document of the digest, with
    the translation that is shown and no other. `language`: that of Candor's own words; of the
    author's texts it is another one (`texts`) where Candor has none of its own.
    """

    survey: Survey
    document: Parameters
    served: ServedParameters
    choices: tuple[Choice, ...]
    language: str
    texts: str

    @property
    def translation_digest(self) -> str:
        """The digest of the translation that is shown; empty of the survey's own language."""
        shown: dict[str, Any] = self.served.document().get("translations", {})
        return next((each["digest"] for each in shown.values()), "")


def shown_in(request: HttpRequest, survey: Survey, served: ServedParameters) -> Shown:
    """Return what a page shows in the language that its address asks for."""
    source = served.parameters.language
    asked = request.GET.get(LANGUAGE_KEY, "")
    current = asked if asked in served.translations else source
    # One language alone is no choice.
    codes = [source, *served.translations] if served.translations else []
    choices = tuple(
        Choice(code, name_of(code), direction_of(code), code == current) for code in codes
    )
    document = served.parameters
    translations = {}
    if current != source:
        translations = {current: served.translations[current]}
        document = in_language(document, current, served.translations[current])
        if current in dict(settings.RESPONDENT_LANGUAGES):
            survey = copy(survey)
            survey.language = current
    alone = ServedParameters(served.parameters, served.digest, translations)
    language = page_language(survey)
    texts = current if choices and language != current else ""
    return Shown(survey, document, alone, choices, language, texts)


def page_language(survey: Survey) -> str:
    """Return the language of Candor's own words on a survey's page."""
    is_offered = survey.language in dict(settings.RESPONDENT_LANGUAGES)
    return survey.language if is_offered else settings.LANGUAGE_CODE
