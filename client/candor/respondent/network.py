"""Asking the site, and sending."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from candor.respondent.arms import Assigned, new_submission
from candor.respondent.response import body_of
from candor.respondent.rules import check_object, is_plain_name, require
from candor.respondent.values import Json


def assign(base: str, document: Json) -> Assigned:
    """Draw a submission id and ask for its arm: once for one person, whatever the arm is."""
    submission = new_submission()
    answer = ask_for_arm(base, document["survey"], document["digest"], submission)
    require(answer.status == 200, "the server says the arm")
    check_object(answer.body, {"arm": is_plain_name})
    arm = answer.body["arm"]
    require(arm in {each["stratum"] for each in document["arms"]}, "the arm is of the document")
    return Assigned(submission, arm)


@dataclass(frozen=True)
class Answer:
    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def codes(self) -> list[tuple[str, str]]:
        return [(error["field"], error["code"]) for error in self.body["errors"]]


def fetch(base: str, slug: str, wave: int | None = None) -> Answer:
    of_wave = "" if wave is None else f"waves/{wave}/"
    return _exchange(urllib.request.Request(f"{base}/s/{slug}/{of_wave}parameters.json"))


def fetch_full(base: str, slug: str) -> Answer:
    return _exchange(urllib.request.Request(f"{base}/s/{slug}/quotas.json"))


def post(
    base: str,
    slug: str,
    body: bytes,
    headers: Mapping[str, str] | None = None,
    method: str = "POST",
    place: str = "responses",
) -> Answer:
    all_headers = {"Content-Type": "application/json", **(headers or {})}
    address = f"{base}/s/{slug}/{place}/"
    return _exchange(urllib.request.Request(address, body, all_headers, method=method))


def send(base: str, slug: str, response: Json, document: Json | None = None) -> Answer:
    """Without its document a response is sent as it is: for tests, and never for people.

    Whoever gets no answer sends the same once more: what has a submission id is stored once.
    """
    body = body_of(document, response) if document else json.dumps(response).encode("utf-8")
    try:
        return post(base, slug, body)
    except (ConnectionError, http.client.RemoteDisconnected):
        time.sleep(1)
        return post(base, slug, body)


def look_up(base: str, slug: str, code: str) -> Answer:
    return post(base, slug, json.dumps({"code": code}).encode("utf-8"), place="return")


def person(base: str, slug: str, link: str) -> Answer:
    """Whose link it is, and the names on the roster."""
    return post(base, slug, json.dumps({"link": link}).encode("utf-8"), place="person")


def ask_for_arm(base: str, slug: str, digest: str, submission: str) -> Answer:
    """Which arm chance has put a response into."""
    body = json.dumps({"digest": digest, "submission": submission}).encode("utf-8")
    return post(base, slug, body, place="arm")


def _exchange(request: urllib.request.Request) -> Answer:
    try:
        with urllib.request.urlopen(request, timeout=300) as reply:
            return _answer(reply.status, reply)
    except urllib.error.HTTPError as reply:
        with reply:
            return _answer(reply.code, reply)


def _answer(status: int, reply: Any) -> Answer:
    text = reply.read()
    is_json = reply.headers.get_content_type() == "application/json"
    return Answer(status, json.loads(text) if is_json else None, reply.headers)
