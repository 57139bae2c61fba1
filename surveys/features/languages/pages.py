"""The pages of the languages of a survey: all of them, and the texts of one side by side."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page
from surveys.authoring.draft_parameters import questions_of
from surveys.features.languages.changes import (
    add_language,
    remove_language,
    store_texts,
)
from surveys.features.languages.exchange import FILES
from surveys.features.languages.forms import LanguageForm, TextsFileForm, TextsForm
from surveys.features.languages.reading import (
    Row,
    all_languages,
    is_own,
    problems_of,
    rows_of,
    source_of,
)
from surveys.features.languages.settings import Translated
from surveys.languages import direction_of, name_of, offered_languages
from surveys.models import Survey
from surveys.parameters import Parameters, translation_digest

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


def _summary(survey: Survey, language: str, source: Parameters | None) -> dict[str, Any]:
    rows = rows_of(survey, questions_of(survey), source, language) if source else []
    launch = survey.current_launch()
    is_public = launch is not None and language in launch.translations
    digest = ""
    if launch is not None and is_public:
        digest = translation_digest(launch.digest, language, launch.translations[language])
    return {
        "code": language,
        "name": name_of(language),
        "direction": direction_of(language),
        "is_own": is_own(language),
        "missing": sum(row.is_open for row in rows),
        "missing_shown": numbers.count(sum(row.is_open for row in rows)),
        "all_shown": numbers.count(len(rows)),
        "is_published": is_public,
        "digest": digest,
    }


@survey_page("GET", "POST")
def languages(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    posted = request.POST if request.method == "POST" else None
    form = LanguageForm(posted, taken=[survey.language, *all_languages(survey)])
    if form.is_valid():
        language = form.cleaned_data["language"]
        if not survey.is_draft:
            # Nothing is stored until all of it is there.
            return redirect("admin:survey_language", survey.pk, language)
        with attempt(request) as done:
            add_language(survey=survey, language=language)
        if done.succeeded:
            words = _("%s is added. Its texts are still to be written.") % name_of(language)
            log_and_say(model_admin, request, survey, words)
            return redirect("admin:survey_language", survey.pk, language)
        return redirect("admin:survey_languages", survey.pk)
    source = source_of(survey)
    context: dict[str, Any] = {
        "title": _("Languages"),
        "form": form,
        "source_name": name_of(survey.language),
        "languages": [_summary(survey, each, source) for each in all_languages(survey)],
    }
    return render_page(model_admin, request, survey, "features/languages/languages.html", **context)


@survey_page("GET", "POST")
def language(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, language: str
) -> HttpResponse:
    """Show the texts of one language beside those of the source, what is missing first."""
    source = _known(survey, language)
    if source is None:
        message = _("The texts can be translated once the questions are complete.")
        model_admin.message_user(request, message, "WARNING")
        return redirect("admin:survey_languages", survey.pk)
    rows = rows_of(survey, questions_of(survey), source, language)
    posted = request.POST if request.method == "POST" else None
    form = TextsForm(posted, rows=rows, language=language)
    is_stored = form.is_valid() and _store(
        model_admin, request, survey, source, language, form.texts
    )
    if is_stored:
        return redirect("admin:survey_language", survey.pk, language)
    return _texts_page(model_admin, request, survey, source, rows, form)


@survey_page("POST")
def language_read(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, language: str
) -> HttpResponse:
    """Take the file of a translator, all of it or nothing."""
    source = _known(survey, language)
    if source is None:
        return redirect("admin:survey_languages", survey.pk)
    rows = rows_of(survey, questions_of(survey), source, language)
    file_form = TextsFileForm(
        request.POST, request.FILES, rows=rows, source=source.language, language=language
    )
    is_stored = file_form.is_valid() and _store(
        model_admin, request, survey, source, language, file_form.cleaned_data["file"]
    )
    if is_stored:
        return redirect("admin:survey_language", survey.pk, language)
    form = TextsForm(rows=rows, language=language)
    return _texts_page(model_admin, request, survey, source, rows, form, file_form)


@survey_page("GET")
def language_file(
    _model_admin: "SurveyAdmin", _request: HttpRequest, survey: Survey, language: str, ending: str
) -> HttpResponse:
    """Download the texts of one language beside those of the source."""
    source = _known(survey, language)
    if source is None or ending not in FILES:
        raise Http404
    file = FILES[ending]
    rows = rows_of(survey, questions_of(survey), source, language)
    content = file.write(rows, source.language, language)
    response = HttpResponse(content, content_type=file.media_type)
    name = f"{survey.slug}.{language}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@survey_page("POST")
def language_remove(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, language: str
) -> HttpResponse:
    _known(survey, language)
    with attempt(request) as done:
        remove_language(survey=survey, language=language)
    if done.succeeded:
        log_and_say(model_admin, request, survey, _("%s is removed.") % name_of(language))
    return redirect("admin:survey_languages", survey.pk)


def _known(survey: Survey, language: str) -> Parameters | None:
    there = all_languages(survey) if survey.is_draft else offered_languages()
    if language not in there:
        raise Http404
    return source_of(survey)


def _store(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    source: Parameters,
    language: str,
    texts: Mapping[str, Translated],
) -> bool:
    """Store texts of a draft; of a launched survey publish the language. Return whether it was."""
    launch, changed = survey.current_launch(), 0
    with attempt(request) as done:
        changed = store_texts(survey=survey, parameters=source, language=language, texts=texts)
    if done.succeeded and launch is not None:
        words = _("Respondents can read the survey in %s from now on.") % name_of(language)
        log_and_say(model_admin, request, survey, words)
    elif done.succeeded:
        words = ngettext("%(n)s text is stored.", "%(n)s texts are stored.", changed)
        named = f"{name_of(language)}: {words % {'n': numbers.count(changed)}}"
        log_and_say(model_admin, request, survey, named)
    return done.succeeded


def _texts_page(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    source: Parameters,
    rows: list[Row],
    form: TextsForm,
    file_form: TextsFileForm | None = None,
) -> HttpResponse:
    language = form.language
    context: dict[str, Any] = {
        "title": name_of(language),
        "form": form,
        "file_form": file_form
        or TextsFileForm(rows=rows, source=source.language, language=language),
        "language": _summary(survey, language, source),
        "source_name": name_of(source.language),
        "source_direction": direction_of(source.language),
        "source_code": source.language,
        "repeated": problems_of(source, language, rows),
        "endings": list(FILES),
    }
    template = "features/languages/language.html"
    status = 422 if form.is_bound or file_form is not None else 200
    return render_page(model_admin, request, survey, template, status, **context)
