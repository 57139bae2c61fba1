"""Released results: whose they are, how many there are, and all numbers."""

import json

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import Router

from surveys.api.documents import answer, document
from surveys.api.finding import Key, results_of
from surveys.api.keys import user_of
from surveys.api.paging import Before, Limit, page_of
from surveys.api.serving import serves
from surveys.exports.results_file import results_file
from surveys.models import Survey
from surveys.models.api_token import Scope
from surveys.results.release import release_of
from surveys.results.status import status_of
from surveys.results_document.document import result_types
from surveys.services.audiences import release_shown

router = Router(tags=["results"])


class Readable(msgspec.Struct, frozen=True, kw_only=True):
    """A survey whose results the account of the token may see."""

    id: int
    address: str
    title: str
    state: str


class ReadableList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[Readable, ...]
    next: str | None


class ReleaseStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What is released: nothing here moves before a batch does, whoever asks.

    `responses`: how many are in the results; 0 below the threshold. `revision` changes exactly when
    a number of the results may have.
    """

    state: str
    released: bool
    responses: int
    threshold: int
    batch: int
    revision: str
    computed_at: str | None


@serves(
    router,
    "GET",
    "/results",
    scope=Scope.RESULTS_READ,
    answers={200: document(ReadableList)},
    title="List the surveys whose results you may see",
)
def list_results(request: HttpRequest, limit: Limit, before: Before) -> HttpResponse:
    surveys = Survey.objects.results_visible_to(user_of(request))
    return page_of(
        request,
        surveys.distinct(),
        lambda each: Readable(id=each.pk, address=each.slug, title=each.title, state=each.state),
        ReadableList,
        limit=limit,
        before=before,
    )


@serves(
    router,
    "GET",
    "/surveys/{survey_id}/status",
    scope=Scope.RESULTS_READ,
    answers={200: document(ReleaseStatus)},
    title="Read how many responses are released",
)
def get_status(request: HttpRequest, survey_id: Key) -> HttpResponse:
    audience = results_of(request, survey_id)
    # A program is no author who looks at arrivals: what it is told may be passed on.
    status = status_of(release_of(audience.launch, audience.step), for_author=False)
    return answer(
        ReleaseStatus(
            state=status.state,
            released=status.released,
            responses=status.in_results,
            threshold=status.threshold,
            batch=status.batch,
            revision=status.revision,
            computed_at=status.computed_at,
        )
    )


@serves(
    router,
    "GET",
    "/surveys/{survey_id}/results",
    scope=Scope.RESULTS_READ,
    answers={200: document(lambda: result_types().results)},
    title="Read the released results",
)
def get_results(request: HttpRequest, survey_id: Key) -> HttpResponse:
    release = release_shown(results_of(request, survey_id))
    content = results_file(release)
    return answer(json.dumps(content, ensure_ascii=False, allow_nan=False).encode())
