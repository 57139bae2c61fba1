"""The roster of a survey: uploaded and replaced in a draft, read afterwards, without names in the
end."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.admin.pages.files import spreadsheet_file
from surveys.admin.pages.page import (
    attempt,
    author_of,
    log_and_say,
    render_page,
    survey_page,
    to_change_page,
)
from surveys.features.roster.changes import (
    delete_names,
    names_deleted,
    replace_roster,
    upload_roster,
)
from surveys.features.roster.forms import RosterForm
from surveys.features.roster.reading import RosterRow, members_of, roster_warnings
from surveys.models import Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def roster(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    rows = [RosterRow(*row) for row in members_of(survey).values_list("code", "name", "group")]
    takes_roster = survey.is_draft
    if not rows and not takes_roster:
        return _refuse(model_admin, request, survey)
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    form = RosterForm(*posted) if takes_roster else None
    understood = None
    if form is not None and form.is_valid() and not form.is_confirmed:
        understood, form = form.understood(), form.to_confirm()
    if form is not None and form.is_bound and form.is_valid():
        with attempt(request) as outcome:
            implied = upload_roster(survey=survey, rows=form.table())
        if outcome.succeeded:
            _say_stored(model_admin, request, survey, len(form.table()))
            for words in implied:
                model_admin.message_user(request, words, "WARNING")
        return redirect("admin:survey_roster", survey.pk)
    context: dict[str, Any] = {
        "title": _("Roster"),
        "form": form,
        "understood": understood,
        "rows": [(numbers.count(place), row) for place, row in enumerate(rows, 1)],
        "size": len(rows),
        "size_shown": numbers.count(len(rows)),
        "groups": list(dict.fromkeys(row.group for row in rows if row.group)),
        "warnings": roster_warnings(rows),
        "nameless": names_deleted(survey),
    }
    return render_page(model_admin, request, survey, "features/roster/roster.html", **context)


def _refuse(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    words = _("This survey has no roster.")
    model_admin.message_user(request, words, "WARNING")
    return to_change_page(survey)


def _say_stored(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, size: int
) -> None:
    message = ngettext(
        "The roster has %s member now.", "The roster has %s members now.", size
    ) % numbers.count(size)
    log_and_say(model_admin, request, survey, message)


@survey_page("POST")
def roster_remove(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    with attempt(request) as outcome:
        replace_roster(survey=survey, rows=[])
    if outcome.succeeded:
        message = _("The roster is removed, with all names.")
        log_and_say(model_admin, request, survey, message)
    return to_change_page(survey)


@survey_page("GET")
def roster_template(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey
) -> HttpResponse:
    """A table to fill in, with rows that show how."""
    shifts = (_("Early shift"), _("Late shift"))
    members = [("a01", "Ana Alves", 0), ("a02", "Bo Berg", 1), ("a03", "Cem Çelik", 0)]
    rows = [(code, name, shifts[shift]) for code, name, shift in members]
    return spreadsheet_file(("code", "name", "group"), rows, "roster.csv")


@survey_page("GET", "POST")
def roster_names(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Delete the names, on a page that says what stays and what is lost."""
    if request.method == "POST":
        with attempt(request) as outcome:
            delete_names(survey=survey, actor=author_of(request))
        if outcome.succeeded:
            model_admin.message_user(request, _("The names are deleted."), "SUCCESS")
        return redirect("admin:survey_roster", survey.pk)
    size = members_of(survey).exclude(name="").count()
    if survey.state != Survey.State.CLOSED or not size:
        model_admin.message_user(
            request,
            _("Only a closed survey with names on its roster has names to delete."),
            "WARNING",
        )
        return to_change_page(survey)
    context: dict[str, Any] = {
        "title": _("Delete the names"),
        "size": size,
        "size_shown": numbers.count(size),
    }
    return render_page(model_admin, request, survey, "features/roster/roster_names.html", **context)
