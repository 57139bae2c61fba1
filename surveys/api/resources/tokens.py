"""The token of a request itself: what it is for, and until when."""

from datetime import date, datetime

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import Router

from surveys.api.documents import answer, document
from surveys.api.keys import token_of, user_of
from surveys.api.serving import serves
from surveys.services.roles import may_compose

router = Router(tags=["token"])


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
