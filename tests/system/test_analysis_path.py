"""A control item and a regression, from the author's click to the researcher's files: 60 people,
two of them in a browser, the others over HTTP.
"""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from candor import respondent as client
from playwright.sync_api import BrowserContext, Page, expect

import rr_engine
from tests.browser.author import field, more, open_question
from tests.browser.respondent import arrive, choose, press, receipt, spin, to_questions
from tests.browser.support import open_details
from tests.system.author import (
    add_question,
    begin_draft,
    give_name_and_password,
    launch,
    sign_in,
    slug_of,
)
from tests.system.stack import Stack, wait_for

pytestmark = [pytest.mark.system, pytest.mark.browser]

SENSITIVE = "Have you ever used a drug at work?"
SHIFTS = ("Early", "Late", "Night")
PEOPLE = 60
# The numbers, among all people, of those who answer in a browser.
IN_BROWSER = (0, 1)
NAMES = ["intercept", "q2[Late]", "q2[Night]", "q3"]


def answers_of(number: int) -> dict[str, int]:
    """Drugs are taken at night above all; every fourth person says yes to whatever is asked."""
    careless = number % 4 == 3
    shift, leads = number % 3, number // 3 % 2
    drug = number % 5 < 1 + shift
    return {"q1": int(drug or careless), "control": int(careless), "q2": shift, "q3": leads}


# --- the author ---------------------------------------------------------------------------------


def compose(page: Page, stack: Stack) -> None:
    """One sensitive question, two direct ones; the control item is one click."""
    settings = {"linkage": "together", "budget": "4", "release_threshold": "5"}
    begin_draft(page, stack, "Nights and drugs", **settings, results_public=True)
    add_question(page, SENSITIVE, epsilon="2", prefer_not=False)
    direct = {"randomized": "False"}
    shifts = {"options": "\n".join(SHIFTS)}
    add_question(page, "Which shift do you work?", "Single choice", **shifts, **direct)
    add_question(page, "Do you lead a team?", **direct)
    more(page)
    page.get_by_role("button", name="Add a control item").click()
    expect(page.get_by_text("The control item “Were you born on 30 February?”")).to_be_visible()
    expect(field(open_question(page, 2), "known_share")).to_have_value("0")


# --- the respondents ----------------------------------------------------------------------------


def take_part(context: BrowserContext, link: str, answers: dict[str, int]) -> None:
    page = arrive(context.new_page(), link)
    to_questions(page)
    for name in ("q1", "control"):
        choose(page, ("No", "Yes")[answers[name]])
        spin(page)
        press(page, "Next")
    choose(page, SHIFTS[answers["q2"]])
    press(page, "Next")
    choose(page, ("No", "Yes")[answers["q3"]])
    press(page, "Send")
    assert receipt(page)


def answer_over_http(stack: Stack, document: dict[str, Any]) -> None:
    chance = np.random.default_rng(15)
    for number in range(PEOPLE):
        if number not in IN_BROWSER:
            body = client.respond(document, answers_of(number), random_bytes=chance.bytes)
            reply = client.send(stack.url, document["survey"], body)
            assert (reply.status, reply.body["stored"]) == (201, True)


# --- the results --------------------------------------------------------------------------------


def design_of(document: dict[str, Any], name: str) -> rr_engine.DesignMatrix:
    (device,) = (each for each in document["devices"] if each["id"] == name)
    table = device["table"]
    rows = np.where(np.eye(2, dtype=bool), table["kept"], table["other"])
    return rr_engine.DesignMatrix.from_integers(rows, table["denominator"])


def assert_control_item(page: Page, document: dict[str, Any], item: dict[str, Any]) -> None:
    """Check what it says on the page and in the file.

    The two reports from the browsers are drawn without a seed; the others are evidence enough that
    some say yes to whatever is asked.
    """
    open_details(page)
    (words,) = page.locator(".control").all_inner_texts()
    assert "This is a control item" in words
    assert "some respondents do not." in words
    counts = item["devices"][0]["counts"]
    check = rr_engine.compliance.anchor_check(design_of(document, "control"), counts, 0.0)
    assert item["control"]["n"] == PEOPLE
    for name in ("share", "standard_error", "maximum_likelihood", "p_value"):
        assert item["control"][name] == pytest.approx(getattr(check, name)), name
    (corrected,) = item["control"]["corrected"]
    assert corrected["question"] == "q1"


