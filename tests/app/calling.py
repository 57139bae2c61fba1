"""A program that calls the interface, for tests."""

import json
from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from surveys.models import ApiToken
from surveys.models.api_token import Scope
from surveys.services.api_tokens import make_token

ROOT = "/api/v1/"
EVERY_SCOPE = tuple(Scope.values)


class Program:
    """Calls with a token of an account, which has every scope unless some are named."""

    def __init__(self, user: User | None = None, scopes: Iterable[str] = EVERY_SCOPE) -> None:
        self.client = Client(raise_request_exception=False)
        self.token, self.secret = None, ""
        if user is not None:
            name = f"t{ApiToken.objects.count()}"
            self.token, self.secret = make_token(user=user, name=name, scopes=scopes, days=7)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer; `body`: what JSON can write, or bytes as they are sent."""
        if self.secret:
            headers.setdefault("Authorization", f"Bearer {self.secret}")
        data = (
            body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        )
        media = headers.pop("Content_Type", "application/json" if body is not None else "")
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.client.generic(
            method, f"{ROOT}{path}", data, content_type=media, headers=named
        )
        if answer.streaming:
            answer.streaming_content = [b"".join(answer.streaming_content)]
        return answer

    def get(self, path: str, **headers: str) -> Any:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.call("POST", path, body, **headers)
