import pytest
from django.urls import reverse
from tests.browser.author import sign_in, troubles
from tests.builders import make_survey
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

def test_shot(live_server, new_context):
    survey = make_survey(questions=[{"text": f"Have you ever done a thing number {n}?"} for n in range(5)]+[{"text":"How often?","kind":"single_choice","options":["Never","Once","Often"]},{"text":"Age","randomized":False,"epsilon":None}])
    page = sign_in(new_context(), live_server)
    heard = troubles(page)
    page.set_viewport_size({"width":1280,"height":900})
    r = page.goto(live_server.url + reverse("admin:surveys_survey_change", args=[survey.pk]))
    print(r.status)
    if r.status != 200:
        print(page.inner_text("body")[:6000])
    page.wait_for_timeout(800)
    print("closed", page.evaluate("document.documentElement.scrollHeight"))
    page.screenshot(path="/tmp/shot/closed.png", full_page=True)
    page.locator("[data-open]").nth(5).click()
    page.wait_for_timeout(2500)
    print("open", page.evaluate("document.documentElement.scrollHeight"))
    page.screenshot(path="/tmp/shot/open.png", full_page=True)
    page.locator("[name=text]").fill("Changed text?")
    page.wait_for_timeout(2500)
    print(page.locator("[data-save-state]").inner_text())
    page.goto(live_server.url + reverse("admin:survey_settings", args=[survey.pk]))
    page.screenshot(path="/tmp/shot/settings.png", full_page=True)
    page.goto(live_server.url + reverse("admin:survey_add_feature", args=[survey.pk]))
    page.screenshot(path="/tmp/shot/add.png", full_page=True)
    page.set_viewport_size({"width":360,"height":740})
    page.goto(live_server.url + reverse("admin:surveys_survey_change", args=[survey.pk]))
    page.wait_for_timeout(800)
    page.screenshot(path="/tmp/shot/closed360.png", full_page=True)
    page.locator("[data-open]").nth(5).click()
    page.wait_for_timeout(1500)
    page.screenshot(path="/tmp/shot/open360.png", full_page=True)
    print(heard)
    assert 0
