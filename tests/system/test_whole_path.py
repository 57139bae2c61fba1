"""From the author's sign-in to the estimate on the results page: a real Chromium, web server,
broker, worker and database, and everything that the respondents' browsers send and keep.
"""

import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.respondent import arrive, choose, press, receipt, spin, to_questions
from tests.system.author import add_question, begin_draft, launch, sign_in, slug_of
from tests.system.stack import Stack

pytestmark = [pytest.mark.system, pytest.mark.browser]

QUESTION = "Have you ever used a drug at work?"
# Draws of four bytes are 0x10101010, for which the device sends A whatever the answer is: who
# answers “Yes” sends the same as who answers “No”, and only the answer itself could tell.
ALWAYS_A = """
const real = Crypto.prototype.getRandomValues;
Crypto.prototype.getRandomValues = function (array) {
  return array.byteLength === 4 ? array.fill(0x10) : real.call(this, array);
};
"""
STORES = """async () => JSON.stringify({
  local: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie,
  databases: await indexedDB.databases(), caches: await caches.keys(), address: location.href,
  state: history.state, name: window.name,
})"""


def compose_and_launch(page: Page, stack: Stack) -> str:
    """Sign in, write a survey of one question, launch it; returns the respondents' link."""
    sign_in(page, stack, "annika")
    begin_draft(page, stack, "Health at work", release_threshold="2", results_public=True)
    add_question(page, QUESTION, epsilon="1.1", prefer_not=False)
    return launch(page)


def take_part(context: BrowserContext, link: str, truth: str) -> dict[str, Any]:
    """Answer in a separate browser; returns the sent data and the stored data."""
    record: dict[str, Any] = {"requests": [], "console": []}
    context.add_init_script(ALWAYS_A)
    context.on("request", lambda r: record["requests"].append((r.method, r.url, r.post_data)))
    context.on("console", lambda message: record["console"].append(message.text))
    page = arrive(context.new_page(), link)
    to_questions(page)
    choose(page, truth)
    spin(page)
    press(page, "Send")
    record["receipt"] = receipt(page)
    record["stores"] = page.evaluate(STORES)
    record["cookies"] = context.cookies()
    return record


def test_from_the_authors_sign_in_to_the_estimate(stack: Stack, new_context: Any) -> None:
    link = compose_and_launch(new_context().new_page(), stack)
    results = new_context().new_page()
    results.goto(link + "results/")
    expect(results.get_by_role("table")).to_have_count(0)

    options = {"reduced_motion": "reduce"}
    records = [take_part(new_context(**options), link, truth) for truth in ("No", "Yes")]

    for record in records:
        posts = [request for request in record["requests"] if request[0] != "GET"]
        assert [(method, url) for method, url, _ in posts] == [("POST", link + "responses/")]
        body = json.loads(posts[0][2])
        assert set(body) == {"digest", "submission", "reports"}
        assert body["reports"] == {"q1": 0}
        assert all(url.startswith(stack.url) for _, url, _ in record["requests"])
        assert (record["console"], record["cookies"]) == ([], [])
        # With its random id taken out, nothing tells who answered what.
        record["trace"] = [
            text.replace(body["submission"], "ID").replace(record["receipt"], "RECEIPT")
            # Files that load side by side come in no order.
            for text in [record["stores"], *sorted(f"{r}" for r in record["requests"])]
        ]
    assert records[0]["trace"] == records[1]["trace"]

    # The page that was open all the time brings itself up to date.
    row = results.locator("#table-q1 tbody tr").first
    expect(row).to_contain_text("2")
    slug = slug_of(link)
    numbers = stack.get_json(f"/s/{slug}/results/results.json")
    (question,) = numbers["questions"]
    assert [category["reported"] for category in question["categories"]] == [2, 0]
    parameters = stack.get_json(f"/s/{slug}/parameters.json")
    table = parameters["devices"][0]["table"]
    retention = table["kept"] / table["denominator"]
    # All sent A: (1 - (1 - p)) / (2p - 1), above 100 % and shown so.
    assert question["categories"][0]["estimate"] == pytest.approx(
        retention / (2 * retention - 1), abs=1e-12
    )
    kept_of_it = stack.ledger("audit", slug)
    assert kept_of_it["tallies"] == kept_of_it["recount"] == {"q1/page": [2, 0]}
    logs = "".join(stack.logs().values())
    assert not any(word in logs for word in ("127.0.0.1:", *kept_of_it["receipts"], '"reports"'))
