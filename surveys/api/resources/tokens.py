"""The token of a request itself, and the others of its account: listed and revoked, never made."""

from datetime import date, datetime

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import Router

from surveys.api.documents import answer, document, no_content
from surveys.api.finding import Key
from surveys.api.keys import token_of, user_of
from surveys.api.paging import Before, Limit, page_of
from surveys.api.problems import not_found
from surveys.api.serving import serves
from surveys.models import ApiToken
from surveys.models.api_token import Scope
from surveys.services.api_tokens import revoke_token
from surveys.services.roles import may_compose

router = Router(tags=["token"])
all_of_them = Router(tags=["token"])


class TokenFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`account`: the user name that it stands for. `may_compose`: whether that may make surveys."""

    name: str
    account: str
    scopes: tuple[str, ...]
    expires_at: datetime
    last_used_on: date | None
    may_compose: bool


@serves(
    router,
    "GET",
    "",
    scope="",
    answers={200: document(TokenFacts)},
    title="Read what this token is for",
)
def get_token(request: HttpRequest) -> HttpResponse:
    token, user = token_of(request), user_of(request)
    return answer(
        TokenFacts(
            name=token.name,
            account=user.get_username(),
            scopes=tuple(token.scopes),
            expires_at=token.expires_at,
            last_used_on=token.last_used_on,
            may_compose=may_compose(user),
        )
    )


class ListedToken(msgspec.Struct, frozen=True, kw_only=True):
    """`tail`: the end of its secret. A token that is void stays in the list."""

    id: int
    name: str
    tail: str
    scopes: tuple[str, ...]
    made_at: datetime
    expires_at: datetime
    last_used_on: date | None
    revoked_at: datetime | None


class TokenList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[ListedToken, ...]
    next: str | None


def _listed(token: ApiToken) -> ListedToken:
    return ListedToken(
        id=token.pk,
        name=token.name,
        tail=token.tail,
        scopes=tuple(token.scopes),
        made_at=token.made_at,
        expires_at=token.expires_at,
        last_used_on=token.last_used_on,
        revoked_at=token.revoked_at,
    )


@serves(
    all_of_them,
    "GET",
    "",
    scope=Scope.TOKENS,
    answers={200: document(TokenList)},
    title="List your tokens, also those that are void",
)
def list_tokens(request: HttpRequest, limit: Limit, before: Before) -> HttpResponse:
    rows = ApiToken.objects.filter(user=user_of(request))
    return page_of(request, rows, _listed, TokenList, limit=limit, before=before)


@serves(
    all_of_them,
    "DELETE",
    "/{token_id}",
    scope=Scope.TOKENS,
    answers={204: None},
    title="Revoke a token of yours; it may be the one that is sent",
)
def delete_token(request: HttpRequest, token_id: Key) -> HttpResponse:
    token = ApiToken.objects.filter(user=user_of(request), pk=token_id).first()
    if token is None:
        raise not_found()
    revoke_token(token=token)
    return no_content()
