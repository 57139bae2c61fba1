"""Surveys in several languages: what tests translate, and by what."""

from collections.abc import Mapping
from typing import Any

from surveys.authoring.draft_parameters import draft_parameters, questions_of
from surveys.features.languages.changes import add_language, write_texts
from surveys.features.languages.reading import Row, rows_of
from surveys.features.languages.settings import Translated
from surveys.models import Launch, Survey
from surveys.services.launches import launch_survey
from tests.builders import make_survey, owner

HEBREW = "he"
# What an author has written for tests, and what it is in Hebrew.
SOURCES = {
    "Health at work": "בריאות בעבודה",
    "Have you ever used a drug at work?": "האם השתמשתם אי פעם בסם בעבודה?",
    "How many days did you work?": "כמה ימים עבדתם?",
    "None": "אף יום",
    "One to three": "אחד עד שלושה",
    "Four or more": "ארבעה או יותר",
    "How often did you feel low last week?": "באיזו תדירות הרגשתם עצב בשבוע שעבר?",
    "Never": "אף פעם",
    "Rarely": "לעיתים נדירות",
    "Sometimes": "לפעמים",
    "Often": "לעיתים קרובות",
    "Always": "תמיד",
}


def rows(survey: Survey, language: str = HEBREW) -> list[Row]:
    return rows_of(survey, questions_of(survey), draft_parameters(survey=survey), language)


def translate(
    survey: Survey, language: str = HEBREW, words: Mapping[str, str] | None = None, **others: str
) -> Survey:
    """Add a language, and write what there is for each text; the rest is the text in brackets."""
    known = words or (SOURCES if language == HEBREW else {})
    add_language(survey=survey, language=language)
    survey.refresh_from_db()
    texts = {
        row.path: Translated(
            others.get(row.path, known.get(row.source, f"⟦{row.source}⟧")), row.source
        )
        for row in rows(survey, language)
        if row.is_open
    }
    parameters = draft_parameters(survey=survey)
    write_texts(survey=survey, parameters=parameters, language=language, texts=texts)
    survey.refresh_from_db()
    return survey


def launched_in(*languages: str, words: Mapping[str, str] | None = None, **values: Any) -> Launch:
    survey = make_survey(**values)
    for language in languages or (HEBREW,):
        translate(survey, language, words)
    return launch_survey(survey=survey, actor=owner())
