"""Pilots for programs: which questions depend on each other, and the main survey of clusters."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Body, Router

from surveys.api.documents import Bridge, answer, document
from surveys.api.finding import LARGEST_KEY, Key, survey_of
from surveys.api.forms import check, posted
from surveys.api.keys import user_of
from surveys.api.problems import Broken, Refusal, not_found
from surveys.api.resources.surveys import SurveyFacts, facts_of
from surveys.api.serving import serves
from surveys.features.pilots.changes import make_main_survey
from surveys.features.pilots.clusters import BEST, Names, plan_of, propose
from surveys.features.pilots.dependence import is_readable
from surveys.features.pilots.forms import ClusterForm, field_name
from surveys.features.pilots.models import DependenceRun
from surveys.features.pilots.runs import picked_rows, start_run, stop_run
from surveys.models import Survey
from surveys.models.api_token import Scope
from surveys.services.access import Access

router = Router(tags=["pilots"])
ALL = "/{survey_id}/dependence"
ONE = ALL + "/{run_id}"
RunKey = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_KEY)]


class RunFacts(msgspec.Struct, frozen=True, kw_only=True):
    """An estimate and how far it is. `responses`: how many were in the results it is of.

    `content`: the pairs with their dependence; null before it is done, and in lists.
    """

    id: int
    state: str
    progress: float
    message: str
    created_at: datetime
    responses: int
    content: dict[str, Any] | None


class RunList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[RunFacts, ...]


class MainOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the main survey is made of. `run`: the estimate; null for the last one that is done.

    `total`: what all questions together may reveal. `clusters`: the names of the questions that
    are sent together, each in one cluster; null for those that `method` and `k` propose.
    """

    total: Decimal
    planned_n: int
    run: RunKey | None = None
    clusters: tuple[tuple[str, ...], ...] | None = None
    method: str = BEST
    k: int | None = None


def _facts(run: DependenceRun, *, content: bool = True) -> RunFacts:
    return RunFacts(
        id=run.pk,
        state=run.state,
        progress=run.progress,
        message=run.message_text,
        created_at=run.created_at,
        responses=run.responses,
        content=run.content or None if content else None,
    )


def _run(survey: Survey, run_id: int | None) -> DependenceRun:
    runs = DependenceRun.objects.filter(launch__survey=survey)
    found = (
        runs.filter(state=DependenceRun.State.DONE).first()
        if run_id is None
        else runs.filter(id=run_id).first()
    )
    if found is None:
        raise not_found()
    return found


@serves(
    router,
    "GET",
    ALL,
    scope=Scope.RESULTS_READ,
    answers={200: document(RunList)},
    title="List the estimates of which questions of a pilot depend on each other",
)
def list_runs(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    runs = DependenceRun.objects.filter(launch__survey=survey).defer("content")
    return answer(RunList(items=tuple(_facts(each, content=False) for each in runs)))


@serves(
    router,
    "POST",
    ALL,
    scope=Scope.RESULTS_READ,
    answers={201: document(RunFacts)},
    title="Estimate which questions of a pilot depend on each other",
)
def start_estimate(request: HttpRequest, survey_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    run = start_run(survey=survey, user=user_of(request))
    return answer(_facts(run), 201, {"Location": f"{request.path}/{run.pk}"})


@serves(
    router,
    "GET",
    ONE,
    scope=Scope.RESULTS_READ,
    answers={200: document(RunFacts)},
    title="Read an estimate of dependence",
)
def get_run(request: HttpRequest, survey_id: Key, run_id: Key) -> HttpResponse:
    return answer(_facts(_run(survey_of(request, survey_id, Access.EDIT), run_id)))


@serves(
    router,
    "POST",
    f"{ONE}/stop",
    scope=Scope.RESULTS_READ,
    answers={200: document(RunFacts)},
    title="Stop an estimate of dependence",
)
def stop_estimate(request: HttpRequest, survey_id: Key, run_id: Key) -> HttpResponse:
    run = _run(survey_of(request, survey_id, Access.EDIT), run_id)
    stop_run(run=run)
    run.refresh_from_db()
    return answer(_facts(run, content=False))


@serves(
    router,
    "POST",
    "/{survey_id}/main-survey",
    scope=Scope.SURVEYS_WRITE,
    answers={201: document(SurveyFacts)},
    title="Make the main survey of a pilot, a draft of its own",
)
def create_main_survey(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[MainOrder, Bridge(MainOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.EDIT)
    run = _run(survey, order.run)
    if not is_readable(run.content):
        words = _("This estimate was made by another version, or is not done. Start a new one.")
        raise Refusal(409, "not_readable", words)
    values, clusters = _chosen(run, order)
    plan = plan_of(
        run.content,
        run.launch.parameters,
        list(survey.questions.all()),
        clusters,
        total=values["total"],
        n=values["planned_n"],
    )
    made = make_main_survey(
        pilot=survey,
        plan=plan,
        total=values["total"],
        planned_n=values["planned_n"],
        owner=user_of(request),
    )
    path = request.path.replace(f"/{survey.pk}/main-survey", f"/{made.pk}")
    return answer(facts_of(request, made), 201, {"Location": path})


def _chosen(run: DependenceRun, order: MainOrder) -> tuple[dict[str, Any], Names]:
    """The plan as the form of the page takes it, and its clusters; raises Refusal."""
    questions = picked_rows(run.launch)
    data = {"total": order.total, "planned_n": order.planned_n, "method": order.method}
    data["k"] = order.k
    if order.clusters is not None:
        place = {name: at for at, names in enumerate(order.clusters, 1) for name in names}
        given = sorted(name for names in order.clusters for name in names)
        if given != sorted(question.name for question in questions):
            rule = _("each of these questions once: %s")
            rule %= ", ".join(question.name for question in questions)
            broken = Broken(field="clusters", rule=rule)
            raise Refusal(422, "invalid", _("The body breaks a rule."), errors=[broken])
        data |= {field_name(question): place[question.name] for question in questions}
    form = ClusterForm(posted(data), questions=questions)
    if order.clusters is None:
        form.without_clusters()
    check(form)
    values = form.cleaned_data
    if order.clusters is not None:
        return values, form.clusters()
    parameters, method = run.launch.parameters, values["method"] or BEST
    n, k = values["planned_n"], values["k"]
    return values, propose(run.content, parameters, n=n, method=method, k=k)
