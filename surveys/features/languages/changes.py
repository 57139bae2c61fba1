"""Changing the languages of a survey: adding one, writing its texts, publishing it."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from surveys.authoring.draft_parameters import questions_of
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.features.languages.reading import (
    Row,
    State,
    fitted,
    formulas_of,
    languages_of,
    problems_of,
    rows_of,
    split_by_holder,
    texts_of_rows,
)
from surveys.features.languages.settings import (
    OF_QUESTION,
    Translated,
    set_translations,
    translations_of,
)
from surveys.models import Launch, Question, Survey
from surveys.parameters import Parameters
from surveys.services.transitions import lock_draft


@transaction.atomic
def add_language(*, survey: Survey, language: str) -> None:
    """Add a language without texts; nothing where it is there."""
    survey = _locked(survey)
    if language not in languages_of(survey):
        set_translations(survey, language, {})
        survey.save(update_fields=["features"])


@transaction.atomic
def remove_language(*, survey: Survey, language: str) -> None:
    """Take a language away with all its texts."""
    survey = _locked(survey)
    for question in survey.questions.all():
        if language in translations_of(question):
            set_translations(question, language, None)
            question.save(update_fields=["features"])
    set_translations(survey, language, None)
    survey.save(update_fields=["features"])


@transaction.atomic
def write_texts(
    *, survey: Survey, parameters: Parameters, language: str, texts: Mapping[str, Translated]
) -> int:
    """Store texts of a language by their paths; those of others stay. Return how many changed.

    An empty text is taken away.
    """
    survey = _locked(survey)
    questions = questions_of(survey)
    rows = rows_of(survey, questions, parameters, language)
    whole, changed = {}, 0
    for row in rows:
        given = texts.get(row.path, row.stored)
        # Candor's own words follow the program until somebody writes others.
        is_nothing = given is None or not given.text or _is_own(row, given.text)
        written = None if is_nothing else given
        changed += written != row.stored
        if written is not None:
            whole[row.path] = written
    for question, own in split_by_holder(whole, questions):
        holder = survey if question is None else question
        kept = _without_a_row(holder, language, rows, question) | own
        set_translations(holder, language, kept if question is None or kept else None)
        holder.save(update_fields=["features"])
    return changed


def store_texts(
    *, survey: Survey, parameters: Parameters, language: str, texts: Mapping[str, Translated]
) -> int:
    """Store texts of a draft, and return how many changed; else publish the language."""
    launch = survey.current_launch()
    if launch is None:
        return write_texts(survey=survey, parameters=parameters, language=language, texts=texts)
    publish_language(launch=launch, language=language, texts=texts)
    return 0


def _is_own(row: Row, text: str) -> bool:
    return row.state == State.OWN and text == row.text


def _without_a_row(
    holder: Survey | Question, language: str, rows: Sequence[Row], question: Question | None
) -> dict[str, Translated]:
    """Return what was written for texts that are not there now, such as a help taken away."""
    prefix = f"{OF_QUESTION}{question.name}." if question else ""
    there = {row.path for row in rows}
    return {
        path: text
        for path, text in translations_of(holder).get(language, {}).items()
        if prefix + path not in there and not path.split(".")[-1].isdecimal()
    }


@transaction.atomic
def publish_language(*, launch: Launch, language: str, texts: Mapping[str, Translated]) -> None:
    """Add a language to a launched survey, all of it at once; the digest does not cover it.

    Raises NotReadyError where a text is missing or two answers read the same, and WrongStateError
    where it is published already: what respondents read stays as it is.
    """
    launch = Launch.objects.select_for_update().get(pk=launch.pk)
    if language in launch.translations:
        raise WrongStateError(_("This language is published already, and stays as it is."))
    survey, parameters = launch.survey, launch.parameters
    rows = [
        row._replace(text=texts[row.path].text, state=State.DONE)
        if texts.get(row.path, Translated("", "")).text and texts[row.path].source == row.source
        else row
        for row in rows_of(survey, questions_of(survey), parameters, language)
    ]
    missing = [row.path for row in fitted(parameters, rows) if row.is_open]
    if missing:
        message = _("Not published: these texts are missing or stale: %s.")
        raise NotReadyError([message % ", ".join(missing)])
    if repeated := problems_of(parameters, language, rows):
        message = _("Not published: two answers of a question read the same: %s.")
        raise NotReadyError([message % ", ".join(repeated)])
    if formulas := formulas_of(rows):
        message = _("Not published: a spreadsheet would compute something from a text: %s.")
        raise NotReadyError([message % ", ".join(formulas)])
    launch.translations = {**launch.translations, language: texts_of_rows(rows)}
    launch.save(update_fields=["translations"])


def _locked(survey: Survey) -> Survey:
    return lock_draft(survey, _("The survey has been launched already."))
