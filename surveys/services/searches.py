"""Searches for a question's best device: an author starts, stops, deletes and adopts them.

`surveys.services.search_runs` runs them in a worker.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys import jobs
from surveys.authoring.checks.document import rule_words
from surveys.authoring.draft_merge import without_typed
from surveys.authoring.features import refit
from surveys.authoring.limits import LEAST_SEARCHED, MOST_SEARCHED, shares_draw
from surveys.authoring.workbench.searching import EngineError, adopt_member
from surveys.devices import family_of
from surveys.devices.registry import SEARCHED
from surveys.drafts import Draft
from surveys.engine_words import refusal, refusal_words
from surveys.exceptions import SurveyError, WrongStateError
from surveys.kinds import categories, kind_of
from surveys.models import DesignSearch, Question, Survey
from surveys.parameters import ParametersError, check_device
from surveys.services.search_runs import SEARCH

MOST_SEARCHES = 20


class UnfitTableError(SurveyError):
    """A searched table that does not fit the question; the message names a remedy."""

    code = "unfit_table"


def obstacle_of(question: Question) -> str:
    """Why no search can be started for this question, and what would help; empty if one can."""
    if not question.survey.is_draft:
        return _(
            "The survey has been launched: its devices are frozen. Earlier searches can be read; "
            "to search anew, clone the survey."
        )
    if kind_of(question).several:
        return _("A design is searched for one answer; here any number may be ticked.")
    if not question.randomized:
        return _("This question is asked directly. Mark it as sensitive first.")
    if shares_draw(question):
        return _(
            "This question is sent together with others, and the group has one device for all of "
            "them. Ask it on its own first."
        )
    count = len(categories(question))
    if not LEAST_SEARCHED <= count <= MOST_SEARCHED:
        message = _("A search takes 2 to %(most)s answers; this question has %(count)s.")
        return message % {"most": MOST_SEARCHED, "count": count}
    return ""


@transaction.atomic
def start_search(*, question: Question, request: dict[str, Any], user: User) -> DesignSearch:
    """Queue a search; only for drafts, and at most one unfinished search per question."""
    # Because of the lock a second click waits here, and then finds the first search.
    locked = _locked_draft(question)
    if obstacle := obstacle_of(locked):
        raise WrongStateError(obstacle)
    if question.searches.filter(state__in=DesignSearch.UNFINISHED).exists():
        raise WrongStateError(_("A search for this question is under way. Stop it first."))
    search = DesignSearch.objects.create(question=question, request=request, created_by=user)
    _forget_oldest(question)
    jobs.request(SEARCH, question.pk)
    return search


def _forget_oldest(question: Question) -> None:
    oldest = question.searches.order_by("-pk").values_list("pk", flat=True)[MOST_SEARCHES:]
    DesignSearch.objects.filter(pk__in=list(oldest)).delete()


def stop_search(*, search: DesignSearch) -> None:
    """End a queued search at once, or a running one at its next step, with its current fronts."""
    jobs.cancel(search)


def delete_search(*, search: DesignSearch) -> None:
    finished_searches = DesignSearch.objects.filter(pk=search.pk)
    if (
        not finished_searches.exclude(state__in=DesignSearch.UNFINISHED).delete()[0]
        and finished_searches.exists()
    ):
        raise WrongStateError(_("This search is not finished. Stop it first."))


def adopt(*, search: DesignSearch, method: str, index: int) -> Question:
    """Make one matrix of a finished search's front the device of the question."""
    if not search.is_finished:
        raise WrongStateError(_("Wait until the search has ended, or stop it."))
    _check_answers(search.question, search)
    try:
        epsilon, parameters = adopt_member(
            search.request, search.content, method, index, cap=settings.EPSILON_CAP
        )
    except EngineError as error:
        text = _("This table cannot be made exact: %s") % refusal_words(refusal(error))
        raise UnfitTableError(text) from error
    # Locked only now, so that nobody waits while the bound of the table is proved.
    return _store(search, epsilon=epsilon, parameters={**parameters, "run": search.pk})


@transaction.atomic
def _store(search: DesignSearch, **values: Any) -> Question:
    question = _locked_draft(search.question)
    _check_answers(question, search)
    question.randomized, question.design = True, SEARCHED.name
    question.epsilon, question.design_parameters = values["epsilon"], values["parameters"]
    _check_device(question)
    refit(question)
    question.typed = without_typed(question.typed, "randomized", "design", "epsilon")
    changed = ["randomized", "design", "epsilon", "design_parameters", "features", "typed"]
    question.save(update_fields=changed)
    return question


def _check_device(question: Question) -> None:
    """Whether a launch could freeze the device that was adopted."""
    draft = Draft.of(question)
    try:
        for device in family_of(draft).freeze(draft):
            check_device(device)
    except EngineError as error:
        text = _("A question of this kind has no searched device. Choose another kind first.")
        raise UnfitTableError(text) from error
    except ParametersError as error:
        text = _("This table cannot be launched: its “%(field)s” breaks a rule (%(rule)s).")
        values = {"field": error.field, "rule": rule_words(error)}
        raise UnfitTableError(text % values) from error


def _locked_draft(question: Question) -> Question:
    """The current question; its survey stays a draft until the end of the transaction."""
    survey = Survey.objects.select_for_update().filter(pk=question.survey_id).first()
    now = Question.objects.select_for_update().filter(pk=question.pk).first()
    if survey is None or now is None:
        raise WrongStateError(_("The question has been deleted."))
    if not survey.is_draft:
        raise WrongStateError(_("The survey has been launched: its devices are frozen."))
    return now


def _check_answers(question: Question, search: DesignSearch) -> None:
    if shares_draw(question):
        raise UnfitTableError(_("The question is sent together with others. Take it out first."))
    now, former = len(categories(question)), len(search.request["labels"])
    if now != former:
        raise UnfitTableError(
            _("The question has %(now)s answers now, the search was for %(then)s. Search again.")
            % {"now": now, "then": former}
        )
