"""Languages at the author's desk: their pages, the link to them, and what freezes."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.authoring.draft_parameters import draft_parameters
from surveys.engine_words import EngineError
from surveys.features.languages.pages import (
    language,
    language_file,
    language_read,
    language_remove,
    languages,
)
from surveys.features.languages.reading import complete_languages, languages_of
from surveys.features.parts import DeskPart, Facts, TypedSurvey
from surveys.languages import name_of
from surveys.models import Question, Survey
from surveys.parameters import ParametersError

ONE = "languages/<slug:language>/"


class LanguagesAtDesk(DeskPart):
    added_on = "languages"
    pages = {
        "languages": ("languages/", languages),
        "language": (ONE, language),
        "language_read": (f"{ONE}read/", language_read),
        "language_remove": (f"{ONE}remove/", language_remove),
        "language_file": (f"{ONE}texts.<slug:ending>", language_file),
    }

    def is_typed(self, typed: TypedSurvey) -> bool:
        return bool(languages_of(typed.survey))

    def tools(self, survey: Survey) -> list[Tool]:
        return [tool_of(survey, "languages", _("Languages"))]

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        added = languages_of(survey)
        if not added:
            return []
        try:
            parameters = draft_parameters(survey=survey, questions=list(questions))
        except (ParametersError, EngineError, KeyError, ValueError):
            return []
        complete = complete_languages(survey, list(questions), parameters)
        lines = [
            name_of(each)
            if each in complete
            else _("%s: left out, because it is not complete") % name_of(each)
            for each in added
        ]
        return [(_("Languages"), [name_of(survey.language), *lines])]
