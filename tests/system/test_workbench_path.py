"""From an author's guess to a searched device in the field: search, adopt, launch, answer in a
browser, and the estimate with its certificate on the results page.
"""

import time
from typing import Any

import pytest
from candor import respondent
from playwright.sync_api import Page, expect

from tests.browser.author import all_options, open_question, save
from tests.browser.respondent import arrive, choose, draw_card, press, spin
from tests.browser.support import open_details
from tests.system.author import add_question, begin_draft, launch, sign_in, slug_of
from tests.system.stack import Stack

pytestmark = [pytest.mark.system, pytest.mark.browser]

OPTIONS = ("Never", "Once", "A few times", "Often", "Every week")
GUESS = ("40", "25", "20", "10", "5")
RESPONSES = 40


def compose(page: Page, stack: Stack) -> None:
    """Two questions of five answers; the second one is asked with cards."""
    begin_draft(page, stack, "Taken home", release_threshold="2", results_public=True)
    asked = {"options": "\n".join(OPTIONS), "epsilon": "1"}
    for text in ("How often for yourself?", "How often for others?"):
        form = add_question(page, text, "Single choice", **asked, prefer_not=False)
    form.locator("[name=design][value=cards]").check()
    save(page)


def search_and_adopt(page: Page) -> None:
    """On the first question; the page that was opened by the search shows how it goes on."""
    all_options(open_question(page, 1)).get_by_role(
        "link", name="Search for a better device"
    ).click()
    for label, share in zip(OPTIONS, GUESS, strict=True):
        page.get_by_label(label, exact=True).fill(share)
    page.get_by_role("checkbox", name="OptRR").check()
    page.get_by_text("Advanced: generations, levels, seed").click()
    page.get_by_label("Generations of OptRR").fill("100")
    page.get_by_label("Levels of privacy").fill("8")
    page.get_by_role("button", name="Search", exact=True).click()
    texts, deadline = set(), time.monotonic() + 120
    while "Done." not in (text := page.locator("[data-live=status]").inner_text()):
        for value in page.locator("#progress").evaluate_all("all => all.map((one) => one.value)"):
            texts.add(value)
        assert time.monotonic() < deadline, text
        page.wait_for_timeout(200)
    assert len(texts) >= 2, "the progress moved before everybody's eyes"
    expect(page.locator("#plot .legend")).to_contain_text("OptRR as published")
    page.get_by_role("link", name="Adopt for this question").click()
    page.get_by_role("button", name="Adopt", exact=True).click()
    expect(page.locator(".messagelist .success")).to_contain_text("Searched for this question")


def take_part(page: Page, link: str) -> None:
    arrive(page, link)
    press(page, "I agree")
    press(page, "Start")
    choose(page, "Never")
    spin(page)
    press(page, "Next")
    choose(page, "Once")
    draw_card(page)
    press(page, "Send")
    expect(page.locator(".receipt__code")).to_be_visible()


# The browser's tests of searches run on SQLite.
@pytest.mark.parametrize("stack", ["postgresql"], indirect=True)
def test_a_searched_device_from_the_guess_to_the_estimate(stack: Stack, new_context: Any) -> None:
    author = new_context().new_page()
    sign_in(author, stack, "wanda")
    compose(author, stack)
    search_and_adopt(author)
    author.get_by_role("link", name="Taken home").first.click()
    link = launch(author)
    slug = slug_of(link)
    document = respondent.check(respondent.fetch(stack.url, slug).body)
    first, second = document["devices"]
    assert (first["family"], second["family"]) == ("searched", "cards")
    assert first["search"]["prior"] == ["0.4", "0.25", "0.2", "0.1", "0.05"]

    take_part(new_context(reduced_motion="reduce").new_page(), link)
    for number in range(RESPONSES - 1):
        answers = {"q1": number % 5, "q2": number * 3 % 5}
        reply = respondent.send(stack.url, slug, respondent.respond(document, answers))
        assert reply.status in (200, 201)

    results = new_context().new_page()
    results.goto(link + "results/")
    expect(results.locator("#results-summary")).to_contain_text(str(RESPONSES))
    # How far the searched device is from the best, with its proof; and what is known of cards.
    sentences = results.locator(".certificate")
    expect(sentences).to_have_count(2)
    open_details(results)
    expect(sentences.first.get_by_role("link", name="The proof")).to_be_visible()
    numbers = stack.get_json(f"/s/{slug}/results/results.json")
    for question in numbers["questions"]:
        assert sum(row["estimate"] for row in question["categories"]) == pytest.approx(1)