def ask_for_a_fit(page: Page, stack: Stack) -> None:
    """From the results, signing in on the way, to the page that a worker fills."""
    page.get_by_role("link", name="Analyses", exact=True).click()
    page.get_by_role("link", name="Sign in to compose one.").click()
    give_name_and_password(page, stack, "rita")
    page.get_by_label("What is to be explained").select_option("q1")
    page.get_by_role("button", name="Choose this outcome").click()
    page.get_by_label("Name of the analysis").fill("Drugs by shift")
    page.locator("[name=link]").select_option("probit")
    page.locator("[name=predictor_q2]").select_option("as categories")
    page.locator("[name=predictor_q3]").select_option("as a number")
    page.get_by_role("button", name="Fit this model").click()
    expect(page.get_by_role("heading", name="Coefficients")).to_be_visible()


def downloaded(page: Page, link: str) -> str:
    open_details(page)
    with page.expect_download() as download:
        page.get_by_role("link", name=link).click()
    return Path(download.value.path()).read_text("utf-8-sig")


def fitted_again(document: dict[str, Any], reports: str) -> Any:
    """The model by the library, from the downloaded reports and the parameters alone."""
    rows = list(csv.DictReader(io.StringIO(reports)))
    assert len(rows) == PEOPLE
    columns = [[row["q2"] == "1", row["q2"] == "2", row["q3"] == "1"] for row in rows]
    drug = [int(row["q1"]) for row in rows]
    return rr_engine.RRLogit(design_of(document, "q1"), "probit").fit(columns, drug)


def assert_same_numbers(page: Page, wanted: Any) -> None:
    """The page, the table for a spreadsheet and the file with all numbers say the same."""
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "Coefficients (CSV)"))))
    whole = json.loads(downloaded(page, "All numbers (JSON)"))
    assert whole["analysis"]["name"] == "Drugs by shift"
    assert (whole["declared"], whole["responses"], whole["fit"]["n"]) == (False, PEOPLE, PEOPLE)
    for found in (rows, whole["fit"]["coefficients"]):
        assert [row["name"] for row in found] == NAMES
        assert [float(row["estimate"]) for row in found] == pytest.approx(wanted.params)
        errors = [float(row["standard_error"]) for row in found]
        assert errors == pytest.approx(wanted.standard_errors)
    assert whole["fit"]["log_likelihood"] == pytest.approx(wanted.log_likelihood)
    shown = page.locator("#coefficients-1 tbody tr").locator("td").and_(page.locator(".estimate"))
    texts = [text.replace("−", "-") for text in shown.all_inner_texts()]
    for text, value in zip(texts, wanted.params, strict=True):
        half_of_the_last_digit = 0.5 * 10.0 ** -len(text.partition(".")[2])
        assert float(text) == pytest.approx(value, abs=1.001 * half_of_the_last_digit)


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_a_control_item_and_a_regression(stack: Stack, new_context: Any) -> None:
    author = new_context().new_page()
    sign_in(author, stack, "carla")
    compose(author, stack)
    link = launch(author)
    slug = slug_of(link)
    document = client.check(client.fetch(stack.url, slug).body)
    assert [question["id"] for question in document["questions"]] == ["q1", "control", "q2", "q3"]
    for number in IN_BROWSER:
        take_part(new_context(reduced_motion="reduce"), link, answers_of(number))
    answer_over_http(stack, document)
    wait_for(lambda: stack.in_results(slug) == PEOPLE)

    researcher = new_context().new_page()
    researcher.goto(link + "results/")
    results = stack.get_json(f"/s/{slug}/results/results.json")
    assert_control_item(researcher, document, results["questions"][1])
    ask_for_a_fit(researcher, stack)
    # Nobody has named this researcher: the author has the reports.
    author.goto(researcher.url)
    wanted = fitted_again(document, downloaded(author, "Randomized reports (CSV)"))
    assert_same_numbers(researcher, wanted)
