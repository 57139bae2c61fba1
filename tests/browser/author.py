"""An author at the admin, as the browser tests need one."""

from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

from tests.builders import owner

# The sign that stands where a number has been asked for.
NOT_YET = "–"


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
        if message.type in ("error", "warning"):
            heard.append(message.text)

    page.on("console", listen)
    return heard


def go_to(page: Page, url: str) -> None:
    """Open a page, and wait for every number that it fetches and every figure that it draws."""
    page.goto(url)
    for number in page.locator(
        "[data-budget-text], [data-question] [data-figure=retained]:visible"
    ).all():
        expect(number).not_to_have_text(NOT_YET)
    for plot in page.locator("[data-mechanism]").all():
        expect(plot.locator(".main-svg").first).to_be_visible()
    if page.locator("#results").count():
        expect(page.locator("#results[data-drawn]")).to_be_attached()


def save(page: Page) -> None:
    """Save the draft, and wait until the page that follows has run its scripts."""
    # By its key, because a click can miss what the page moves while its figures come in.
    page.get_by_role("button", name="Save and continue editing").press("Enter")
    expect(page.locator(".messagelist .success")).to_be_visible()
    page.wait_for_load_state()


def more(page: Page) -> None:
    """Open what the ribbon has under “More”."""
    page.locator(".ribbon__more > summary").click()


def card(page: Page, number: int) -> Locator:
    return page.locator("[data-question]").nth(number - 1)


def field(place: Locator, name: str) -> Locator:
    return place.locator(f"[name$='-{name}']")


def figure(place: Locator, name: str) -> Locator:
    return place.locator(f"[data-figure={name}]")
