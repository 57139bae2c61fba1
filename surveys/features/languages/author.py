"""The part of languages for authors: what a launch freezes of them, and what it leaves out."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.draft_parameters import draft_parameters
from surveys.engine_words import EngineError
from surveys.features.languages.reading import (
    complete_languages,
    formulas_of,
    languages_of,
    problems_of,
    rows_of,
    written_languages,
)
from surveys.features.parts import AuthorPart
from surveys.languages import name_of
from surveys.models import Question, Survey
from surveys.parameters import Parameters, ParametersError, Texts


class LanguagesForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(languages_of(survey))

    def translations(
        self,
        survey: Survey,
        questions: Sequence[Question],
        parameters: Parameters,
        *,
        complete: bool = True,
    ) -> Mapping[str, Texts]:
        if complete:
            return complete_languages(survey, list(questions), parameters)
        return written_languages(survey, list(questions), parameters)

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        languages = languages_of(survey)
        if not languages:
            return
        try:
            parameters = draft_parameters(survey=survey, questions=list(questions))
        except (ParametersError, EngineError, KeyError, ValueError):
            # Other checks say what is not complete.
            return
        for language in languages:
            rows = rows_of(survey, list(questions), parameters, language)
            missing = sum(row.is_open for row in rows)
            repeated = problems_of(parameters, language, rows)
            if missing:
                message = ngettext(
                    "%(language)s is not complete, so the launch leaves it out: one text is "
                    "missing or stale.",
                    "%(language)s is not complete, so the launch leaves it out: %(n)s texts are "
                    "missing or stale.",
                    missing,
                ) % {"language": name_of(language), "n": numbers.count(missing)}
                yield Finding("language_incomplete", message, blocks=False)
            elif repeated:
                message = _(
                    "The launch leaves %(language)s out: two answers read the same there "
                    "(%(paths)s)."
                ) % {"language": name_of(language), "paths": ", ".join(repeated)}
                yield Finding("language_repeats", message, blocks=False)
            elif formulas := formulas_of(rows):
                message = _(
                    "The launch leaves %(language)s out: a spreadsheet would compute something "
                    "from a text (%(paths)s)."
                ) % {"language": name_of(language), "paths": ", ".join(formulas)}
                yield Finding("language_formula", message, blocks=False)
