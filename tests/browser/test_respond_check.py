"""The page refuses to run on anything but what was promised, and shows how to check it."""

import hashlib
import json
import re
import urllib.request
from base64 import b64encode
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from surveys.models import Launch
from surveys.parameters import Bits, Product, Uniform, check, digest_of
from tests.browser.respondent import (
    CARDS,
    EACH,
    MIXED,
    WHOLE,
    address,
    alter,
    answer_one,
    receipt,
    survey,
)
from tests.browser.rr_page import rr_page, run
from tests.rosters import launched_network, links_of

pytestmark = pytest.mark.browser


def open_tampered(page: Page, url: str, change) -> None:
    """Open the page as if its server had served other parameters."""

    def handle(route):
        html = route.fetch().text()
        start = html.index(">", html.index('id="parameters"')) + 1
        end = html.index("</script>", start)
        document = json.loads(html[start:end])
        change(document)
        route.fulfill(
            body=html[:start] + json.dumps(document) + html[end:], content_type="text/html"
        )

    page.route(url, handle)
    page.goto(url)


def _keep_more(document):
    document["devices"][0]["table"] |= {"kept": 2**32 - 10, "other": 10}


def _keep_more_and_declare_it(document):
    rare = 2**22
    document["devices"][0]["table"] |= {"kept": 2**32 - rare, "other": rare}
    document["devices"][0]["epsilon"] = "7"


def _reword(document):
    document["questions"][0]["text"] = "Another question?"


def _drop_digest(document):
    del document["digest"]


def _answers_as_they_are(document):
    document["devices"][0] |= {"family": "direct", "epsilon": None}
    document["devices"][0]["table"] |= {"denominator": 1, "kept": 1, "other": 0}


TAMPERED = [
    (_keep_more, "too_revealing"),
    (_keep_more_and_declare_it, "over_budget"),
    (_reword, "wrong_digest"),
    (_drop_digest, "missing_key"),
    (_answers_as_they_are, "bad_choice"),
]


def test_tampered_parameters_are_refused_before_anything_is_asked(live_server, new_context):
    page, url = new_context().new_page(), address(live_server, survey())
    for change, reason in TAMPERED:
        open_tampered(page, url, change)
        expect(page.get_by_role("heading", name="Nothing is asked here")).to_be_visible()
        expect(page.locator(".refusal")).to_contain_text(reason)
        assert page.locator("#respond").get_by_role("button").count() == 0
        assert page.get_by_role("radio").count() == 0
        page.unroute(url)


PAIR = Uniform(("A", "B"), 4, 3, 1)


@pytest.mark.parametrize(
    "table", [Product((PAIR, PAIR)), Bits(4, 4, 3, 1)], ids=lambda table: type(table).__name__
)
def test_a_valid_table_that_no_look_can_ask_about_is_refused(live_server, new_context, table):
    """Both tables keep their epsilon, so that every rule of the document itself is kept."""
    question = {"kind": "single_choice", "options": list("abcd"), "epsilon": Decimal("2.2")}
    first = survey(questions=[question])
    (device,) = first.parameters.devices
    devices = (replace(device, table=table),)
    parameters = check(replace(first.parameters, devices=devices, version=2))
    launch = Launch.objects.create(
        survey=first.survey, parameters=parameters, digest=digest_of(parameters), version=2
    )
    page = new_context().new_page()
    page.goto(address(live_server, launch))
    expect(page.get_by_role("heading", name="Nothing is asked here")).to_be_visible()
    assert "unknown_form (table)" in page.locator(".refusal").inner_text()
    assert page.locator("#respond").get_by_role("button").count() == 0
    assert page.get_by_role("radio").count() == 0


@pytest.mark.parametrize(
    "missing",
    [
        "delete Crypto.prototype.getRandomValues",
        "Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined})",
        "Crypto.prototype.getRandomValues = () => { throw new Error('no entropy'); }",
    ],
)
def test_without_secure_chance_nothing_is_asked(live_server, new_context, missing):
    context = new_context()
    context.add_init_script(missing)
    page = context.new_page()
    page.goto(address(live_server, survey()))
    expect(page.get_by_text("does not give the page the secure chance")).to_be_visible()
    assert page.get_by_role("radio").count() == 0


def test_a_changed_script_is_not_run(live_server, new_context):
    """The page names the hash of every script; the browser refuses one that differs."""
    context = new_context()
    context.route("**/js/groups/en/page.js", alter)
    page = context.new_page()
    page.goto(address(live_server, survey()))
    expect(page.get_by_text("a part of it could not be loaded")).to_be_visible()
    assert page.get_by_role("button", name="I agree").count() == 0


def test_without_javascript_it_says_what_to_do(live_server, new_context):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(address(live_server, survey()))
    # Playwright looks for text outside <noscript> only.
    notice = page.locator("noscript .notice")
    expect(notice).to_be_visible()
    assert "Switch it on for this site" in notice.inner_text()
    assert page.get_by_role("button").count() == 0
    assert page.locator("form").count() == 0
    expect(page.locator("#page-status")).to_be_hidden()


