"""German in a real browser: no English on any screen, German numbers, and no word that runs out."""

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Survey
from tests.app.author_posts import page as address_of
from tests.browser.author import add_question, all_options, field, go_to, save
from tests.browser.axe import WIDER
from tests.browser.respondent import address, unfold_sent
from tests.browser.respondent import press as press_exact
from tests.browser.support import in_sizes
from tests.builders import launched, make_user
from tests.german import SURVEY, english_in
from tests.released import released

pytestmark = pytest.mark.browser

SIZES = ((360, 800), (1280, 800))
# Nodes that reach past the right edge of the page, or are wider than the box that holds them.
RUNS_OUT = """() => {
  const edge = document.documentElement.clientWidth;
  const scrolls = ".table-wrap, pre, svg, .visually-hidden";
  const wide = (node) => {
    const { width, right } = node.getBoundingClientRect();
    return width > 0 && right > edge + 1 && !node.closest(scrolls);
  };
  const leaves = [...document.querySelectorAll("body *")].filter((node) => !node.children.length);
  return leaves.filter(wide).map((node) => node.textContent.trim()).filter(Boolean);
}"""
LONG_WORDS = {
    "text": "Haben Sie Verschreibungspflichtiges genommen, um den Arbeitstag durchzuhalten?",
    "kind": "single_choice",
    "options": ["Nichts", "Verschreibungspflichtige Aufputschmittel", "Möchte ich nicht sagen"],
    "epsilon": "0.9",
}


def german_page(new_context) -> Page:
    return new_context(locale="de-DE").new_page()


def read(page: Page) -> str:
    """Return what is on the screen now, checked in each size for English and for words that run
    out of it.
    """
    for size in in_sizes(page, SIZES):
        text = assert_german(page, size)
    return text


def assert_german(page: Page, size: tuple[int, int]) -> str:
    text = page.locator("body").inner_text()
    assert english_in(text) == [], size
    assert page.evaluate(RUNS_OUT) == [], size
    return text


def press(page: Page, *names: str) -> None:
    for name in names:
        press_exact(page, name)
        read(page)


def test_a_respondent_reads_german_from_start_to_receipt(live_server, new_context):
    questions = [*SURVEY["questions"], LONG_WORDS]
    launch = launched(**{**SURVEY, "questions": questions, "slug": "arbeit"})
    page = german_page(new_context)
    page.goto(address(live_server, launch))
    page.locator("details.more summary").click()
    expect(page.get_by_text("Die verwürfelten Fragen verbrauchen 3,5")).to_be_visible()
    press(page, "Ich stimme zu")
    page.locator(".practice input").first.check()
    press(page, "Drehen")
    press(page, "Beginnen")
    while page.get_by_role("heading", name="Haben Sie gefehlt?").count() == 0:
        title = page.title()
        press(page, "Weiter")
        expect(page).not_to_have_title(title)
    for number in range(1, len(questions) + 1):
        read_question(page, last=number == len(questions))
    expect(
        page.get_by_role("heading", name="Danke. Ihre Teilnahme ist gespeichert.")
    ).to_be_visible()
    assert "3 verwürfelte Antworten" in read(page)
    unfold_sent(page)
    assert "Verwürfelt: " in read(page)
    page.reload()
    expect(page.get_by_role("heading", name="Sie haben diese Umfrage beantwortet")).to_be_visible()
    read(page)


def read_question(page: Page, *, last: bool) -> None:
    go_on = "Senden" if last else "Weiter"
    required = page.get_by_text("Sie können diese Frage auslassen").count() == 0
    if required:
        press(page, go_on)
        expect(page.get_by_text("Wählen Sie eine Antwort")).to_be_visible()
    page.locator(".question input").nth(1).check()
    read(page)
    if page.get_by_role("button", name="Drehen").is_visible():
        press(page, "Drehen")
        expect(page.get_by_text("Diese Seite enthält Ihre wahre Antwort nicht")).to_be_visible()
    press(page, go_on)


def test_results_are_german_with_decimal_commas_in_the_figures(live_server, new_context):
    rows = [{"q1": n % 3, "q2": n * 7 % 3, "q3": n % 2} for n in range(400)]
    launch = released(rows, **SURVEY, results_public=True)
    page = german_page(new_context)
    for size in in_sizes(page, SIZES):
        page.goto(f"{live_server.url}/s/{launch.survey.slug}/results/")
        drawn = page.locator("#figure-q3 .estimate")
        expect(drawn.filter(has_text="50,0\u00a0%").first).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
        assert_german(page, size)


def test_authors_read_german_while_they_write(live_server, new_context, client):
    client.force_login(make_user("chefin", superuser=True))
    page = german_page(new_context)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    go_to(page, f"{live_server.url}/admin/surveys/survey/start/")
    page.get_by_role("button", name="Leere Umfrage").click()
    form = add_question(page, "Ja oder Nein")
    field(form, "text").fill("Haben Sie gefehlt?")
    expect(page.get_by_text("1 von 5 verbraucht, 4 übrig.")).to_be_visible()
    field(form, "epsilon").fill("0.5")
    expect(page.get_by_text("0,5 von 5 verbraucht, 4,5 übrig.")).to_be_visible()
    field(form, "text").fill("")
    all_options(form)
    save(page)
    read_alone(page)
    survey = Survey.objects.get()
    assert survey.language == "de"
    for name in ("settings", "add_feature", "tables", "groups", "launch"):
        go_to(page, live_server.url + address_of(survey, name))
        read_alone(page)


def read_alone(page: Page) -> None:
    """A page of an author, whose folded menu lies outside of what is seen."""
    for size in in_sizes(page, SIZES):
        assert english_in(page.locator("body").inner_text()) == [], size
        assert page.evaluate(WIDER) <= 0, size
