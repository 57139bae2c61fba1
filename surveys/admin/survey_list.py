"""The list of surveys: a card for each, with how far it is and what to do next."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import User
from django.db.models import F, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.urls import reverse
from django.utils.timesince import timesince
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.admin.overview import READING, Tool, open_comments_words, sending_of, tool_of
from surveys.models import CoAuthor, Survey
from surveys.moments import moment_text
from surveys.people import person_label

if TYPE_CHECKING:
    from surveys.queries import CountedSurvey

State = Survey.State
SHOWN = (State.DRAFT, State.OPEN, State.CLOSED)
ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Card:
    """`page`: where its title leads. `facts`: sentences. `reads_only`: not of an author who edits.

    `share`: of the planned responses, at most 1; None before launch, and for whoever only reads.
    """

    survey: "CountedSurvey"
    page: str
    facts: list[str]
    share: float | None
    step: Tool
    links: list[Tool]
    reads_only: bool = False


def cards_of(surveys: "Iterable[CountedSurvey]", user: User) -> list[Card]:
    """Return what the list shows this person of surveys that `with_counts` has read."""
    shared = user.co_authorships.filter(survey__in=[survey.pk for survey in surveys])
    roles: dict[int, str] = {} if user.is_superuser else dict(shared.values_list("survey", "role"))
    return [
        card_for_reader(survey, roles[survey.pk])
        if survey.owner_id != user.pk and roles.get(survey.pk) in READING
        else card_of(survey)
        for survey in surveys
    ]


def card_for_reader(survey: "CountedSurvey", role: str) -> Card:
    """Return what the list shows of a survey that somebody reads, or comments on."""
    may_comment = role == CoAuthor.Role.COMMENT
    label = gettext("Read and comment") if may_comment else gettext("Read")
    step = tool_of(survey, "read", label)
    facts = [
        how_many_questions(survey.asked, survey.sensitive),
        gettext("Shared by %s.") % person_label(survey.owner),
        *_open_comments(survey),
    ]
    links = [tool_of(survey, "comments", gettext("Comments"))]
    return Card(survey, step.url, facts, None, step, links, reads_only=True)


def card_of(survey: "CountedSurvey") -> Card:
    """Return what the list shows of a survey that `with_counts` has read, to who edits it."""
    facts = (
        [how_many_questions(survey.asked, survey.sensitive)]
        if survey.is_draft
        else _facts_of_launched(survey)
    )
    share = None if survey.is_draft else min(1.0, survey.received / survey.planned_n)
    step = next_step(survey)
    links = [link for link in _links(survey) if link.url != step.url]
    page = reverse("admin:surveys_survey_change", args=[survey.pk])
    facts += [*_schedule(survey), *_open_comments(survey)]
    return Card(survey, page, facts, share, step, links)


def _open_comments(survey: "CountedSurvey") -> list[str]:
    return [open_comments_words(survey.open_comments)] if survey.open_comments else []


def next_step(survey: "CountedSurvey") -> Tool:
    """Return what its author most likely does next."""
    change = reverse("admin:surveys_survey_change", args=[survey.pk])
    results = Tool(gettext("Read the results"), reverse("results", args=[survey.slug]))
    if survey.is_draft:
        label = gettext("Edit the draft") if survey.asked else gettext("Add the first question")
        return Tool(label, change)
    if survey.state == State.CLOSED or survey.received >= survey.planned_n:
        return results
    sending = sending_of(survey)
    if sending:
        return tool_of(survey, sending.page, sending.label)
    return tool_of(survey, "share", gettext("Share the link"))


def how_many_questions(asked: int, sensitive: int) -> str:
    """Return how many questions there are, and how many of them are sensitive."""
    if not asked:
        return gettext("No question yet.")
    words = ngettext("%(count)s question", "%(count)s questions", asked)
    words %= {"count": numbers.count(asked)}
    if sensitive:
        of_them = gettext("%(count)s of them sensitive")
        words += ", " + of_them % {"count": numbers.count(sensitive)}
    return words


def _facts_of_launched(survey: "CountedSurvey") -> list[str]:
    responses = gettext("%(received)s of %(planned)s planned responses")
    counts = {
        "received": numbers.count(survey.received),
        "planned": numbers.count(survey.planned_n),
    }
    facts = [responses % counts]
    if survey.margin is not None and (survey.released or 0) >= survey.release_threshold:
        accuracy = gettext("Every share is known to %s or better.")
        facts.append(accuracy % numbers.margin(survey.margin))
    if survey.updated_at is not None:
        updated = timesince(survey.updated_at, depth=1)
        facts.append(gettext("Results from %s ago.") % updated)
    return facts


def _schedule(survey: Survey) -> list[str]:
    moments = [(gettext("Opens %s."), survey.opens_at), (gettext("Closes %s."), survey.closes_at)]
    if survey.state == State.CLOSED:
        return []
    return [
        words % moment_text(moment, "SHORT_DATETIME_FORMAT")
        for words, moment in moments
        if moment is not None
    ]


def _links(survey: Survey) -> list[Tool]:
    if survey.is_draft:
        return [tool_of(survey, "preview", gettext("Preview"), new_window=True)]
    return [
        Tool(gettext("Results"), reverse("results", args=[survey.slug])),
        Tool(gettext("Form"), reverse("respond", args=[survey.slug])),
    ]


class SurveyList(ChangeList):
    """The list, with the surveys that somebody may open but not edit."""

    def get_queryset(
        self, request: HttpRequest, exclude_parameters: Any = None
    ) -> QuerySet[Survey]:
        author_list: Any = self.model_admin
        self.root_queryset = author_list.listed(request)
        return super().get_queryset(request, exclude_parameters)


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*((state.value, state.label) for state in SHOWN), (ARCHIVED, _("Archived"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Survey]) -> QuerySet[Survey]:
        """Whoever looks for a text or for a state finds archived surveys only where they ask."""
        in_use = queryset.filter(archived_at__isnull=self.value() != ARCHIVED)
        chosen = self.value() not in (None, ARCHIVED)
        return in_use.filter(state=self.value()) if chosen else in_use


# By its name in an address: the label, and the fields that Django orders by.
ORDERS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "title": (_("Title"), (Lower("title"), "pk")),
    "responses": (_("Most responses"), ("-received_known", "-pk")),
    "closing": (_("Closing next"), (F("closes_at").asc(nulls_last=True), "-pk")),
}
NEWEST: tuple[Any, tuple[Any, ...]] = (_("Newest first"), ("-created_at", "-pk"))


class OrderFilter(admin.SimpleListFilter):
    title = _("order")
    parameter_name = "order"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(name, label) for name, (label, _fields) in ORDERS.items()]

    def choices(self, changelist: Any) -> Any:
        """The first one, of no value, is the usual order."""
        for number, choice in enumerate(super().choices(changelist)):
            yield choice if number else {**choice, "display": NEWEST[0]}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Survey]) -> QuerySet[Survey]:
        return queryset
