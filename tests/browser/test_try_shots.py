import pytest
from decimal import Decimal
from playwright.sync_api import expect
from tests.browser.respondent import *
from tests.browser.comer import *
from tests.browser.axe import assert_well
from tests.waves import coded_launch, next_wave
pytestmark = pytest.mark.browser
Q = [{**SENSITIVE, "name":"drug","epsilon":"0.5"}, {**EACH, "name":"took","epsilon":"0.9"}, {**CARDS,"name":"first","epsilon":"0.5"}, {"name":"abs","text":"Did you ever stay away from work without being ill?","epsilon":"1"}, {**DIRECT,"name":"days"}]
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", ["en", "de"])
def test_shots(live_server, new_context, width, language):
    if language == "de" : pytest.skip()
    page = new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce").new_page()
    n = [0]
    def shot(name):
        n[0]+=1
        page.screenshot(path=f"/tmp/shots/{width}-{n[0]:02}-{name}.png", full_page=True)
        assert_well(page, name)
    launch = coded_launch(slug="work", questions=Q, budget=Decimal("6"))
    arrive(page, address(live_server, launch))
    shot("welcome1")
    to_questions(page)
    choose(page, "Yes"); spin(page); press(page, "Next")
    tick(page, "Paper"); spin(page); press(page, "Next")
    choose(page, "Cannabis"); draw_card(page); press(page, "Next")
    choose(page, "No"); spin(page); press(page, "Next")
    choose(page, "None"); press(page, "Next")
    code = shown_code(page)
    shot("code")
    press(page, "Send")
    shot("code-unticked")
    keep_and_send(page)
    receipt(page)
    shot("sent1")
    second = next_wave(launch, drug="1", took="1.5", first="1")
    page = new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce").new_page()
    arrive(page, address(live_server, second))
    shot("welcome2")
    press(page, "I agree")
    shot("asking")
    enter(page, code[:-1] + ("0" if code[-1] != "0" else "1"))
    shot("asking-wrong")
    enter(page, code)
    expect(page.get_by_role("heading", name="What you sent before")).to_be_visible()
    shot("before")
    page.get_by_text("The numbers").click()
    page.get_by_text("What it adds up to").click()
    shot("before-open")
    press(page, "Continue")
    choose(page, "Yes"); shot("wheel"); spin(page); shot("drawn"); press(page, "Next")
    tick(page, "Paper"); shot("boxes"); spin(page); shot("boxes-drawn"); press(page, "Next")
    choose(page, "Cannabis"); shot("cards"); draw_card(page); shot("cards-drawn"); press(page, "Next")
    shot("same"); press(page, "Next")
    choose(page, "None"); press(page, "Next")
    shot("code2")
    press(page, "Send")
    receipt(page)
    shot("sent2")
    page = new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce").new_page()
    come_back(page, live_server, second, code)
    shot("answered")
