import re, os
import pytest
from decimal import Decimal
from playwright.sync_api import expect
from tests.browser.respondent import *
from tests.waves import CODED, coded_launch, new_code, next_wave, post
from tests.browser.test_respond_brief import ROWS, TIES
from tests.rosters import launched_network, links_of
pytestmark = pytest.mark.browser
OUT="/tmp/h/words_shots"; os.makedirs(OUT,exist_ok=True)
def shot(page,name,sizes=((360,740),(1280,800)),schemes=("light","dark")):
    for w,h in sizes:
        page.set_viewport_size({"width":w,"height":h})
        for s in schemes:
            page.emulate_media(color_scheme=s)
            page.wait_for_timeout(300)
            page.screenshot(path=f"{OUT}/{name}-{w}-{s}.png",full_page=True)
TEXT={"kind":"short_text","design":"rappor","text":"Which drug?","epsilon":Decimal("1")}
NUM={"kind":"number","text":"How many hours?","scale_lower":"0"}
KINDS=[{**SENSITIVE,"epsilon":Decimal("1")},{**CARDS,"epsilon":Decimal("1")},{**SCALE,"epsilon":Decimal("1")},{**EACH,"epsilon":Decimal("1")},TEXT]
@pytest.mark.parametrize("lang",["en","de"])
def test_kinds(live_server,new_context,lang):
    page=new_context(viewport={"width":360,"height":740}).new_page()
    page.goto(address(live_server,survey(questions=KINDS,language=lang,budget=20)))
    b=lambda n: page.locator(f"button:visible:has-text('{n}')").first.click()
    page.locator("#start").wait_for(state="visible")
    sizes=((360,740),(1280,800)) if lang=="en" else ((360,740),)
    sch=("light","dark") if lang=="en" else ("light",)
    shot(page,f"{lang}-welcome",sizes,sch)
    page.locator("#start").click()
    shot(page,f"{lang}-practice0",sizes,sch)
    page.get_by_role("radio").first.check()
    shot(page,f"{lang}-practice1",sizes,("light",))
    page.locator(".button--chance").click(); page.wait_for_timeout(3500)
    shot(page,f"{lang}-practice2",sizes,sch)
    page.locator(".steps .button--primary").click()
    for i in range(5):
        page.wait_for_timeout(200)
        shot(page,f"{lang}-q{i}",((360,740),),("light",) if i else sch)
        page.locator(".meeting details summary").click()
        shot(page,f"{lang}-q{i}-numbers",((360,740),),("light",))
        if i==4: page.locator(".text__field").fill("aspirin")
        elif i==3: page.get_by_role("checkbox").first.check()
        else: page.get_by_role("radio").first.check()
        page.locator(".button--chance").click(); page.wait_for_timeout(2000)
        shot(page,f"{lang}-q{i}-drawn",((360,740),),("light",))
        if i<4: page.locator(".steps .button--primary").click()
