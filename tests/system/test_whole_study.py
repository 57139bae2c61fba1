"""A whole study: written by an author in the editor, answered in two languages by people who are
asked different questions, and computed again by a reader from what can be downloaded.

Four sections, three filters of which one is behind another, a battery of ten items, a section in an
order that chance picks, and Hebrew beside English. Whoever has no JavaScript answers with digits of
a phone number, and reads for whom each question is.
"""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from candor import respondent as client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.app.consistency.places import in_page
from tests.app.consistency.quantities import quantities
from tests.app.consistency.test_consistency import all_problems, problems_of_file
from tests.app.test_recomputed import PROGRAMS, TABLES, assert_all_the_same, recompute
from tests.browser.author import all_options, field, open_question, save
from tests.browser.contexts import Contexts
from tests.browser.respondent import arrive, press_by_key, receipt, to_questions
from tests.browser.support import until
from tests.browser.test_respond_languages import change
from tests.system.author import add_question, begin_draft, enter, launch, sign_in, slug_of
from tests.system.stack import Stack, wait_for

pytestmark = [pytest.mark.system, pytest.mark.browser]

BY_HTTP, IN_BROWSERS = 60, 5
DIRECT = {"randomized": "False"}
IN_HAND = {"physical_device": "phone_digits"}
SCRAMBLED = {"epsilon": "1.5", **IN_HAND}
ITEMS = [
    "took pens home", "took food home", "came late", "left early", "called in sick",
    "slept at work", "read private mail", "hid a mistake", "lied to a customer", "broke a rule",
]  # fmt: skip
HEBREW = "עברית"
# Of a field that has the focus: whether it is a radio button of a question without an answer.
OPEN = """() => {
  const group = document.activeElement.closest("[role=radiogroup]");
  return Boolean(group) && !group.querySelector(":checked");
}"""
FOCUSED = "document.activeElement.textContent.trim()"
MOVES_ON = ".steps button.button--primary:visible"
SPIN = "main button.button--chance:visible"


# --- the author -----------------------------------------------------------------------------------


def write_questions(page: Page) -> None:
    """Everything but the battery, which has a page of its own and comes last."""
    first = {"section_title": "About you", "section_together": True, "name": "age"}
    ages = {"options": "18 to 39\n40 or older", **DIRECT}
    add_question(page, "How old are you?", "Single choice", **ages, **first)
    add_question(page, "Are you in paid work?", name="work", **DIRECT)
    of_workers = {"only_if": "work = Yes", "leave_unasked": True}
    add_question(page, "Do you work at night?", name="nights", **DIRECT, **of_workers)
    drugs = {"section_title": "Drugs", "section_text": "Your browser scrambles these."}
    add_question(page, "Have you ever used a drug?", name="drug", **SCRAMBLED, **drugs)
    often = {"options": "Once\nSome times\nOften", "only_if": "drug = Yes", "name": "often"}
    add_question(page, "How often?", "Scale, in order", **often, **SCRAMBLED)
    behind = {"only_if": "often = Some times | Often", "name": "driven"}
    add_question(page, "Have you driven then?", **behind, **SCRAMBLED)
    views = {"section_title": "What you think", "section_together": True, "section_random": True}
    for number, text in enumerate(("Is it a crime?", "Is it an illness?", "Should it be legal?")):
        add_question(page, text, name=f"view{number}", **DIRECT, **(views if not number else {}))


def add_battery(page: Page, survey: str) -> None:
    """Ten items at the end, in a section of their own."""
    page.goto(survey_page(page, "batteries", survey))
    text = "In the last twelve months, I have at work"
    values = {"text": text, "kind": "yes_no", "items": "\n".join(ITEMS)}
    for name, value in values.items():
        enter(page.locator(f"#id_{name}"), value)
    page.get_by_role("button", name="Add a battery").click()
    page.goto(survey_page(page, "change", survey))
    for place in range(10, 10 + len(ITEMS)):
        item = all_options(open_question(page, place))
        if place == 10:
            enter(field(item, "section_title"), "At work")
        enter(field(item, "physical_device"), IN_HAND["physical_device"])
        save(page)


def translate(page: Page, survey: str) -> None:
    """Write every text that is open in Hebrew letters, each another one."""
    page.goto(survey_page(page, "languages", survey))
    page.locator("#id_language").select_option("he")
    page.get_by_role("button", name="Add this language").click()
    page.goto(survey_page(page, "language", survey, "he"))
    fields = page.locator(".translations").get_by_role("textbox").all()
    for number, place in enumerate(fields):
        if not place.input_value():
            place.fill(f"{HEBREW} {number}")
    page.get_by_role("button", name="Store the texts").click()
    expect(page.get_by_text("It is complete.")).to_be_visible()


