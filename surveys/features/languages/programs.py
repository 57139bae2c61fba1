"""Translations for programs: the texts of a survey side by side, stored and published."""

from typing import Annotated, TypeAlias

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Body, Path, Router

from surveys.api.changing import changing
from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import Key, survey_of
from surveys.api.problems import Broken, Refusal, not_found
from surveys.api.serving import serves
from surveys.authoring.draft_parameters import questions_of
from surveys.authoring.reading.typed_tables import UnreadTableError
from surveys.features.languages.changes import add_language, remove_language, store_texts
from surveys.features.languages.exchange import read_pairs
from surveys.features.languages.reading import (
    all_languages,
    languages_of,
    rows_of,
    source_of,
)
from surveys.languages import name_of, offered_languages
from surveys.models import Survey
from surveys.models.api_token import Scope
from surveys.parameters import Parameters, translation_digest
from surveys.services.access import Access

router = Router(tags=["translations"])
Language: TypeAlias = Annotated[str, Path(max_length=12, pattern=r"^[A-Za-z0-9-]+$")]
ONE = "/{survey_id}/languages/{language}"


class LanguageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`open`: how many texts are missing or stale. `digest`: once it is published."""

    language: str
    name: str
    texts: int
    open: int
    digest: str | None


class LanguageList(msgspec.Struct, frozen=True, kw_only=True):
    source: str
    items: tuple[LanguageFacts, ...]


class TextFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`state`: “missing”, “stale”, “unfit”, “own” (Candor's own words) or “done”."""

    path: str
    source: str
    text: str
    state: str


class TextList(msgspec.Struct, frozen=True, kw_only=True):
    source: str
    language: str
    items: tuple[TextFacts, ...]


class Translation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`source`: the text that was translated; another one than there is now makes it stale."""

    path: str
    source: str
    text: str


class TextsOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Some or all texts of a draft; of a launched survey all, which publishes the language."""

    texts: tuple[Translation, ...]


@serves(
    router,
    "GET",
    "/{survey_id}/languages",
    scope=Scope.SURVEYS_READ,
    answers={200: document(LanguageList)},
    title="List the further languages of a survey",
)
def list_languages(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    source = source_of(survey)
    items = tuple(_facts(survey, each, source) for each in all_languages(survey))
    return answer(LanguageList(source=survey.language, items=items))


def _facts(survey: Survey, language: str, source: Parameters | None) -> LanguageFacts:
    rows = rows_of(survey, questions_of(survey), source, language) if source else []
    launch = survey.current_launch()
    texts = launch.translations.get(language) if launch else None
    return LanguageFacts(
        language=language,
        name=name_of(language),
        texts=len(rows),
        open=sum(row.is_open for row in rows),
        digest=translation_digest(launch.digest, language, texts) if texts else None,
    )


@serves(
    router,
    "GET",
    ONE,
    scope=Scope.SURVEYS_READ,
    answers={200: document(TextList)},
    title="Read the texts of a language beside their sources",
)
def get_language(request: HttpRequest, survey_id: Key, language: Language) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    return answer(_texts(survey, language, _source(survey, language)))


def _texts(survey: Survey, language: str, source: Parameters) -> TextList:
    rows = rows_of(survey, questions_of(survey), source, language)
    items = tuple(
        TextFacts(path=row.path, source=row.source, text=row.text, state=str(row.state))
        for row in rows
    )
    return TextList(source=survey.language, language=language, items=items)


def _source(survey: Survey, language: str) -> Parameters:
    """The document that is translated; raises Refusal where there is none yet."""
    if language not in offered_languages() or language == survey.language:
        raise not_found()
    source = source_of(survey)
    if source is None:
        words = _("The texts can be translated once the questions are complete.")
        raise Refusal(409, "not_complete", words)
    return source


@serves(
    router,
    "PUT",
    ONE,
    scope=Scope.SURVEYS_WRITE,
    answers={200: document(TextList)},
    title="Store texts of a language, or publish it once the survey is launched",
)
def put_language(
    request: HttpRequest,
    survey_id: Key,
    language: Language,
    order: Annotated[TextsOrder, Bridge(TextsOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    source = _source(survey, language)
    rows = rows_of(survey, questions_of(survey), source, language)
    try:
        texts = read_pairs([(each.path, each.source, each.text) for each in order.texts], rows)
    except UnreadTableError as error:
        broken = [Broken(field="texts", rule=problem) for problem in error.problems]
        raise Refusal(422, "invalid", _("These are no texts of it."), errors=broken) from error
    with changing(request, survey, _("%s: by a program.") % name_of(language)):
        if survey.is_draft:
            add_language(survey=survey, language=language)
        store_texts(survey=survey, parameters=source, language=language, texts=texts)
    return answer(_texts(Survey.objects.get(pk=survey.pk), language, source))


@serves(
    router,
    "DELETE",
    ONE,
    scope=Scope.SURVEYS_WRITE,
    answers={204: None},
    title="Take a language away from a draft, with its texts",
)
def delete_language(request: HttpRequest, survey_id: Key, language: Language) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    if language not in languages_of(survey):
        raise not_found()
    with changing(request, survey, _("%s is removed.") % name_of(language)):
        remove_language(survey=survey, language=language)
    return no_content()
