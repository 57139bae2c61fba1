"""Analyses of released results: declared ones, and those that a program asks for."""

from typing import Annotated, TypeAlias

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from ninja import Body, Path, Router

from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import Key, results_of
from surveys.api.forms import check, posted
from surveys.api.keys import user_of
from surveys.api.problems import Broken, Refusal, not_found
from surveys.api.serving import ANY_MEDIA, serves
from surveys.exports.analysis import FILES, NAME
from surveys.forms.analyses import CATEGORIES, NUMBER, PREDICTOR, exploratory_form, outcomes_of
from surveys.models import AnalysisFit
from surveys.models.api_token import Scope
from surveys.parameters import Analysis
from surveys.results.regression.frame import takes_analyses
from surveys.results.regression.refusals import refusal_text
from surveys.results.release import Release
from surveys.results_document.fits import FitResults, read_fit
from surveys.services.analysis_fits import (
    analyses_of_audience,
    analysis_of,
    ask_again,
    ask_analysis,
    delete_analysis,
    may_delete,
)
from surveys.services.audiences import Audience, release_shown
from surveys.views.downloads import analysis_file

router = Router(tags=["analyses"])
NUMBERED = "/{survey_id}/analyses/{number}"
_NAMES = "|".join(FILES)
File: TypeAlias = Annotated[str, Path(pattern=rf"^{NAME}\.({_NAMES})$")]


class FitFacts(msgspec.Struct, frozen=True, kw_only=True):
    """An analysis and how far it is.

    `state`: “waiting”, “fitted”, “refused” or “failed”. `refusal`: why it cannot be fitted.
    `behind`: newer responses are released than it was fitted to. `fit`: null without one.
    """

    number: int
    declared: bool
    analysis: Analysis
    state: str
    refusal: str
    responses: int
    behind: bool
    fit: FitResults | None


class FitList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[FitFacts, ...]


def _facts(fit: AnalysisFit, release: Release) -> FitFacts:
    content = read_fit(fit.content)
    state = "fitted" if content else "refused" if fit.refusal else "waiting"
    return FitFacts(
        number=fit.number,
        declared=fit.is_declared,
        analysis=analysis_of(fit),
        state="failed" if fit.failed else "waiting" if fit.is_waiting else state,
        refusal=str(refusal_text(fit.refusal)),
        responses=fit.responses,
        behind=release.revision > fit.revision > 0,
        fit=content,
    )


def _fit(audience: Audience, number: int) -> AnalysisFit:
    fit = analyses_of_audience(audience).filter(number=number).first()
    if fit is None:
        raise not_found()
    return fit


@serves(
    router,
    "GET",
    "/{survey_id}/analyses",
    scope=Scope.RESULTS_READ,
    answers={200: document(FitList)},
    title="List the analyses of the released results",
)
def list_analyses(request: HttpRequest, survey_id: Key) -> HttpResponse:
    audience = results_of(request, survey_id)
    release = release_shown(audience)
    fits = [_facts(fit, release) for fit in analyses_of_audience(audience)]
    return answer(FitList(items=tuple(fits)))


@serves(
    router,
    "POST",
    "/{survey_id}/analyses",
    scope=Scope.RESULTS_READ,
    answers={200: document(FitFacts)},
    title="Ask for an analysis; one that was asked for before is the same",
)
def ask_for_analysis(
    request: HttpRequest, survey_id: Key, analysis: Annotated[Analysis, Bridge(Analysis), Body(...)]
) -> HttpResponse:
    audience = results_of(request, survey_id)
    release = release_shown(audience)
    if not takes_analyses(release.parameters):
        words = _("This survey keeps no answers of one person together, so it has no analyses.")
        raise Refusal(409, "no_analyses", words)
    chosen = _checked(audience, release, analysis)
    fit = ask_analysis(
        launch=audience.launch, step=audience.step, analysis=chosen, user=user_of(request)
    )
    return answer(_facts(fit, release))


def _checked(audience: Audience, release: Release, analysis: Analysis) -> Analysis:
    """The analysis as the form of the page takes it; raises Refusal."""
    told = release.launch.told
    questions = outcomes_of(audience.launch, told)
    names = [analysis.outcome, *(each.question for each in analysis.predictors)]
    unknown = [
        Broken(field=place, value=name, rule=_("a question of one answer out of a list"))
        for place, name in zip(_places(len(names)), names, strict=True)
        if name not in questions or names.count(name) > 1
    ]
    if unknown:
        raise Refusal(422, "invalid", _("The body breaks a rule."), errors=unknown)
    predictors = {
        PREDICTOR + each.question: NUMBER if each.scored else CATEGORIES
        for each in analysis.predictors
    }
    own = msgspec.structs.asdict(analysis)
    values = {name: own[name] for name in ("name", "event", "link", "weighted")}
    form = exploratory_form(
        told, questions[analysis.outcome], questions, posted({**values, **predictors})
    )
    check(form, lambda name: name.removeprefix(PREDICTOR))
    return form.analysis()


def _places(count: int) -> list[str]:
    return ["outcome", *(f"predictors[{index}].question" for index in range(count - 1))]


@serves(
    router,
    "GET",
    NUMBERED,
    scope=Scope.RESULTS_READ,
    answers={200: document(FitFacts)},
    title="Read an analysis",
)
def get_analysis(request: HttpRequest, survey_id: Key, number: Key) -> HttpResponse:
    audience = results_of(request, survey_id)
    return answer(_facts(_fit(audience, number), release_shown(audience)))


@serves(
    router,
    "GET",
    f"{NUMBERED}/files/{{name}}",
    scope=Scope.RESULTS_READ,
    answers={200: None},
    title="Read an analysis as a file: its table, its numbers, or a program that fits it again",
    media=ANY_MEDIA,
)
def get_analysis_file(
    request: HttpRequest, survey_id: Key, number: Key, name: File
) -> HttpResponseBase:
    audience = results_of(request, survey_id)
    # Below the threshold the refusal says why; a page has none of these addresses.
    release_shown(audience)
    return analysis_file(audience, number, name.rpartition(".")[2])


@serves(
    router,
    "POST",
    f"{NUMBERED}/again",
    scope=Scope.RESULTS_READ,
    answers={200: document(FitFacts)},
    title="Fit an analysis to the newest release",
)
def fit_again(request: HttpRequest, survey_id: Key, number: Key) -> HttpResponse:
    audience = results_of(request, survey_id)
    fit, release = _fit(audience, number), release_shown(audience)
    ask_again(fit)
    fit.refresh_from_db()
    return answer(_facts(fit, release))


@serves(
    router,
    "DELETE",
    NUMBERED,
    scope=Scope.RESULTS_READ,
    answers={204: None},
    title="Delete an analysis that was asked for",
)
def remove_analysis(request: HttpRequest, survey_id: Key, number: Key) -> HttpResponse:
    audience = results_of(request, survey_id)
    fit = _fit(audience, number)
    if not may_delete(fit, user_of(request)):
        words = _("Only who asked for an analysis and the authors delete it; declared ones stay.")
        raise Refusal(403, "not_yours", words)
    delete_analysis(fit)
    return no_content()
