"""An author who signs in at a running stack, writes a draft in a browser and launches it."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.author import add_question as add_to_draft
from tests.browser.author import all_options, field, save, step
from tests.system.stack import Stack


def sign_in(page: Page, stack: Stack, name: str) -> None:
    page.goto(stack.url + "/admin/")
    give_name_and_password(page, stack, name)


def give_name_and_password(page: Page, stack: Stack, name: str) -> None:
    """Answer the page that asks who is there as a new author."""
    account = stack.ledger("author", name)
    page.locator("[name=username]").fill(account["name"])
    page.locator("[name=password]").fill(account["password"])
    with page.expect_navigation():
        page.locator("main form [type=submit]").first.click()


def begin_draft(page: Page, stack: Stack, title: str, **settings: str | bool) -> None:
    """Open a new draft whose results show each response; settings by the names of their fields.

    Ends at the list of its questions.
    """
    page.goto(stack.url + "/admin/surveys/survey/start/")
    page.get_by_role("button", name="Blank survey").click()
    page.locator("#id_title").fill(title)
    step(page, "Settings")
    always = {
        "consent": "Taking part is voluntary.",
        "contact": "survey@example.org",
        "release_batch": "1",
    }
    for unused in page.locator(".settings__more > summary").all():
        unused.click()
    for name, value in (always | settings).items():
        enter(page.locator(f"#id_{name}"), value)
    step(page, "Questions")


def add_question(page: Page, text: str, kind: str = "Yes or no", **values: str | bool) -> Locator:
    """Add a question with values by the names of its fields; return its form, saved."""
    place = all_options(add_to_draft(page, kind))
    for name, value in {"text": text, **values}.items():
        enter(field(place, name), value)
    save(page)
    return place


def enter(place: Locator, value: str | bool) -> None:
    """Tick, choose or type, whatever the field is for."""
    if isinstance(value, bool):
        # A key, because a click can miss what the page moves while its figures come in.
        if place.is_checked() != value:
            place.press("Space")
        expect(place).to_be_checked(checked=value)
    elif place.evaluate("field => field.tagName") == "SELECT":
        place.select_option(value)
    else:
        place.fill(value)


def launch(page: Page) -> str:
    """Launch the draft; return the respondents' link."""
    step(page, "Check and launch")
    assert page.locator(".finding--blocks").all_inner_texts() == []
    page.get_by_role("button", name="Launch and freeze").click()
    return page.get_by_label("Respondents' link").input_value()


def slug_of(link: str) -> str:
    """The name of the survey in the address of its respondents."""
    return link.rstrip("/").rsplit("/", 1)[1]
