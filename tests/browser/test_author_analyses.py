"""An author declares an analysis, takes it back, and uploads the margins to weight to."""

import pytest
from playwright.sync_api import expect

from surveys.features.analyses.settings import declared
from tests.analyses import QUESTIONS
from tests.app.author_posts import page as address
from tests.browser.author import more, sign_in
from tests.browser.axe import assert_well
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TABLE = "Frage;Antwort;Anteil\nregion;North;51,5\nregion;South;{}\n"


def test_from_a_draft_to_analyses_with_weights(live_server, new_context):
    survey = make_survey(linkage="together", questions=QUESTIONS, budget=9)
    page = sign_in(
        new_context(viewport={"width": 360, "height": 800}, bypass_csp=True), live_server
    )
    page.goto(live_server.url + address(survey))
    more(page)
    page.get_by_role("link", name="Analyses").click()
    file = page.get_by_label("File (CSV in UTF-8)")
    table = {"name": "margins.csv", "mimeType": "text/csv"}
    file.set_input_files({**table, "buffer": TABLE.format("49").encode()})
    page.get_by_role("button", name="Take these shares").click()
    expect(page.locator(".errorlist")).to_contain_text("(rows 2, 3) add up to 100.5.")
    file.set_input_files({**table, "buffer": TABLE.format("48,5").encode()})
    page.get_by_role("button", name="Take these shares").click()
    expect(page.get_by_role("heading", name="This is what was read.")).to_be_visible()
    assert_well(page, "shown before it is stored")
    page.get_by_role("button", name="Store these shares").click()
    expect(page.get_by_text("48.5\u00a0%")).to_be_visible()

    page.get_by_label("What should an analysis explain?").select_option("drug")
    page.get_by_role("button", name="Declare an analysis").click()
    page.get_by_label("Name of the analysis").fill("Who takes drugs")
    expect(page.get_by_label("Yes", exact=True)).to_be_checked()
    page.get_by_label("Model").select_option("probit")
    page.get_by_role("button", name="Declare this analysis").click()
    expect(page.locator("#errors")).to_contain_text("Choose 1 to 8 questions")
    page.get_by_label("mood", exact=True).select_option("as a number")
    page.get_by_label("region", exact=True).select_option("as categories")
    page.get_by_label("Weight respondents to the margins").check()
    assert_well(page, "an analysis")
    page.get_by_role("button", name="Declare this analysis").click()
    expect(page.get_by_role("heading", name="Who takes drugs")).to_be_visible()
    assert_well(page, "analyses")
    survey.refresh_from_db()
    (row,) = declared(survey).analyses
    assert (row["link"], row["weighted"]) == ("probit", True)

    page.get_by_role("button", name="Remove this analysis").click()
    expect(page.get_by_text("There is none yet.")).to_be_visible()
    survey.refresh_from_db()
    assert declared(survey).analyses == []
