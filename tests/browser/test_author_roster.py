"""An author uploads a roster, launches, and downloads the personal links."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import expect

from surveys.features.roster.changes import replace_roster
from surveys.features.roster.links import member_of
from tests.app.author_posts import page as address
from tests.browser.author import sign_in
from tests.browser.axe import assert_well
from tests.rosters import network_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TABLE = "Kürzel;Name;Gruppe\n" + "\n".join(
    f"k{number:02};Çelik {number};{'Früh' if number % 2 else 'Spät'}" for number in range(1, 13)
)


def test_from_a_table_to_the_links_of_its_members(live_server, new_context):
    survey = network_survey()
    replace_roster(survey=survey, rows=[])
    context = new_context(viewport={"width": 360, "height": 800}, bypass_csp=True)
    page = sign_in(context, live_server)
    page.goto(live_server.url + address(survey, "roster"))
    file = page.get_by_label("File (CSV in UTF-8)")
    bad = {"name": "roster.csv", "mimeType": "text/csv"}
    file.set_input_files({**bad, "buffer": TABLE.replace("k03", "k 3").encode()})
    page.get_by_role("button", name="Take this roster").click()
    expect(page.locator(".errorlist")).to_contain_text("Row 4, code “k 3”: only letters")
    assert_well(page, "refused")
    file.set_input_files({**bad, "buffer": TABLE.encode()})
    page.get_by_role("button", name="Take this roster").click()
    expect(page.get_by_role("heading", name="This is what was read.")).to_be_visible()
    expect(page.get_by_role("cell", name="Çelik 3", exact=True)).to_be_visible()
    assert_well(page, "shown before it is stored")
    page.get_by_role("button", name="Store this roster").click()
    expect(page.get_by_role("heading", name="12 members")).to_be_visible()
    expect(page.get_by_text("2 groups: Früh, Spät")).to_be_visible()

    page.goto(live_server.url + address(survey, "launch"))
    page.get_by_role("button", name="Launch and freeze").click()
    expect(page.locator(".errorlist")).to_contain_text("Confirm that you tell everybody")
    page.get_by_label("I tell everybody on the roster that it is known who answered.").check()
    page.get_by_role("button", name="Launch and freeze").click()
    page.get_by_role("link", name="Make personal links").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Make the links and download them").click()
    links = download.value.path()
    rows = list(csv.reader(Path(links).read_text("utf-8-sig").splitlines()))
    assert rows[1][:3] == ["k01", "Çelik 1", "Früh"]
    assert [member_of(survey.pk, row[3].split("#")[1]).code for row in rows[1:]] == [
        f"k{number:02}" for number in range(1, 13)
    ]

    page.get_by_role("link", name="Back to the personal links").click()
    page.get_by_label("Find by code, name or group").fill("çelik 11")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Revoke the link of k11").click()
    expect(page.get_by_text("The link of k11 is void.")).to_be_visible()
    expect(page.get_by_role("button", name="Revoke the link of k11")).to_have_count(0)
    page.get_by_role("button", name="New link for k11").click()
    shown = page.locator("[data-copy]").input_value()
    assert member_of(survey.pk, shown.split("#")[1]).code == "k11"
    assert_well(page, "one new link")
