"""The first wave of a survey with return codes: a code is drawn, kept elsewhere, forgotten here."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from surveys.features.return_codes.assignment import chain_of
from surveys.features.return_codes.models import Respondent
from surveys.models import Submission
from tests.browser.comer import KEPT, answer_first, keep_and_send, shown_code
from tests.browser.respondent import (
    address,
    arrive,
    choose,
    press,
    receipt,
    spin,
    survey,
    to_questions,
)
from tests.browser.rr_page import rr_page, run
from tests.vectors.case_lines import read_vectors
from tests.waves import coded_launch

pytestmark = pytest.mark.browser

ONE = {"slug": "work", "questions": [{}]}
STORED = "() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
NOT_KEPT = "Keep your return code first, then tick this box: nobody can give it to you again."


def to_code(page: Page, url: str) -> str:
    """At the screen of the code."""
    arrive(page, url)
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    return shown_code(page)


def kept_here(page: Page) -> str:
    return page.evaluate(STORED)


def test_a_code_is_drawn_sent_shown_again_and_forgotten(live_server, new_context):
    launch = coded_launch(**ONE)
    page = new_context().new_page()
    bodies: list[Any] = []
    page.on("request", lambda r: r.method == "POST" and bodies.append(r.post_data_json))
    code = to_code(page, address(live_server, launch))
    assert code in kept_here(page)
    keep_and_send(page)
    receipt(page)
    assert page.locator(".return-code").inner_text() == code
    assert [(list(body), body["code"]) for body in bodies] == [
        (["digest", "submission", "reports", "code"], code)
    ]
    assert json.loads(page.locator("pre.body").text_content()) == bodies[0]
    assert chain_of(launch_id=launch.pk, code=code).reports == bodies[0]["reports"]
    assert code not in kept_here(page)
    page.reload()
    receipt(page)
    assert code not in page.content() + kept_here(page)


def test_nothing_is_sent_before_the_code_was_kept(live_server, new_context):
    page = new_context().new_page()
    to_code(page, address(live_server, coded_launch(**ONE)))
    press(page, "Send")
    expect(page.get_by_role("alert").get_by_text(NOT_KEPT)).to_be_visible()
    box = page.get_by_role("checkbox", name=KEPT)
    expect(box).to_be_focused()
    expect(box).to_have_accessible_description(NOT_KEPT)
    assert not Submission.objects.exists()
    box.check()
    expect(page.get_by_text(NOT_KEPT)).to_have_count(0)


@pytest.mark.slow
def test_a_reload_or_a_lost_connection_does_not_change_the_code(live_server, new_context):
    page = new_context().new_page()
    code = to_code(page, address(live_server, coded_launch(**ONE)))
    page.reload()
    press(page, "Next")
    assert shown_code(page) == code
    page.route("**/responses/", lambda route: route.abort())
    keep_and_send(page)
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    assert code in kept_here(page)
    page.unroute("**/responses/")
    press(page, "Try now")
    receipt(page)
    assert page.locator(".return-code").inner_text() == code
    assert code not in kept_here(page)
    assert Respondent.objects.count() == 1


@pytest.mark.slow
def test_two_tabs_show_one_code_and_store_one_response(live_server, new_context):
    context = new_context()
    url = address(live_server, coded_launch(**ONE))
    first, second = context.new_page(), context.new_page()
    code = to_code(first, url)
    second.goto(url)
    press(second, "Next")
    assert shown_code(second) == code
    keep_and_send(first)
    # The second has sent the same once more, or has seen that it is stored.
    assert receipt(first) == receipt(second)
    assert Respondent.objects.count() == Submission.objects.count() == 1
    assert code not in kept_here(first)


def test_the_code_is_copied_or_saved_without_a_request(live_server, new_context, tmp_path):
    context = new_context()
    context.add_init_script(
        "window.copied = []; const board = navigator.clipboard;"
        "if (board) board.writeText = async (text) => copied.push(text);"
    )
    page = context.new_page()
    url = address(live_server, coded_launch(**ONE))
    code = to_code(page, url)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    press(page, "Copy")
    expect(page.locator("#announcer")).to_have_text("Copied.")
    assert page.evaluate("copied") == [code]
    with page.expect_download() as download:
        press(page, "Save as a file")
    assert download.value.suggested_filename == "return-code.txt"
    download.value.save_as(tmp_path / "code")
    lines = (tmp_path / "code").read_text().splitlines()
    assert lines[:4] == ["Health at work", url, "", code]
    assert [request for request in requests if not request.startswith("blob:")] == []


def test_what_a_code_means_is_said_before_anything_is_asked(arrived):
    page = arrived(coded_launch(**ONE))
    expect(page.locator("#welcome")).to_contain_text("With it you can answer again later")
    page.get_by_text("More about this").click()
    expect(
        page.get_by_text("On a phone or computer that others use, answer to the end")
    ).to_be_visible()
    expect(page.get_by_text("Only you have it, and nobody can recover it.")).to_be_visible()


def test_without_scripts_the_page_says_why_there_is_no_other_form(live_server, new_context):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(address(live_server, coded_launch(**ONE)))
    # Playwright looks for text outside <noscript> only.
    assert "There is no form without it" in page.locator("noscript .notice").inner_text()
    assert page.locator("a[href*=physical]").count() == 0


def test_an_open_survey_loads_and_sends_nothing_of_this(live_server, new_context):
    page = new_context().new_page()
    posts: list[Any] = []
    page.on("request", lambda r: r.method == "POST" and posts.append(r.post_data_json))
    html = page.goto(address(live_server, survey())).text()
    for name in ("keeping.js", "returning.js", "earlier.js", "return_codes/"):
        assert name not in html
    assert "data-return" not in html
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Send")
    receipt(page)
    assert [list(body) for body in posts] == [["digest", "submission", "reports"]]


def test_a_body_has_a_code_only_where_there_are_codes(chromium):
    fields = {
        "digest": "sha256:" + "0" * 64,
        "submission": "6f1c2f0e-3b51-4d8b-9c55-0c9f2b8e7a11",
        "reports": {"q1": 0},
    }
    body = """const codes = await import('/static/js/features/return_codes/code.js');
    const own = { name: "code", fits: codes.isReturnCode };
    const [open, coded] = [given, {...given, code: '0000-0000-0000-0000-0000'}];
    const last = "0000-0000-0000-0000-0001";
    return [
      await refusal(() => wire.payload(open)),
      await refusal(() => wire.payload(coded, own)),
      await refusal(() => wire.payload(coded)),
      await refusal(() => wire.payload(open, own)),
      await refusal(() => wire.payload({...coded, code: last}, own)),
    ].map((error) => error && [error.code, error.field]);"""
    with rr_page(chromium) as page:
        refused = run(page, body, fields)
    assert refused == [
        None,
        None,
        ["unknown_key", "code"],
        ["missing_key", "code"],
        ["bad_code", "code"],
    ]


def test_an_even_guess_is_as_good_as_the_server_says(chromium):
    vectors = read_vectors("strength.json")
    strengths = [case["strength"] for case in vectors["surveys"]]
    losses = [x for strength in strengths for x in (strength["question"], strength["person"])]
    guesses = [
        guess and {"right": guess[0], "people": guess[1]}
        for case in vectors["surveys"]
        for guess in (case["question_guess"], case["person_guess"])
    ]
    body = """const { rightGuesses } = await import('/static/js/rr/guess.js');
    return given.map(rightGuesses);"""
    with rr_page(chromium) as page:
        assert run(page, body, losses) == guesses


def test_everybody_gets_another_code(live_server, new_context):
    launch = coded_launch(**ONE)
    pages = [new_context().new_page() for _ in range(2)]
    codes = {answer_first(page, live_server, launch) for page in pages}
    assert len(codes) == Respondent.objects.count() == 2
