"""Co-authors: who works on a survey with its owner, in which role."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys.admin.access import refused_page
from surveys.admin.pages.page import attempt, author_of, log_and_say, render_page, survey_page
from surveys.exceptions import CollaborationError, ThrottledError
from surveys.forms.collaboration import CoAuthorForm, RoleForm
from surveys.models import CoAuthor, Survey
from surveys.people import person_label
from surveys.services.access import Access
from surveys.services.co_authors import (
    OWNER,
    add_co_author,
    added_words,
    change_role,
    changed_words,
    count_search,
    is_shut_out,
    left_words,
    person_called,
    remove_co_author,
    removed_words,
    role_of,
)

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST", access=Access.READ)
def people(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """List the co-authors; the owner adds, changes and removes them, and each may leave."""
    author = author_of(request)
    owns = role_of(survey, author) == OWNER
    form = CoAuthorForm()
    if request.method == "POST":
        if "leave" in request.POST:
            return _leave(model_admin, request, survey)
        if not owns:
            return refused_page(model_admin, request, survey)
        if "person" not in request.POST:
            _change(model_admin, request, survey)
            return redirect("admin:survey_people", survey.pk)
        form = CoAuthorForm(request.POST)
        if form.is_valid() and _added(model_admin, request, survey, form):
            return redirect("admin:survey_people", survey.pk)
    rows = [_row(each) for each in survey.co_authors.select_related("user")]
    context: dict[str, Any] = {
        "title": _("Co-authors"),
        "form": form,
        "owns": owns,
        "owner_label": person_label(survey.owner),
        "rows": rows,
        "own_role": next((row["role"] for row in rows if row["user_pk"] == author.pk), ""),
        "roles": CoAuthor.Role.choices,
    }
    return render_page(model_admin, request, survey, "people.html", **context)


def _row(co_author: CoAuthor) -> dict[str, Any]:
    return {
        "pk": co_author.pk,
        "user_pk": co_author.user_id,
        "name": person_label(co_author.user),
        "role": co_author.role,
        "role_label": co_author.get_role_display(),
        "shut_out": is_shut_out(co_author),
    }


def _added(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, form: CoAuthorForm
) -> bool:
    """Add whom the form names; else the form says why not."""
    role = form.cleaned_data["role"]
    try:
        count_search(author_of(request))
        user = person_called(form.cleaned_data["person"])
        co_author = add_co_author(survey=survey, user=user, role=role)
    except (CollaborationError, ThrottledError) as error:
        form.add_error("person", error.message)
        return False
    log_and_say(model_admin, request, survey, added_words(co_author))
    return True


def _change(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> None:
    """Give a co-author the role that was posted, or remove them."""
    number = posted_number(request, "co_author")
    if "remove" in request.POST:
        with attempt(request) as outcome:
            co_author = remove_co_author(survey=survey, co_author_id=number)
        words = removed_words
    else:
        form = RoleForm(request.POST)
        with attempt(request) as outcome:
            if not form.is_valid():
                raise CollaborationError(_("Choose one of the roles."))
            role = form.cleaned_data["role"]
            co_author = change_role(survey=survey, co_author_id=number, role=role)
        words = changed_words
    if outcome.succeeded:
        log_and_say(model_admin, request, survey, words(co_author))


def _leave(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Take the person who is signed in from the list."""
    author = author_of(request)
    own = survey.co_authors.filter(user=author).first()
    with attempt(request) as outcome:
        removed = remove_co_author(survey=survey, co_author_id=own.pk if own else 0)
    if outcome.succeeded:
        model_admin.log_change(request, survey, left_words(removed))
        message = _("You are no longer a co-author of “%s”.") % survey.title
        model_admin.message_user(request, message, "SUCCESS")
    return redirect("admin:surveys_survey_changelist")


def posted_number(request: HttpRequest, name: str) -> int:
    """Return the id that was posted; 0, which no row has, for anything else."""
    text = request.POST.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 19 else 0
