"""Personal links: made and downloaded once, replaced, revoked; how many there are and count."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.admin.pages.files import spreadsheet_file
from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page, to_change_page
from surveys.admin.pages.share import respondent_link
from surveys.features.roster.forms import FindMemberForm
from surveys.features.roster.links import make_links, no_links_words, revoke
from surveys.features.roster.models import Member
from surveys.features.roster.reading import members_of
from surveys.features.roster.section import PERSONAL
from surveys.models import Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# Members on a page of the list.
PER_PAGE = 20


@survey_page("GET", "POST")
def links(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """How many links there are and how many have answered; a POST looks for members."""
    if not _has_links(survey):
        return _refuse(model_admin, request, survey)
    return _show(model_admin, request, survey)


@survey_page("GET", "POST")
def links_make(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Links for all who have not answered, as a table that is made for this one download."""
    if not _has_links(survey) or survey.state != Survey.State.OPEN:
        return _refuse(model_admin, request, survey)
    waiting = list(members_of(survey).filter(answered=False))
    if request.method == "POST":
        # The same page sent again would make the links void that have just been downloaded.
        if request.POST.get("seen") == _state_of(waiting):
            return _table(model_admin, request, survey, waiting)
        message = _("The links have changed since this page was opened. Read it again.")
        model_admin.message_user(request, message, "WARNING")
        return redirect("admin:survey_links_make", survey.pk)
    replaced = sum(bool(member.link_hash) for member in waiting)
    context: dict[str, Any] = {
        "title": _("Make personal links"),
        "seen": _state_of(waiting),
        "waiting": len(waiting),
        "waiting_shown": numbers.count(len(waiting)),
        "replaced": replaced,
        "replaced_shown": numbers.count(replaced),
        "answered_shown": numbers.count(members_of(survey).filter(answered=True).count()),
    }
    return render_page(model_admin, request, survey, "features/roster/links_make.html", **context)


@survey_page("POST")
def link_new(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, place: int
) -> HttpResponse:
    """A link for one member, on a page that shows it once."""
    if not _has_links(survey):
        return _refuse(model_admin, request, survey)
    member = get_object_or_404(members_of(survey), place=place)
    made: list[tuple[Member, str]] = []
    with attempt(request) as outcome:
        made = make_links(survey=survey, members=[member])
    if outcome.succeeded and not made:
        message = _("Member %s has answered already, so there is nothing to send a link for.")
        model_admin.message_user(request, message % member.code, "WARNING")
    if not made:
        return redirect("admin:survey_links", survey.pk)
    _log_made(model_admin, request, survey, made)
    address = _address(request, survey, made[0][1])
    return _show(model_admin, request, survey, made={"member": member, "link": address})


@survey_page("POST")
def link_revoke(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, place: int
) -> HttpResponse:
    if not _has_links(survey):
        return _refuse(model_admin, request, survey)
    member = get_object_or_404(members_of(survey), place=place)
    revoke(member=member)
    message = _("The link of %s is void.") % member.code
    log_and_say(model_admin, request, survey, message)
    return _show(model_admin, request, survey)


def _show(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, **context: Any
) -> HttpResponse:
    """The page, with the part of the list that was looked for."""
    members = list(members_of(survey))
    form = FindMemberForm(request.POST or None)
    looked_for = form.cleaned_data["looked_for"] if form.is_valid() else ""
    found = _found(members, looked_for)
    page = Paginator(found, PER_PAGE).get_page(request.POST.get("page"))
    context |= {
        "title": _("Personal links"),
        "form": form,
        "is_search": bool(looked_for.strip()),
        "found_shown": numbers.count(len(found)),
        "page": page,
        "counts": _counts(members),
        "nobody_has_one": not any(member.link_hash for member in members),
    }
    return render_page(model_admin, request, survey, "features/roster/links.html", **context)


def _found(members: Sequence[Member], looked_for: str) -> list[Member]:
    words = looked_for.casefold().split()
    return [
        member
        for member in members
        if all(word in f"{member.code} {member.name} {member.group}".casefold() for word in words)
    ]


def _counts(members: Sequence[Member]) -> list[tuple[str, str]]:
    """Only how many: who has answered is known to the database and no matter for this page."""
    return [
        (_("On the roster"), numbers.count(len(members))),
        (_("Have a link"), numbers.count(sum(bool(member.link_hash) for member in members))),
        (_("Have answered"), numbers.count(sum(member.answered for member in members))),
    ]


def _has_links(survey: Survey) -> bool:
    return survey.mode == PERSONAL and not survey.is_draft


def _refuse(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    model_admin.message_user(request, no_links_words(), "WARNING")
    return to_change_page(survey)


def _state_of(members: Iterable[Member]) -> str:
    """Return a digest that changes when any of these members, or the link of one, is replaced."""
    state = " ".join(f"{member.pk}:{member.link_hash}" for member in members)
    return hashlib.sha256(state.encode()).hexdigest()


def _table(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, members: Sequence[Member]
) -> HttpResponse:
    made: list[tuple[Member, str]] = []
    with attempt(request):
        made = make_links(survey=survey, members=members)
    if not made:
        return redirect("admin:survey_links", survey.pk)
    _log_made(model_admin, request, survey, made)
    grouped = any(member.group for member, _link in made)
    header = [_("code"), _("name"), *([_("group")] if grouped else []), _("link")]
    rows = [
        [member.code, member.name, *([member.group] if grouped else []), address]
        for member, address in ((each, _address(request, survey, link)) for each, link in made)
    ]
    return spreadsheet_file(header, rows, f"{survey.slug}-personal-links.csv")


def _log_made(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    made: Sequence[tuple[Member, str]],
) -> None:
    """How many, and no link."""
    count = len(made)
    message = ngettext("Made %s personal link.", "Made %s personal links.", count)
    model_admin.log_change(request, survey, message % numbers.count(count))


def _address(request: HttpRequest, survey: Survey, link: str) -> str:
    """The secret part is behind a #, which browsers send to nobody."""
    return f"{respondent_link(request, survey)}#{link}"
