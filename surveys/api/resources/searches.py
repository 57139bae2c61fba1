"""Searches for the best device of a question of a draft: started, followed, stopped, adopted."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, TypeAlias

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Body, Path, Router

from surveys.api.changing import changing
from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import Key, survey_of
from surveys.api.forms import check, posted
from surveys.api.keys import user_of
from surveys.api.problems import Broken, Refusal, not_found
from surveys.api.resources.surveys import SurveyFacts, facts_of
from surveys.api.serving import serves
from surveys.forms.planning.search import SearchForm
from surveys.kinds import KINDS
from surveys.models import DesignSearch, Question
from surveys.models.api_token import Scope
from surveys.services.access import Access
from surveys.services.searches import (
    adopt,
    delete_search,
    obstacle_of,
    start_search,
    stop_search,
)

router = Router(tags=["searches"])
OF_QUESTION = "/{survey_id}/questions/{question}/searches"
ONE = OF_QUESTION + "/{search_id}"
Name: TypeAlias = Annotated[str, Path(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]
_SHARE = "share-"


class SearchOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a search is for; what is left out is as on the page.

    `guess`: how many percent give each answer, in their order. `delta`: of nobody may more percent
    be sure after one report. `epsilon`: at most so much; null for no limit.
    """

    guess: tuple[Decimal, ...] | None = None
    n: int | None = None
    delta: Decimal | None = None
    epsilon: Decimal | msgspec.UnsetType | None = msgspec.UNSET
    methods: tuple[str, ...] | None = None
    generations: int | None = None
    levels: int | None = None
    seed: int | None = None


class AdoptOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which table of a front becomes the device: its method, and its place there from 0."""

    method: str
    index: Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class SearchFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A search and how far it is; `content`: its curves and fronts so far, without in lists."""

    id: int
    question: str
    state: str
    progress: float
    message: str
    created_at: datetime
    request: dict[str, Any]
    content: dict[str, Any] | None


class SearchList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[SearchFacts, ...]


def _facts(search: DesignSearch, question: Question, *, content: bool = True) -> SearchFacts:
    return SearchFacts(
        id=search.pk,
        question=question.name,
        state=search.state,
        progress=search.progress,
        message=search.message_text,
        created_at=search.created_at,
        request=search.request,
        content=search.content if content else None,
    )


def _question(request: HttpRequest, survey_id: int, name: str) -> Question:
    survey = survey_of(request, survey_id, Access.EDIT)
    question = survey.questions.filter(name=name).first()
    if question is None or question.kind not in KINDS:
        raise not_found()
    question.survey = survey
    return question


def _search(question: Question, search_id: int) -> DesignSearch:
    search: DesignSearch | None = question.searches.filter(pk=search_id).first()
    if search is None:
        raise not_found()
    return search


@serves(
    router,
    "GET",
    OF_QUESTION,
    scope=Scope.SURVEYS_READ,
    answers={200: document(SearchList)},
    title="List the searches for a question's device",
)
def list_searches(request: HttpRequest, survey_id: Key, question: Name) -> HttpResponse:
    asked = _question(request, survey_id, question)
    rows = asked.searches.without_content()
    return answer(SearchList(items=tuple(_facts(each, asked, content=False) for each in rows)))


@serves(
    router,
    "POST",
    OF_QUESTION,
    scope=Scope.SURVEYS_WRITE,
    answers={201: document(SearchFacts)},
    title="Start a search for a question's best device",
)
def start(
    request: HttpRequest,
    survey_id: Key,
    question: Name,
    order: Annotated[SearchOrder, Bridge(SearchOrder), Body(...)],
) -> HttpResponse:
    asked = _question(request, survey_id, question)
    if obstacle := obstacle_of(asked):
        raise Refusal(409, "no_search", obstacle)
    form = _form(asked, order)
    check(form, _field)
    wanted = form.request({"kind": "typed"})
    search = start_search(question=asked, request=wanted, user=user_of(request))
    headers = {"Location": f"{request.path}/{search.pk}"}
    return answer(_facts(search, asked), 201, headers)


def _form(question: Question, order: SearchOrder) -> SearchForm:
    """The form of the page, with what it would begin with where nothing else is asked for."""
    language = question.survey.language
    usual = SearchForm(None, question=question, language=language)
    values: dict[str, Any] = {name: usual[name].initial for name in usual.fields}
    for name in ("n", "delta", "methods", "generations", "levels", "seed"):
        given = getattr(order, name)
        values[name] = values[name] if given is None else given
    if order.epsilon is not msgspec.UNSET:
        values["epsilon"] = "" if order.epsilon is None else order.epsilon
    if order.guess is not None:
        if len(order.guess) != len(usual.names):
            rule = _("one number for each answer: %s") % len(usual.names)
            broken = Broken(field="guess", value=str(len(order.guess)), rule=rule)
            raise Refusal(422, "invalid", _("The body breaks a rule."), errors=[broken])
        values |= dict(zip(usual.names, order.guess, strict=True))
    return SearchForm(posted(values), question=question, language=language)


def _field(name: str) -> str:
    return f"guess[{name.removeprefix(_SHARE)}]" if name.startswith(_SHARE) else name


@serves(
    router,
    "GET",
    ONE,
    scope=Scope.SURVEYS_READ,
    answers={200: document(SearchFacts)},
    title="Read a search with what it has found",
)
def get_search(
    request: HttpRequest, survey_id: Key, question: Name, search_id: Key
) -> HttpResponse:
    asked = _question(request, survey_id, question)
    return answer(_facts(_search(asked, search_id), asked))


@serves(
    router,
    "POST",
    f"{ONE}/stop",
    scope=Scope.SURVEYS_WRITE,
    answers={200: document(SearchFacts)},
    title="Stop a search; what it has found stays",
)
def stop(request: HttpRequest, survey_id: Key, question: Name, search_id: Key) -> HttpResponse:
    asked = _question(request, survey_id, question)
    search = _search(asked, search_id)
    stop_search(search=search)
    search.refresh_from_db()
    return answer(_facts(search, asked, content=False))


@serves(
    router,
    "DELETE",
    ONE,
    scope=Scope.SURVEYS_WRITE,
    answers={204: None},
    title="Delete a search that has ended",
)
def remove_search(
    request: HttpRequest, survey_id: Key, question: Name, search_id: Key
) -> HttpResponse:
    delete_search(search=_search(_question(request, survey_id, question), search_id))
    return no_content()


@serves(
    router,
    "POST",
    f"{ONE}/adopt",
    scope=Scope.SURVEYS_WRITE,
    answers={200: document(SurveyFacts)},
    title="Make a table that was found the device of the question",
)
def adopt_found(
    request: HttpRequest,
    survey_id: Key,
    question: Name,
    search_id: Key,
    order: Annotated[AdoptOrder, Bridge(AdoptOrder), Body(...)],
) -> HttpResponse:
    asked = _question(request, survey_id, question)
    search = _search(asked, search_id)
    with changing(request, asked.survey, _("Adopted a searched design.")):
        adopt(search=search, method=order.method, index=order.index)
    return answer(facts_of(request, asked.survey))
