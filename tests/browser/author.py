"""An author at the admin, as the browser tests need one."""

import re
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

from surveys.models import Survey
from tests.builders import owner

# Leaves the field that is being typed into, and lets its page begin to save.
LEFT = """() => {
  document.activeElement?.blur();
  return new Promise((done) => setTimeout(done));
}"""
# Nothing is being saved, in whatever language it is said.
SAVED = "[data-save-state]:is(:not([data-state]), [data-state=saved], [data-state=unfinished])"
# What Chromium says, without a reason, of a file with a hash that was on its way when its frame was
# replaced, as the preview is at each change. If something else broke it off, the reason follows.
REPLACED = re.compile(r"Fetch API cannot load \S+\. ")
CLOSED_OPTIONS = "[data-more]:not([open]), [data-option]:not([open])"
OPEN_ALL = (
    f"(form) => form.querySelectorAll('{CLOSED_OPTIONS}').forEach((one) => (one.open = true))"
)


def sign_in(context: BrowserContext, live_server: Any, user: User | None = None) -> Page:
    """A page of somebody who is signed in."""
    client = Client()
    client.force_login(user or owner())
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    return context.new_page()


def troubles(page: Page) -> list[str]:
    """Return a list that fills with the console's errors and what the site's policy blocked."""
    heard: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not REPLACED.fullmatch(message.text):
            heard.append(message.text)

    page.on("console", listen)
    return heard


def go_to(page: Page, url: str) -> None:
    """Open a page, and wait for every number that it fetches and every figure that it draws."""
    page.goto(url)
    expect(page.locator(".line__facts").get_by_text("…", exact=True)).to_have_count(0)
    for plot in page.locator("[data-mechanism]").all():
        expect(plot.locator(".main-svg").first).to_be_visible()
    if page.locator("#results").count():
        expect(page.locator("#results[data-drawn]")).to_be_attached()


def save_state(page: Page) -> Locator:
    """What a draft says of whether it is saved."""
    return page.locator("[data-save-state]")


def save(page: Page) -> None:
    """Leave the field, and wait until the draft has saved itself, right or not."""
    page.evaluate(LEFT)
    expect(page.locator(SAVED)).to_be_attached()


def more(page: Page) -> None:
    """Open what the ribbon has under “More”."""
    page.locator(".ribbon__more > summary").click()


def step(page: Page, name: str) -> None:
    """Go to a step of the draft by its link, once it is there."""
    page.get_by_role("navigation", name="Steps to a launched survey").get_by_role(
        "link", name=name
    ).click()
    expect(page.locator(".steps [aria-current=step]")).to_contain_text(name)


def settings_of(live_server: Any, survey: Survey) -> str:
    return live_server.url + reverse("admin:survey_settings", args=[survey.pk])


def line(page: Page, number: int) -> Locator:
    return page.locator("[data-lines] > [data-question]").nth(number - 1)


def press(place: Locator) -> None:
    """Press a link or a button: a click can miss what moves while the page's figures come in."""
    place.press("Enter")


def open_question(page: Page, number: int) -> Locator:
    """Open a question as its author does; return its form."""
    press(line(page, number).locator("[data-open]"))
    return opened(page, number)


def opened(page: Page, number: int) -> Locator:
    """The form of a question, once it is open."""
    expect(line(page, number).locator("[data-open]")).to_have_attribute("aria-expanded", "true")
    form = line(page, number).locator("form[data-question-form]")
    expect(form).to_be_visible()
    return form


def add_question(page: Page, kind: str = "Yes or no") -> Locator:
    """Add a question at the end of the list; return its form, which opens."""
    before = page.locator("[data-lines] > [data-question]").count()
    press(page.get_by_role("button", name=kind, exact=True))
    return opened(page, before + 1)


def put(page: Page, number: int, way: str) -> None:
    """Press what a line has under its “More”: Move up, Move down, Duplicate or Remove."""
    place = line(page, number)
    press(place.get_by_label(f"More for question {number}"))
    press(place.get_by_role("button", name=way, exact=True))


def all_options(form: Locator) -> Locator:
    """Open everything that a question can have."""
    form.evaluate(OPEN_ALL)
    return form


def option(form: Locator, label: str) -> Locator:
    """Open what a question can have by what it is for, as its author does; return its part."""
    folded = form.locator("[data-option]", has=form.page.locator(f"summary:text-is('{label}')"))
    is_kept_apart = folded.locator("xpath=ancestor::*[@data-more]").count()
    if is_kept_apart and not folded.is_visible():
        press(form.locator("[data-more] > summary"))
    if not folded.evaluate("(one) => one.open"):
        press(folded.locator("> summary"))
    return folded


def field(place: Locator, name: str) -> Locator:
    return place.locator(f"[name='{name}']")


def figure(place: Locator, name: str) -> Locator:
    """One of all figures of a question, also where they are folded."""
    return place.locator(f"[data-figure={name}]")