def survey_page(page: Page, name: str, *arguments: str) -> str:
    start = page.url.partition("/admin/")[0]
    view = "surveys_survey_change" if name == "change" else f"survey_{name}"
    return start + reverse(f"admin:{view}", args=arguments)


def compose_and_launch(page: Page, stack: Stack) -> str:
    """Return the respondents' link."""
    sign_in(page, stack, "ruth")
    settings = {"release_threshold": "2", "results_public": True}
    reason = {"budget": "20", "budget_reason": "A test without people."}
    begin_draft(page, stack, "Work and drugs", **settings, **reason)
    write_questions(page)
    (survey,) = re.findall(r"/survey/(\d+)/", page.url)
    add_battery(page, survey)
    translate(page, survey)
    page.goto(survey_page(page, "change", survey))
    return launch(page)


# --- those who answer -----------------------------------------------------------------------------


def answer_by_http(stack: Stack, slug: str) -> list[dict[str, Any]]:
    """Sixty people of a client of its own; returns what each of them really says."""
    document = client.check(client.fetch(stack.url, slug).body)
    assert list(document["translations"]) == ["he"]
    assert [len(each["questions"]) for each in document["sections"]] == [3, 3, 3, 10]
    assert [each["random"] for each in document["sections"]] == [False, False, True, False]
    assert [each["question"] for each in document["filters"]] == ["nights", "often", "driven"]
    assert [len(each["questions"]) for each in document["batteries"]] == [10]
    people, chance = [], random.Random(30)
    for _person in range(BY_HTTP):
        everything = {
            question["id"]: chance.randrange(client.answers_of(question))
            for question in document["questions"]
        }
        given = client.routed(document, everything, {})
        sent = client.send(stack.url, slug, client.respond(document, given), document)
        assert sent.status == 201, sent.body
        people.append(given)
    return people


def answer_second(page: Page) -> None:
    """Give the second answer to everything, up to the receipt, in whatever language it is."""
    code, on = page.locator(".receipt__code"), page.locator(MOVES_ON)
    while not code.is_visible():
        for group in page.get_by_role("radiogroup").all():
            group.get_by_role("radio").nth(1).check()
        for button in page.locator(SPIN).all():
            button.click()
        title = page.title()
        on.click()
        until(page, f"document.title !== {json.dumps(title)}")
        expect(code.or_(on).first).to_be_visible()


def answer_first_by_keys(page: Page) -> None:
    """Give the first answer to everything by Tab, Space and Enter alone, and send it."""
    pressed = ""
    while pressed != "Send":
        title, pressed = page.title(), answer_up_to_a_button(page)
        page.keyboard.press("Enter")
        if pressed == "Spin":
            expect(page.locator(SPIN)).to_have_count(0)
        else:
            until(page, f"document.title !== {json.dumps(title)}")


def answer_up_to_a_button(page: Page) -> str:
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate(OPEN):
            page.keyboard.press("Space")
        name: str = page.evaluate(FOCUSED)
        if name in ("Spin", "Next", "Send"):
            return name
    raise AssertionError("no button is reached by Tab")


def answer_on_a_phone(context: BrowserContext, link: str) -> None:
    page = arrive(context.new_page(), link)
    to_questions(page)
    answer_second(page)


def answer_by_keys(context: BrowserContext, link: str) -> None:
    """Two questions are not for this person, whose browser waits before it sends."""
    page = context.new_page()
    page.clock.install()
    arrive(page, link)
    press_by_key(page, "I agree")
    press_by_key(page, "Start")
    answer_first_by_keys(page)
    expect(page.get_by_text("The wait hides how many questions were for you")).to_be_visible()
    page.clock.run_for(91_000)
    receipt(page)


def answer_in_hebrew(context: BrowserContext, link: str) -> None:
    page = arrive(context.new_page(), link)
    change(page, HEBREW)
    assert page.evaluate("document.documentElement.dir") == "rtl"
    to_questions_in_any_language(page)
    expect(page.locator(".question__text:visible").first).to_contain_text(HEBREW)
    answer_second(page)


def to_questions_in_any_language(page: Page) -> None:
    page.locator("#start").click()
    page.locator(MOVES_ON).last.click()


def to_form(context: BrowserContext, link: str) -> Page:
    """The form for those whose browser runs no scripts, and who have a device of their own."""
    page = context.new_page()
    page.goto(link)
    page.get_by_role("link", name="Answer with a device of your own").click()
    expect(page.get_by_role("heading", name="Chance in your own hands")).to_be_visible()
    expect(page.get_by_text("Not for everybody")).to_have_count(3)
    return page


