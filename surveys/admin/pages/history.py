"""The history of a survey: the versions of its draft, and what was done with it since."""

from typing import TYPE_CHECKING, Any

from django.contrib.admin.models import LogEntry
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from surveys.admin.pages.page import (
    attempt,
    author_of,
    log_and_say,
    render_page,
    survey_page,
    to_change_page,
)
from surveys.authoring.definition_changes import changes_between
from surveys.definitions import definition_from, definition_of
from surveys.models import Revision, Survey
from surveys.moments import moment_text
from surveys.people import person_label
from surveys.services.revisions import bring_back

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# Changes of a version that the list names; its own page has all of them.
MOST_NAMED = 6


@survey_page("GET")
def history(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """List the versions, the newest first, each with what it changed."""
    revisions = list(survey.revisions.select_related("actor").order_by("pk"))
    definitions = [definition_from(revision.content) for revision in revisions]
    rows = []
    for place, revision in enumerate(revisions):
        changes = changes_between(*definitions[place - 1 : place + 1]) if place else []
        labels = [change.label for change in changes]
        named, more = labels[:MOST_NAMED], len(labels) - MOST_NAMED
        rows.append({**_shown(revision), "labels": named, "more": max(0, more)})
    entries = LogEntry.objects.filter(
        object_id=str(survey.pk), content_type__model="survey", content_type__app_label="surveys"
    ).select_related("user")
    context: dict[str, Any] = {
        "title": _("History"),
        "rows": rows[::-1],
        "entries": [
            {
                "when": moment_text(entry.action_time, "SHORT_DATETIME_FORMAT"),
                "who": person_label(entry.user),
                "what": entry.get_change_message(),
            }
            for entry in entries
        ],
    }
    return render_page(model_admin, request, survey, "history.html", **context)


@survey_page("GET", "POST")
def version(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, revision_id: int
) -> HttpResponse:
    """Compare a version with the survey as it is; bring it back on a post."""
    revision = survey.revisions.select_related("actor").filter(pk=revision_id).first()
    if revision is None:
        raise Http404
    if request.method == "POST":
        with attempt(request) as outcome:
            bring_back(revision=revision, actor=author_of(request))
        if outcome.succeeded:
            when = moment_text(revision.changed_at, "SHORT_DATETIME_FORMAT")
            log_and_say(model_admin, request, survey, _("The version of %s is back.") % when)
        return to_change_page(survey)
    now = definition_of(survey)
    context: dict[str, Any] = {
        "title": _("An earlier version"),
        "version": _shown(revision),
        # From what is there now to what it was: what bringing it back would do.
        "changes": changes_between(now, definition_from(revision.content)),
    }
    return render_page(model_admin, request, survey, "version.html", **context)


def _shown(revision: Revision) -> dict[str, Any]:
    return {
        "pk": revision.pk,
        "when": moment_text(revision.changed_at, "SHORT_DATETIME_FORMAT"),
        "who": person_label(revision.actor) if revision.actor else "",
    }
