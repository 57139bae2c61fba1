"""A pilot's page of clusters: read, recalculated by keyboard and by mouse, without JavaScript."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.app.pilots import answered, main_surveys, pilot_launch, planted_run
from tests.browser.author import sign_in, troubles
from tests.browser.axe import assert_well_in_sizes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def survey():
    launch = answered(pilot_launch(release_threshold=5, planned_n=300), 600)
    planted_run(launch)
    return launch.survey


@pytest.fixture
def open_page(live_server, new_context, survey):
    def opened(**options):
        page = sign_in(new_context(**options), live_server)
        heard = troubles(page)
        page.goto(live_server.url + reverse("admin:survey_clusters", args=[survey.pk]))
        return page, heard

    return opened


def chosen(page):
    return [page.locator(f"#id_cluster-q{number}").input_value() for number in range(1, 6)]


def test_a_question_is_put_into_another_cluster_and_then_the_main_survey_made(open_page, survey):
    page, heard = open_page()
    expect(page.locator(".cluster")).to_have_count(2)
    expect(page.get_by_role("img", name="Questions, joined by how strongly")).to_be_visible()
    # Before axe, which the site's policy complains of.
    assert heard == []
    assert_well_in_sizes(page, "clusters", [(360, 900), (1280, 900)])
    drag(page)
    by_keyboard(page)
    page.get_by_role("button", name="Make the main survey").click()
    expect(page.locator(".messagelist .success")).to_contain_text("This is the main survey")
    made = main_surveys(survey).get()
    groups = dict(made.questions.values_list("name", "group"))
    assert groups == {"q1": 1, "q3": 1, "q2": 2, "q4": 2, "q5": 2, "where": None}
    expect(page.locator(".ribbon")).to_contain_text("Main survey of the pilot")


def drag(page):
    assert chosen(page) == ["1", "2", "1", "2", "1"]
    box = page.locator(".board__box[data-cluster='1']")
    page.locator(".board__question", has_text="q2").drag_to(box)
    assert chosen(page) == ["1", "1", "1", "2", "1"]
    expect(box.locator(".board__question")).to_have_count(4)
    expect(page.locator("#announcement")).to_contain_text("q2 is now in Cluster 1")
    with page.expect_navigation():
        page.get_by_role("button", name="Recalculate").click()
    expect(page.locator(".cluster").first).to_contain_text("24")
    assert chosen(page) == ["1", "1", "1", "2", "1"]


def by_keyboard(page):
    # As they were proposed.
    page.goto(page.url.partition("#")[0])
    select = page.locator("#id_cluster-q5")
    select.focus()
    page.keyboard.press("ArrowDown")
    assert chosen(page)[4] == "2"
    page.locator("#id_total").fill("5")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator(".cluster").nth(1)).to_contain_text("q2, q4, q5")


def test_without_javascript(open_page):
    page, _heard = open_page(java_script_enabled=False)
    expect(page.locator(".board")).to_have_count(0)
    page.locator("#id_cluster-q1").select_option("2")
    # A form that is sent loads the page anew: what is filled in before it is there is lost.
    with page.expect_navigation():
        page.get_by_role("button", name="Recalculate").click()
    assert chosen(page) == ["2", "2", "1", "2", "1"]
    page.locator("#id_k").fill("5")
    with page.expect_navigation():
        page.get_by_role("button", name="Propose").click()
    expect(page.locator(".cluster")).to_have_count(5)
