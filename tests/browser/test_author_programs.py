"""Tokens and webhooks of an author, and the page of what programs can ask."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.author import sign_in, troubles
from tests.browser.axe import assert_well_in_sizes
from tests.browser.support import BOTH_SCHEMES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EXAMPLE_AND_QUIET_INK = """(field) => {
  const probe = field.ownerDocument.body.appendChild(document.createElement("p"));
  probe.style.color = "var(--quiet)";
  const quiet = getComputedStyle(probe).color;
  probe.remove();
  const example = getComputedStyle(field, "::placeholder");
  return [example.color === quiet, example.opacity];
}"""
SIZES = [(360, 740), (1280, 900)]


def test_an_author_makes_a_token_with_which_a_program_is_let_in(live_server, new_context):
    author = sign_in(new_context(), live_server)
    heard = troubles(author)
    author.goto(f"{live_server.url}/admin/surveys/survey/")
    author.get_by_role("link", name="Tokens for programs").click()
    author.get_by_role("button", name="Make a token").click()
    expect(author.locator("#errors-heading")).to_be_visible()
    assert_well_in_sizes(author, "tokens, refused", SIZES)
    author.get_by_label("What it is for").fill("Nightly download")
    author.get_by_label("Read surveys: definitions, checks, state").check()
    author.get_by_role("button", name="Make a token").click()
    secret = author.get_by_role("textbox", name="The new token").input_value()
    assert_well_in_sizes(author, "tokens", SIZES)

    request = urllib.request.Request(
        f"{live_server.url}/api/v1/surveys", headers={"Authorization": f"Bearer {secret}"}
    )
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer) == {"items": [], "next": None}

    author.get_by_role("link", name="Webhooks").click()
    address = author.get_by_label("Address of your program")
    for scheme in BOTH_SCHEMES:
        author.emulate_media(color_scheme=scheme)
        # axe looks at no example within a field; quiet ink can be read on every surface.
        assert address.evaluate(EXAMPLE_AND_QUIET_INK) == [True, "1"]
    address.fill("https://example.org/hook")
    author.get_by_label("A survey was closed").check()
    author.get_by_role("button", name="Make a webhook").click()
    expect(author.get_by_role("textbox", name="The secret of the new webhook")).to_be_visible()
    assert_well_in_sizes(author, "webhooks", SIZES)
    author.get_by_role("link", name="Tokens for programs").click()
    author.get_by_role("link", name="What programs can ask").click()
    expect(author.get_by_role("heading", name="For programs")).to_be_visible()
    assert_well_in_sizes(author, "interface", SIZES)
    assert heard == []