def fill_form(page: Page, place: int) -> None:
    """Give the answer at this place, or the letter, to every question."""
    for group in page.locator("form.physical fieldset").all():
        group.get_by_role("radio").nth(place).check()


def answer_without_scripts(context: BrowserContext, link: str) -> None:
    page = to_form(context, link)
    letters = page.locator("[name=report-driven]").all()
    assert [each.get_attribute("value") for each in letters] == [*"ABCD"]
    fill_form(page, 1)
    page.get_by_role("button", name="Send").click()
    receipt(page)


def answer_without_scripts_in_hebrew(context: BrowserContext, link: str) -> None:
    """First something that is not for this person, which is refused and put right."""
    page = to_form(context, link)
    page.get_by_role("button", name=HEBREW).click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    fill_form(page, 0)
    page.locator("form.physical button").click()
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_count(1)
    expect(page.locator("#report-nights-error")).to_contain_text(HEBREW)
    page.locator("[name=report-nights]").last.check()
    page.locator("form.physical button").click()
    expect(page.locator(".receipt__code")).to_be_visible()


# --- the reader -----------------------------------------------------------------------------------


def download_all(page: Page, slug: str, folder: Path) -> None:
    """Save what the page of results offers, under the names that a browser gives it."""
    start = page.url.partition("/admin/")[0]
    addresses = [reverse(f"{name}-csv", args=[slug]) for name in TABLES]
    addresses += [reverse(name, args=[slug]) for name in ("results-parameters", "results-json")]
    for address in addresses:
        answer = page.request.get(start + address)
        if answer.status == 404:
            continue
        (name,) = re.findall(r'filename="(.+)"', answer.headers["content-disposition"])
        folder.joinpath(name).write_bytes(answer.body())
    for ending in PROGRAMS:
        program = page.request.get(f"{start}/static/programs/recompute.{ending}")
        folder.joinpath(f"recompute.{ending}").write_bytes(program.body())


def assert_counted(content: dict[str, Any], people: list[dict[str, Any]]) -> None:
    """What is sent as it is was counted as it was said, of those whom it was for."""
    counted = {
        each["id"]: [category["reported"] for category in each["categories"]]
        for each in content["questions"]
    }
    for name in ("age", "work", "nights", "view0", "view1", "view2"):
        said = [given[name] for given in people if name in given]
        assert counted[name] == [said.count(place) for place in range(len(counted[name]))], name


def assert_letters_counted(content: dict[str, Any]) -> None:
    """Those whose browser runs no scripts, each with a letter for every scrambled question."""
    devices = [device for question in content["questions"] for device in question["devices"]]
    by_letter = [device for device in devices if device["stratum"] == "physical"]
    assert len(by_letter) == 3 + len(ITEMS)
    assert {sum(device["counts"]) for device in by_letter} == {2}


def assert_the_same_everywhere(page: Page, slug: str, folder: Path) -> dict[str, Any]:
    """Both programs compute the files again, and the page shows what is in them."""
    download_all(page, slug, folder)
    for ending in PROGRAMS:
        assert_all_the_same(folder, ending, recompute(folder, ending))
    (results,) = folder.glob("*results*.json")
    content: dict[str, Any] = json.loads(results.read_text(encoding="utf-8"))
    known = quantities(content)
    (estimates,) = folder.glob("*-estimates.csv")
    text = estimates.read_text(encoding="utf-8")
    assert problems_of_file(text, known) == []
    assert text.count(",asked,") >= 2
    start = page.url.partition("/admin/")[0]
    html = page.request.get(start + reverse("results", args=[slug])).text()
    assert all_problems(in_page(html, known), known) == []
    return content


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_a_study_from_its_author_to_its_readers(
    stack: Stack, new_context: Any, firefox: Browser, tmp_path: Path
) -> None:
    author = new_context().new_page()
    link = compose_and_launch(author, stack)
    slug = slug_of(link)

    people = answer_by_http(stack, slug)
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    still = {"reduced_motion": "reduce"}
    answer_on_a_phone(new_context(**phone, **still), link)
    answer_by_keys(new_context(**still), link)
    with Contexts(firefox).borrowing() as new_in_firefox:
        answer_in_hebrew(new_in_firefox(**still), link)
    answer_without_scripts(new_context(java_script_enabled=False, **phone), link)
    answer_without_scripts_in_hebrew(new_context(java_script_enabled=False), link)
    second = {name: 1 for name in people[0] if name != "nights"} | {"nights": 1}
    first = dict.fromkeys(second.keys() - {"nights"}, 0)
    people += [second, second, first, second, first]

    wait_for(lambda: stack.in_results(slug) == BY_HTTP + IN_BROWSERS)
    content = assert_the_same_everywhere(author, slug, tmp_path)
    assert_counted(content, people)
    assert_letters_counted(content)
