"""The results of a tier in a real browser: what the page asks for by itself stays at its tier."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.services.results import refresh_results
from tests.browser.axe import assert_well, loaded_in_looks
from tests.builders import PASSWORD, make_user
from tests.tiers import address, filled, read_by, simulate

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def open_as(new_context, live_server):
    """Sign somebody in and open an address with its figures."""

    def opener(user, target, **options):
        page = new_context(**options).new_page()
        page.goto(f"{live_server.url}{reverse('login')}?next={target.replace('?', '%3F')}")
        page.fill("#id_username", user.username)
        page.fill("#id_password", PASSWORD)
        page.click("main button[type=submit]")
        return wait_for_figures(page)

    return opener


def wait_for_figures(page):
    page.wait_for_selector("#results[data-drawn]")
    return page


def heading(page, words):
    return expect(page.get_by_role("heading", name=words))


def test_the_author_s_page_of_a_tier_is_well_and_brings_itself_up_to_date_at_its_tier(open_as):
    launch = filled(60)
    page = open_as(launch.survey.owner, address(launch, "results", 2))
    for state, rules in loaded_in_looks(page, page.url):
        wait_for_figures(page)
        heading(page, "Tier 2 of 3: Partners").to_be_visible()
        assert_well(page, state, rules=rules)
    shown = page.locator("#results-summary")
    expect(shown).to_contain_text("60 responses in the results")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    simulate(launch, 20, seed=9)
    refresh_results(launch_id=launch.pk)
    expect(shown).to_contain_text("80 responses in the results")
    heading(page, "Tier 2 of 3: Partners").to_be_visible()
    by_itself = [url for url in asked if "/results/" in url]
    assert len(by_itself) >= 2
    assert all(url.endswith("?tier=2") for url in by_itself), by_itself

    second = page.locator(".figure__rows").first.inner_text()
    page.get_by_role("navigation", name="As the author").get_by_role("link").last.click()
    heading(page, "Tier 3 of 3: Our own team").to_be_visible()
    wait_for_figures(page)
    assert page.locator(".figure__rows").first.inner_text() != second


def test_a_reader_who_is_given_a_higher_tier_never_sees_its_numbers_as_those_of_the_lower(open_as):
    launch = filled(60)
    reader = make_user("reader")
    read_by(launch, reader, 1)
    page = open_as(reader, address(launch, "results"))
    heading(page, "Tier 1 of 3: The public").to_be_visible()
    assert page.get_by_role("navigation", name="As the author").count() == 0
    read_by(launch, reader, 2)
    heading(page, "Tier 2 of 3: Partners").to_be_visible()
    wait_for_figures(page)
    assert page.locator("#results").get_attribute("data-source").endswith(launch.digest_at(1))
