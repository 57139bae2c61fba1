"""Short texts end to end: 20,000 respondents by the second client; then candidates.

A fiftieth of them send their reports over HTTP, and what is counted is what was sent, bit by bit;
the others' are put into the inbox, where the server puts what it has taken. The candidates are
written after the answers came in, on the author's page, and the shares read from the results. 200
surveys of this size are simulated in tests/engine/test_strings.py.
"""

import html
import re
import urllib.parse
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from random import Random
from typing import Any

import numpy as np
import pytest
from candor import respondent as client

from rr_engine.rappor import normalize_text
from surveys.management.respondents import Respondents
from tests.system.stack import Stack, wait_for

pytestmark = [pytest.mark.system, pytest.mark.slow]

PEOPLE, CANDIDATES, OCCURRING = 20_000, 100, 20
OVER_HTTP = 400
SLUG = "drugs"
# By Zipf's law. A share above this is found with a chance of more than 99.9 %: `detectable_share`
# at 80 % power is 1.3 % for this device.
SHARES = 1 / np.arange(1, OCCURRING + 1) / (1 / np.arange(1, OCCURRING + 1)).sum()
FREQUENT = 0.025


class Author:
    """Somebody signed in over HTTP, with a cookie and the forms' tokens."""

    def __init__(self, url: str, account: dict[str, str]) -> None:
        self.url = url
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self.opener = urllib.request.build_opener(cookies)
        values = {"username": account["name"], "password": account["password"]}
        self.post("/account/login/", **values)

    def get(self, path: str) -> str:
        with self.opener.open(self.url + path, timeout=300) as answer:
            return answer.read().decode()

    def post(self, path: str, **values: str) -> str:
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(path))
        assert token
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], **values}).encode()
        with self.opener.open(self.url + path, body, timeout=300) as answer:
            return answer.read().decode()


def words() -> list[str]:
    return [f"Substance {number}" for number in range(CANDIDATES)]


def answer_all(stack: Stack, document: dict[str, Any]) -> np.ndarray:
    """Everybody answers, some as nobody would write it; the number of people by text."""
    (device,), listed = document["devices"], words()
    chance = np.random.default_rng(20260514)
    people = chance.choice(OCCURRING, size=PEOPLE, p=SHARES)
    typed = [
        f"  {listed[index].upper()}" if shouted else listed[index]
        for index, shouted in zip(people, chance.random(PEOPLE) < 0.5, strict=True)
    ]
    # Each bit takes four bytes: NumPy's generator would take twenty times as long.
    random_bytes = Random(20260514).randbytes
    reports = [client.draw(device, client.normalize(text), random_bytes) for text in typed]
    responses = [{"drug": report} for report in reports]
    respondents = Respondents(stack.url, document)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(respondents.send, responses[:OVER_HTTP]))
    respondents.close()
    wait_for(lambda: stack.in_results(SLUG) == OVER_HTTP)
    assert stack.ledger("audit", SLUG)["tallies"] == {"drug/page": tally_of(reports[:OVER_HTTP])}
    # The clock finds them.
    stack.ledger("preload", SLUG, responses[OVER_HTTP:])
    return np.bincount(people, minlength=CANDIDATES) / PEOPLE


def tally_of(reports: list[Any]) -> list[int]:
    """Return for each cohort the reports, and how many have set each bit."""
    size, counts = 1 + len(reports[0][1]), Counter[int]()
    for cohort, bits in reports:
        places = [0, *(place for place, bit in enumerate(bits, 1) if bit == "1")]
        counts.update(cohort * size + place for place in places)
    cohorts = 1 + max(cohort for cohort, _ in reports)
    return [counts[place] for place in range(cohorts * size)]


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_what_is_frequent_is_found_by_a_list_that_came_later(stack: Stack) -> None:
    author = Author(stack.url, {**stack.ledger("author", "tilda")})
    document = client.check(stack.ledger("texts", SLUG, "tilda", str(PEOPLE)))
    truth = answer_all(stack, document)
    wait_for(lambda: stack.in_results(SLUG) == PEOPLE)
    assert question_in(stack)["notes"] == ["no_candidates"]

    survey = re.search(r"surveys/survey/(\d+)/", author.get("/admin/surveys/survey/"))
    assert survey
    page = f"/admin/surveys/survey/{survey[1]}/candidates/drug/"
    answer = author.post(page, texts="\n".join(words()))
    assert "The list has 100 candidates now." in html.unescape(answer)
    texts = wait_for(lambda: texts_found(stack))

    rows = texts["candidates"]
    assert [row["label"] for row in rows] == words()
    found = np.array([row["found"] for row in rows])
    estimates = np.array([row["estimate"] for row in rows])
    errors = np.array([row["standard_error"] for row in rows])
    assert found[:OCCURRING][SHARES >= FREQUENT].all()
    # 80 that do not occur: at a rate of 5 % of those found, 4 false ones have a chance below 1 %.
    assert found[OCCURRING:].sum() <= 4
    # One of 100 estimates is more than four standard errors off in 1 of 150 surveys.
    assert (np.abs(estimates - truth) < 4 * errors).all()
    assert abs(texts["unlisted"]["estimate"]) < 4 * texts["unlisted"]["standard_error"]
    assert len({normalize_text(row["label"]) for row in rows}) == CANDIDATES


def question_in(stack: Stack) -> dict[str, Any]:
    (question,) = stack.get_json(f"/s/{SLUG}/results/results.json")["questions"]
    return question


def texts_found(stack: Stack) -> dict[str, Any] | None:
    texts = question_in(stack)["texts"]
    return texts if texts["candidates"] else None
