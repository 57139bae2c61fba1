"""Lists in pages: the newest first, each page with the address of the next."""

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Query

from surveys.api.documents import answer
from surveys.api.finding import LARGEST_KEY

MOST_ON_A_PAGE = 100
Limit: TypeAlias = Annotated[int, Query(50, ge=1, le=MOST_ON_A_PAGE)]
# The key of the last row of the page before; opaque to those who follow links.
Before: TypeAlias = Annotated[int | None, Query(None, ge=1, le=LARGEST_KEY)]


def page_of(
    request: HttpRequest,
    rows: QuerySet[Any],
    told: Callable[[Any], Any],
    make: Callable[..., Any],
    *,
    limit: int,
    before: int | None,
) -> HttpResponse:
    """Answer with one page of rows: `make(items=..., next=...)`, with a Link header."""
    rows = rows.order_by("-pk")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: limit + 1])
    page, following = found[:limit], None
    headers = {}
    if len(found) > limit:
        kept = {key: value for key, value in request.GET.items() if key != "before"}
        query = urlencode({**kept, "before": page[-1].pk})
        following = f"{request.path}?{query}"
        headers["Link"] = f'<{following}>; rel="next"'
    return answer(make(items=tuple(map(told, page)), next=following), headers=headers)
