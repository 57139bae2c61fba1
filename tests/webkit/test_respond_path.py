"""The whole path of a respondent in WebKitGTK, the relative of Safari, for every mode."""

from pathlib import Path
from typing import Any

import pytest

from surveys.features.return_codes.assignment import chain_of
from surveys.models import Submission
from tests.browser.comer import CODE, KEPT
from tests.browser.every_kind import EVERY_KIND, letters_in, letters_of, survey_of_every_kind
from tests.browser.respondent import address, stored, survey
from tests.browser.support import serving
from tests.browser.test_physical_form import COINS
from tests.browser.test_respond_roster import BITS, network, personal
from tests.browser.test_respond_shared import NEXT, shared
from tests.system.stack import wait_for
from tests.waves import coded_launch, next_wave
from tests.webkit.driver import Tab

pytestmark = pytest.mark.browser

TOLD = '//*[@data-state="drawn"]//*[contains(@class, "result__code")]'
RECEIPT = '//*[contains(@class, "receipt__code")]'
RETURN_CODE = '//*[contains(@class, "return-code")]'


def practise(tab: Tab) -> None:
    tab.press("I agree")
    tab.choose("Yes")
    tab.press("Spin")
    tab.press("Start")


def draw(tab: Tab, button: str = "Spin") -> str:
    tab.press(button)
    return tab.text(TOLD)


def heading(tab: Tab, words: str) -> str:
    return tab.text(f'//*[self::h1 or self::h2][contains(., "{words}")]')


def test_an_open_link(live_server: Any, tab: Tab) -> None:
    launch = survey_of_every_kind()
    tab.go(address(live_server, launch))
    practise(tab)
    shown: list[str] = []
    for number, asked in enumerate(EVERY_KIND, 1):
        assert heading(tab, asked.question["text"])
        if isinstance(asked.given, str):
            tab.write(asked.given)
        else:
            for label in asked.given:
                ranked = asked.question.get("kind") == "ranked_items"
                (tab.press if ranked else tab.choose)(label)
        if asked.is_drawn:
            shown += letters_in(draw(tab, asked.button))
        tab.press("Next" if number < len(EVERY_KIND) else "Send")
    code = tab.text(RECEIPT)
    assert letters_of(launch, Submission.objects.get().content["reports"]) == shown
    tab.reload()
    assert heading(tab, "You have answered this survey")
    assert tab.text(RECEIPT) == code
    assert stored() == 1


def test_a_return_code_and_the_wave_after_it(live_server: Any, tab: Tab) -> None:
    first = coded_launch(questions=[{"name": "drug"}])
    tab.go(address(live_server, first))
    practise(tab)
    tab.choose("Yes")
    before = draw(tab)
    tab.press("Next")
    code = tab.text(RETURN_CODE)
    assert CODE.fullmatch(code)
    tab.choose(KEPT)
    tab.press("Send")
    assert tab.text(RECEIPT)
    assert letters_in(before) == letters_of(first, chain_of(launch_id=first.pk, code=code).reports)
    later = next_wave(first, drug="2")
    tab.run("localStorage.clear()")
    tab.go(address(live_server, later))
    tab.press("I agree")
    tab.write(code)
    tab.press("Continue with my return code")
    tab.unfold("What you sent before")
    tab.choose("Yes")
    now = draw(tab)
    tab.press("Next")
    assert tab.text(RETURN_CODE) == code
    tab.press("Send")
    assert tab.text(RECEIPT)
    chain = chain_of(launch_id=later.pk, code=code)
    assert letters_in(now) == letters_of(later, chain.reports)
    assert [(entry.wave, entry.epsilon) for entry in chain.ledger] == [(1, "1"), (2, "2")]


def test_a_personal_link(live_server: Any, tab: Tab) -> None:
    launch = network()
    link = personal(live_server, launch, "ana-1")
    tab.go(link)
    assert "Ana Alves" in tab.text('//*[@id="person"]')
    practise(tab)
    tab.write("dunn")
    tab.choose("Dee Dunn")
    assert f"of {BITS} names as ticked" in draw(tab, "Scramble")
    tab.press("Send")
    assert tab.text(RECEIPT)
    content = Submission.objects.get().content
    assert content["member"] == "ana-1"
    assert len(content["reports"]["friends"]) == BITS
    # As in another browser, and not to a place of the page that is open.
    tab.go(f"{live_server.url}/check/")
    tab.run("localStorage.clear(); sessionStorage.clear()")
    tab.go(link)
    assert heading(tab, "This link has been used")


def test_a_device_in_the_hand(live_server: Any, tab: Tab) -> None:
    tab.go(address(live_server, survey(questions=[COINS])))
    tab.follow("Rather use a coin or a die of your own?")
    assert heading(tab, "Chance in your own hands")
    tab.choose("B")
    tab.press("Send")
    assert heading(tab, "Thank you. It is stored.")
    assert Submission.objects.get().content["reports"] == {"q1": 1}


def test_in_a_frame_of_a_site_that_the_author_named(
    live_server: Any, tab: Tab, tmp_path: Path
) -> None:
    with serving(tmp_path) as outside:
        url = address(live_server, survey(embed_origins=outside))
        frame = f'<title>x</title><iframe src="{url}" width="400" height="600"></iframe>'
        tmp_path.joinpath("index.html").write_text(frame)
        tab.go(outside)
        tab.enter_frame()
        practise(tab)
        tab.choose("Yes")
        told = draw(tab)
        tab.reload()
        tab.enter_frame()
        assert tab.text(TOLD) == told
        tab.press("Send")
        assert tab.text(RECEIPT)
    assert stored() == 1


def test_a_device_that_others_use_too(live_server: Any, tab: Tab) -> None:
    """WebKit keeps whole pages to go back to, with what was on them."""
    before = f"{live_server.url}/check/"
    tab.go(before)
    tab.go(address(live_server, shared("always")))
    practise(tab)
    tab.choose("Yes")
    draw(tab)
    tab.press("Next")
    tab.choose("None")
    tab.press("Send")
    assert tab.text(RECEIPT)
    tab.press(NEXT)
    assert tab.text('//button[@id="start"]') == "I agree"
    assert tab.run("return localStorage.length + sessionStorage.length") == 0
    tab.back()
    wait_for(lambda: tab.run("return location.href") == before)
    assert stored() == 1


def test_an_error_of_a_page_is_noticed(live_server: Any, tab: Tab) -> None:
    tab.go(f"{live_server.url}/check/")
    tab.run("setTimeout(() => { throw new Error('thrown'); }); Promise.reject('refused');")
    wait_for(lambda: tab.run("return troubles.length === 2"))
    assert sorted(tab.ended()) == ["error: Error: thrown", "rejected: refused"]
    tab.troubles.clear()
