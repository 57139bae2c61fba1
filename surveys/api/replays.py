"""Posts that are sent twice and done once: `Idempotency-Key`.

The answer is stored in the transaction of what it answers: after a crash there is both or neither,
and of two requests at once the second waits for the first, then reads its answer.
"""

import hashlib
import re
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from surveys.api.keys import token_of
from surveys.api.problems import Broken, Refusal, problem_response, refusal_of, shown_value
from surveys.models import StoredAnswer
from surveys.models.api_token import MOST_IN_A_KEY
from surveys.services.stored_answers import forget_old_answers

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
_KEY = re.compile(rf"[\x21-\x7e]{{1,{MOST_IN_A_KEY}}}")
# Refusals that may be none a moment later.
_PASSING = (429, 503)
_KEPT_HEADERS = ("Location", "ETag")


def once(request: HttpRequest, act: Callable[[], Any], *, secret: bool) -> Any:
    """Do what a request asks for, unless its key says that it was done.

    `secret`: its answer has a secret, which is not stored.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return act()
    if _KEY.fullmatch(key) is None:
        rule = _("1 to %s visible ASCII characters") % MOST_IN_A_KEY
        broken = Broken(field=HEADER, value=shown_value(key), rule=rule)
        raise Refusal(400, "idempotency_key", _("This is no key."), errors=[broken])
    token, wanted = token_of(request), _hash(request)
    with transaction.atomic():
        forget_old_answers()
        stored, is_new = StoredAnswer.objects.get_or_create(
            token=token, key=key, defaults={"request_hash": wanted}
        )
        if not is_new:
            return _again(stored, wanted)
        response = _done(act)
        _store(stored, response, secret=secret)
        return response


def _done(act: Callable[[], Any]) -> Any:
    try:
        with transaction.atomic():
            return act()
    except Exception as error:
        refusal = refusal_of(error)
        if refusal is None or refusal.status in _PASSING:
            raise
        return problem_response(refusal)


def _store(stored: StoredAnswer, response: HttpResponse, *, secret: bool) -> None:
    stored.status = response.status_code
    stored.kept = not secret or response.status_code >= 400
    stored.body = response.content.decode() if stored.kept else ""
    names = ("Content-Type", *_KEPT_HEADERS)
    stored.headers = {name: response[name] for name in names if response.has_header(name)}
    stored.save()


def _again(stored: StoredAnswer, wanted: str) -> HttpResponse:
    if stored.request_hash != wanted:
        rule = _("one key for one request; this one was sent with another body or address")
        broken = Broken(field=HEADER, value=stored.key, rule=rule)
        raise Refusal(422, "idempotency_key_reused", _("This key is taken."), errors=[broken])
    if not stored.kept:
        words = _("This was done. Its answer had a secret, which is told once and not stored.")
        raise Refusal(409, "told_once", words)
    response = HttpResponse(stored.body, status=stored.status)
    for name, value in stored.headers.items():
        response[name] = value
    response[REPLAYED] = "true"
    return response


def _hash(request: HttpRequest) -> str:
    head = f"{request.method} {request.get_full_path()}\n".encode()
    return hashlib.sha256(head + request.body).hexdigest()
