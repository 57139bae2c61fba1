"""Surveys that are ready to be adapted: each a definition, with what its author reads about it."""

from surveys.survey_templates.reading import (
    SurveyTemplate,
    languages_of,
    template_in,
    templates_in,
)

__all__ = ["SurveyTemplate", "languages_of", "template_in", "templates_in"]