def test_the_check_page_lists_every_script_with_its_true_hash(live_server, new_context):
    page = new_context().new_page()
    loaded = set()
    page.on("request", lambda r: ".js" in r.url and loaded.add(r.url.split("?")[0]))
    answer_one(page, address(live_server, survey()), "Yes")
    receipt(page)
    assert any("groups/en/end" in url for url in loaded)
    integrity = page.locator("[integrity]").evaluate_all(
        "(all) => Object.fromEntries(all.map((x) => [x.src || x.href, x.integrity]))"
    )
    page.goto(f"{live_server.url}/check/")
    rows = page.locator(".hashes tbody tr").evaluate_all(
        "(all) => all.map((x) => [x.querySelector('a').href, x.querySelector('td').textContent])"
    )
    listed = {url.split("?")[0] for url, _ in rows}
    assert loaded <= listed
    for url, sha256 in rows:
        with urllib.request.urlopen(url) as answer:
            digest = hashlib.sha256(answer.read()).digest()
        assert digest.hex() == sha256
        if url in integrity:
            assert integrity[url] == "sha256-" + b64encode(digest).decode()
    assert loaded <= integrity.keys()


def test_no_cookie_is_set_and_the_policy_is_strict(live_server, new_context):
    context = new_context()
    page = context.new_page()
    headers = []
    page.on("response", lambda answer: headers.append(answer.all_headers()))
    answer_one(page, address(live_server, survey()), "Yes")
    receipt(page)
    assert context.cookies() == []
    assert not [name for one in headers for name in one if name == "set-cookie"]
    policy = headers[0]["content-security-policy"]
    assert "script-src 'self';" in f"{policy};"
    assert "frame-ancestors 'none'" in policy
    assert headers[0]["x-frame-options"] == "DENY"
    assert "Cookie" not in headers[0]["vary"]
    assert page.locator("[style]").count() == 0


def test_named_sites_may_embed_the_form_and_others_may_not(live_server):
    launch = survey(embed_origins="https://www.example.org javascript:x https://b.example:8443")
    with urllib.request.urlopen(address(live_server, launch)) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer.headers
    assert "frame-ancestors 'self' https://www.example.org https://b.example:8443" in policy
    assert "javascript" not in policy


RARE = {
    "design": "optimal_binary",
    "design_parameters": {"delta": "0.01", "prevalence": "0.001"},
}
TEXT = {"kind": "short_text", "design": "rappor"}
GROUPED = {"group": 1, "epsilon": Decimal("0.9")}
NAMED = re.compile(r"<link (rel=.modulepreload.|data-soon) data-group=.([a-z_/]+).")


# What the checks need, and what the first question needs beside that.
PARTS: list[tuple[Any, set[str], set[str]]] = [
    ([{}], set(), set()),
    (MIXED, set(), {"many"}),
    ([EACH], {"more"}, {"choices", "many"}),
    ([WHOLE], {"more"}, {"choices", "many"}),
    ([CARDS], {"more"}, {"choices", "many"}),
    ([RARE], {"more", "forms"}, {"ui/rare"}),
    ([TEXT], {"more", "text_rules"}, {"texts"}),
    ([{"epsilon": "5", "epsilon_reason": "Nobody minds."}], {"more"}, set()),
    ([GROUPED, GROUPED], {"more", "joint_rules", "features/groups/rules"}, {"joint"}),
    ([{**EACH, "epsilon": "2"}, CARDS], {"more"}, {"choices", "many"}),
    # Practice is on the simplest question, and what shows the others waits for the first.
    ([{}, EACH, CARDS, TEXT], {"more", "text_rules"}, set()),
    ([CARDS, {}, TEXT], {"more", "text_rules"}, {"choices", "many"}),
]


def test_what_the_first_question_needs_is_named_by_the_page(live_server, new_context):
    """No file is asked for only once another is there that needs it."""
    page = new_context().new_page()
    for number, (questions, checks, asking) in enumerate(PARTS):
        launch = survey(slug=f"survey-{number}", questions=questions)
        first, soon = named(page, address(live_server, launch))
        assert (first, soon) == (checks, {"asking", *asking}), questions


def test_what_a_roster_and_arms_need_is_named_too(live_server, new_context):
    launch = launched_network(slug="staff")
    page, link = new_context().new_page(), links_of(launch.survey)["m001"]
    first, soon = named(page, f"{address(live_server, launch)}#{link}")
    assert first == {"more", "ties_rules", "features/roster/rules"}
    assert soon == {"asking", "bits", "features/roster/page"}
    armed = survey(questions=[{"asked_directly": True}], direct_share=30)
    first, soon = named(page, address(live_server, armed))
    assert (first, soon) == (
        {"more", "features"},
        {"asking", "looking_up", "features/arms/page"},
    )


def named(page: Page, url: str) -> tuple[set[str], set[str]]:
    """The groups that a page names at once and soon; it loads no other until its first question."""
    loaded = set[str]()
    follow = lambda request: loaded.update(re.findall(r"/js/groups/en/(.+)\.js", request.url))  # noqa: E731
    page.on("request", follow)
    found = NAMED.findall(page.goto(url).text())
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("link[data-soon]:not([rel])")).to_have_count(0)
    page.remove_listener("request", follow)
    first, soon = (
        {name for how, name in found if (how == "data-soon") is late} for late in (False, True)
    )
    assert loaded == {"page", *first, *soon}
    return first, soon


def test_a_refusal_names_the_browsers_own_errors(chromium):
    """They have numbers of their own in `code`, which say nothing to anybody."""
    shown = """const { refusal: why } = await import("/static/js/ui/refusal.js");
    const errors = [new DOMException("", "NotFoundError"), new TypeError("no"), "thrown", null];
    const last = (node) => node.querySelector(".small").textContent;
    const own = await import("/static/js/rr/errors.js");
    return [...errors, new own.ParametersError("empty", "")].map((error) => last(why(error)));"""
    with rr_page(chromium) as page:
        reasons = run(page, shown)
    told = ["NotFoundError", "TypeError", "error", "error", "empty ($)"]
    assert reasons == [f"Reason: {code}" for code in told]
