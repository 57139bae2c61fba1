"""The texts of a survey side by side: the source, its translation, and what is missing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from enum import StrEnum, auto
from typing import NamedTuple

from django.conf import settings

from surveys.author_texts import one_line, paragraphs, reader_key
from surveys.authoring.draft_parameters import draft_parameters
from surveys.engine_words import EngineError
from surveys.features import untranslatable
from surveys.features.languages.settings import OF_QUESTION, Translated, translations_of
from surveys.models import Question, Survey
from surveys.parameters import Parameters, ParametersError, in_language, texts_by_path
from surveys.spreadsheets import is_formula


class State(StrEnum):
    """What there is of a text in another language."""

    MISSING = auto()
    # The source has changed since it was translated.
    STALE = auto()
    # Something stands in the source that does not stand in it, or the other way round.
    UNFIT = auto()
    # Candor's own words, which nobody has to translate.
    OWN = auto()
    DONE = auto()


OPEN_STATES = (State.MISSING, State.STALE, State.UNFIT)


class Row(NamedTuple):
    """One text: its path, the source, what there is of it in the other language.

    `stored`: what an author has written; None of Candor's own words and where nothing is.
    """

    path: str
    source: str
    text: str
    state: State
    stored: Translated | None = None

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES

    @property
    def has_lines(self) -> bool:
        """Whether a text may have several lines."""
        return not self.path.split(".")[-1].isdecimal() and self.path != "title"


def languages_of(survey: Survey) -> list[str]:
    """Return the languages that an author has added, in the order in which they were."""
    return list(translations_of(survey))


def source_of(survey: Survey) -> Parameters | None:
    """Return the document whose texts are translated; None of a draft that makes none yet."""
    launch = survey.current_launch()
    if launch is not None:
        return launch.parameters
    try:
        return draft_parameters(survey=survey)
    except (ParametersError, EngineError, KeyError, ValueError):
        return None


def all_languages(survey: Survey) -> list[str]:
    """Return the languages of a draft, and of a launched survey those that are published, too."""
    launch = survey.current_launch()
    published = () if launch is None else launch.translations
    return list(dict.fromkeys([*languages_of(survey), *published]))


def is_own(language: str) -> bool:
    """Whether Candor's own words on respondents' pages are in a language."""
    return language in dict(settings.RESPONDENT_LANGUAGES)


def rows_of(
    survey: Survey, questions: list[Question], parameters: Parameters, language: str
) -> list[Row]:
    """Return every text that respondents read, in the order of the document."""
    stored = {f"{OF_QUESTION}{x.name}.": translations_of(x).get(language, {}) for x in questions}
    own = _own_words(survey, questions, parameters, language)
    rows = []
    for path, source in texts_by_path(parameters).items():
        prefix = next((each for each in stored if path.startswith(each)), "")
        texts = stored[prefix] if prefix else translations_of(survey).get(language, {})
        rows.append(_row(path, prefix, source, texts, own))
    return fitted(parameters, rows)


def fitted(parameters: Parameters, rows: Sequence[Row]) -> list[Row]:
    """Return the texts, those as open that do not fit what they are made of."""
    unfit = untranslatable(parameters, texts_of_rows(rows))
    return [row._replace(state=State.UNFIT) if row.path in unfit else row for row in rows]


def _row(
    path: str, prefix: str, source: str, texts: Mapping[str, Translated], own: Mapping[str, str]
) -> Row:
    key = path.removeprefix(prefix)
    at = texts.get(key)
    if at is None or at.source != source:
        # Options that were moved keep what was written for them.
        moved = [x for other, x in texts.items() if x.source == source and _alike(other, key)]
        at = moved[0] if moved else at
    if at is not None and at.text and at.source == source:
        return Row(path, source, at.text, State.DONE, at)
    if path in own:
        return Row(path, source, own[path], State.OWN)
    if at is None or not at.text:
        return Row(path, source, "", State.MISSING)
    return Row(path, source, at.text, State.STALE, at)


def _alike(one: str, other: str) -> bool:
    """Whether two paths are those of texts in one list."""
    (parent, _, last), (of_other, _, end) = one.rpartition("."), other.rpartition(".")
    return parent == of_other and last.isdecimal() and end.isdecimal()


def _own_words(
    survey: Survey, questions: list[Question], parameters: Parameters, language: str
) -> dict[str, str]:
    """Return the texts of a survey that are Candor's own, such as “Yes”, in another language."""
    if not is_own(language):
        return {}
    # The same draft in the other language differs from it in these, and in nothing else.
    other = copy(survey)
    other.language = language
    here = texts_by_path(draft_parameters(survey=survey, questions=questions))
    there = texts_by_path(draft_parameters(survey=other, questions=questions))
    frozen = texts_by_path(parameters)
    return {
        path: text
        for path, text in there.items()
        if here.get(path) not in (None, text) and frozen.get(path) == here[path]
    }


def texts_of_rows(rows: Iterable[Row]) -> dict[str, str]:
    """Return what there is of a language and not stale, by path."""
    return {row.path: row.text for row in rows if not row.is_open}


def complete_languages(
    survey: Survey, questions: list[Question], parameters: Parameters
) -> dict[str, dict[str, str]]:
    """Return the texts of each language in which nothing is missing or wrong."""
    found = {}
    for language in languages_of(survey):
        rows = rows_of(survey, questions, parameters, language)
        is_wrong = problems_of(parameters, language, rows) or formulas_of(rows)
        if not any(row.is_open for row in rows) and not is_wrong:
            found[language] = texts_of_rows(rows)
    return found


def written_languages(
    survey: Survey, questions: list[Question], parameters: Parameters
) -> dict[str, dict[str, str]]:
    """Return what there is of each language, for a preview."""
    return {
        language: texts_of_rows(rows_of(survey, questions, parameters, language))
        for language in languages_of(survey)
    }


def problems_of(parameters: Parameters, language: str, rows: Sequence[Row]) -> list[str]:
    """Return the paths of texts that a document cannot have: answers that are one to a reader."""
    try:
        translated = in_language(parameters, language, texts_of_rows(rows))
    except ParametersError as error:
        return [error.field]
    return [f"{OF_QUESTION}{x.id}.categories" for x in translated.questions if _repeats(x)]


def formulas_of(rows: Sequence[Row]) -> list[str]:
    """Return the paths of texts from which a spreadsheet would compute something."""
    return [row.path for row in rows if is_formula(row.text)]


def _repeats(question: object) -> bool:
    answers = [reader_key(text) for text in getattr(question, "categories", ())]
    return len(set(answers)) < len(answers)


def as_typed(path: str, text: str) -> str:
    """Return a text of a translation as it is stored, by the rule of all texts of authors."""
    return paragraphs(text) if Row(path, "", "", State.DONE).has_lines else one_line(text)


def split_by_holder(
    texts: Mapping[str, Translated], questions: Iterable[Question]
) -> Iterator[tuple[Question | None, dict[str, Translated]]]:
    """Yield each question, and last the survey (None), with its own texts by their paths in it."""
    rest = dict(texts)
    for question in questions:
        prefix = f"{OF_QUESTION}{question.name}."
        of_it = {path: rest.pop(path) for path in list(rest) if path.startswith(prefix)}
        yield question, {path.removeprefix(prefix): text for path, text in of_it.items()}
    yield None, rest
