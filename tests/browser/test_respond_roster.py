"""A roster: names that are ticked, one report for all of them, and links that say whose it is."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from surveys.features.roster.links import revoke
from surveys.features.roster.models import Member
from surveys.models import Launch, Submission
from tests.browser.author import sign_in
from tests.browser.axe import assert_well
from tests.browser.focus import SIZES, press_keys
from tests.browser.respondent import (
    address,
    choose,
    press,
    receipt,
    spin,
    stored,
    to_questions,
    unfold_sent,
)
from tests.browser.support import BOTH_SCHEMES, in_sizes
from tests.browser.test_respond_truth import (
    FIXED_BYTES,
    LATE,
    STORES,
    observe,
    requests_so_far,
    watch,
)
from tests.rosters import RosterRow, launched_network, links_of, network_survey

pytestmark = pytest.mark.browser

ROWS = (
    # No hexadecimal or base64 text has this code by chance.
    RosterRow("ana-1", "Ana Alves", "Early shift"),
    RosterRow("b2", "Bo Berg", "Late shift"),
    RosterRow("c3", "Cem Çelik", "Late shift"),
    RosterRow("d4", "Dee Dunn", "Early shift"),
    RosterRow("e5", "أحمد بن محمد", "Early shift"),
    RosterRow("f6", "Bo Berg", "Early shift"),
    RosterRow("g7", "Cem Celik", "Late shift"),
    RosterRow("h8", "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh", "Late shift"),
    *(RosterRow(f"x{i}", f"Member {i}", "Early shift") for i in range(1, 13)),
)
TIES = {
    "name": "friends",
    "kind": "roster_ties",
    "text": "Which of these do you ask for advice?",
    "design": "tie_bits",
    "epsilon": "2",
}
BITS = len(ROWS) - 1


def network(**values: Any) -> Launch:
    return launched_network(ROWS, **{"slug": "staff", "questions": (TIES,), **values})


def come(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()
    return page


def box(page: Page, name: str | re.Pattern[str]) -> Locator:
    exact = isinstance(name, str)
    return page.locator(".screen > .question").get_by_role("checkbox", name=name, exact=exact)


def act(page: Page) -> Locator:
    return page.get_by_role("button", name="Scramble", exact=True)


def scramble(page: Page) -> None:
    act(page).click()
    expect(page.locator(".question[data-state=drawn]").last).to_be_visible()


def personal(live_server: Any, launch: Launch, code: str) -> str:
    return f"{address(live_server, launch)}#{links_of(launch.survey)[code]}"


PHONE = {"width": 360, "height": 740}


def at_question(live_server: Any, new_context: Any, **values: Any) -> Page:
    launch = network(**values)
    context = new_context(viewport=PHONE)
    page = come(context.new_page(), personal(live_server, launch, "ana-1"))
    to_questions(page)
    return page


def found(page: Page, text: str) -> None:
    page.get_by_label("Find a name").fill(text)


def names_shown(page: Page) -> list[str]:
    # Those that are scrolled away have no inner text.
    return page.locator(".roster__name:not([hidden])").all_text_contents()


def sent() -> dict[str, Any]:
    return Submission.objects.get().content


# --- the walk -----------------------------------------------------------------------------------


def test_all_the_way_on_a_phone(live_server: Any, new_context: Any) -> None:
    context = new_context(viewport=PHONE)
    page = come(context.new_page(), personal(live_server, network(), "ana-1"))
    expect(page.locator("#person")).to_contain_text("This link is for \u2068Ana Alves\u2069.")
    assert_well(page, "welcome", schemes=BOTH_SCHEMES)
    press(page, "I agree")
    # Practice is on a question to be answered with yes or no, as everywhere.
    choose(page, "Yes")
    assert_well(page, "practice")
    spin(page)
    press(page, "Start")
    # Both have a note, of a name that is there twice; the own name is nowhere.
    assert names_shown(page)[0] == "Dee Dunn"
    assert {"Bo Berg (Early shift)", "Bo Berg (Late shift)"} < set(names_shown(page))
    assert not [name for name in names_shown(page) if "Ana" in name]
    box(page, "Dee Dunn").check()
    found(page, "celik")
    assert names_shown(page) == ["Cem Çelik (c3)", "Cem Celik (g7)"]
    said = "2 of 19 names shown. Ticked, but not among them: 1."
    expect(page.locator(".roster__shown")).to_have_text(said)
    box(page, "Cem Celik (g7)").check()
    press(page, "Show only these")
    assert names_shown(page) == ["Dee Dunn", "Cem Celik (g7)"]
    assert_well(page, "ticked", schemes=BOTH_SCHEMES)
    stores = page.evaluate(STORES)
    assert stores["local"] == {}
    assert set(map(type, map(json.loads, stores["session"].values()))) == {dict}
    assert {tuple(field) for field in stores["fields"]} == {("", None)}
    scramble(page)
    assert page.locator(".roster, input").count() == 0
    expect(page.locator(".result__code")).to_contain_text(" of 19 names as ticked")
    assert_well(page, "drawn", schemes=BOTH_SCHEMES)
    press(page, "Send")
    receipt(page)
    unfold_sent(page)
    assert_well(page, "sent", schemes=BOTH_SCHEMES)
    expect(page.locator(".fields")).to_contain_text("19 signs, one for each name")
    assert set(sent()) == {"reports", "strata", "member"}
    assert sent()["member"] == "ana-1"
    report = sent()["reports"]["friends"]
    assert re.fullmatch("[01]{19}", report)
    assert json.loads(page.locator(".fields__value").first.inner_text()) == report


def test_with_the_keyboard_alone(live_server: Any, new_context: Any) -> None:
    page = at_question(live_server, new_context)
    page.keyboard.press("Tab")
    expect(page.get_by_text("The exact numbers")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Find a name")).to_be_focused()
    page.keyboard.type("member")
    page.keyboard.press("Enter")
    expect(box(page, "Member 1")).to_be_focused()
    for key, name in [("ArrowDown", "Member 2"), ("End", "Member 12"), ("PageUp", "Member 2")]:
        page.keyboard.press(key)
        expect(box(page, name)).to_be_focused()
    page.keyboard.press("Space")
    # The list is one stop.
    page.keyboard.press("Tab")
    expect(box(page, "None of them")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator(".roster__count")).to_have_text("None of them: this is an answer.")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".roster__count")).to_have_text("1 name ticked")
    page.keyboard.press("Tab")
    expect(act(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".result")).to_be_focused()


def test_nothing_lies_over_the_name_that_has_the_focus(live_server: Any, new_context: Any) -> None:
    page = at_question(live_server, new_context)
    box(page, "Dee Dunn").check()
    for _size in in_sizes(page, SIZES[:2]):
        page.get_by_label("Find a name").focus()
        press_keys(page, ["ArrowDown"] * (BITS + 1) + ["ArrowUp"] * BITS)
        expect(box(page, "Dee Dunn")).to_be_focused()
        press_keys(page, ["Tab"] * 4)
        expect(act(page)).to_be_focused()


def test_nothing_ticked_is_an_answer_only_on_purpose(
    live_server: Any, new_context_in_each: Any
) -> None:
    page = at_question(live_server, new_context_in_each)
    press(page, "Send")
    expect(page.locator(".field__error")).to_contain_text("or “None of them”, before you go on")
    expect(page.get_by_label("Find a name")).to_be_focused()
    box(page, "Dee Dunn").check()
    box(page, "Dee Dunn").uncheck()
    expect(act(page)).to_be_hidden()
    box(page, "Member 5").check()
    press(page, "Untick all")
    expect(act(page)).to_be_hidden()
    press(page, "Undo")
    expect(box(page, "Member 5")).to_be_checked()
    box(page, "None of them").check()
    expect(box(page, "Member 5")).not_to_be_checked()
    scramble(page)
    press(page, "Send")
    receipt(page)
    assert len(sent()["reports"]["friends"]) == BITS


# --- what leaves the browser, and what stays in it ----------------------------------------------


def tick_two(page: Page) -> None:
    box(page, "Dee Dunn").check()
    box(page, "Member 9").check()


def none_of_them(page: Page) -> None:
    box(page, "None of them").check()


def search_and_correct(page: Page) -> None:
    """Somebody who searches, ticks, looks, unticks, takes that back, and ticks somebody else."""
    found(page, "member")
    for name in ("Member 1", "Member 12"):
        box(page, name).check()
    press(page, "Show only these")
    box(page, "Member 1").uncheck()
    press(page, "Untick all")
    press(page, "Undo")
    found(page, "berg")
    box(page, "Bo Berg (Late shift)").check()


def acknowledge(route: Route) -> None:
    """As a server does, which stores nothing, so that the same link can be used again."""
    route.fulfill(status=201, json={"receipt": "AAAA-BBBB", "stored": True})


def test_the_record_of_everything_is_the_same_whoever_is_ticked(
    live_server: Any, new_context: Any
) -> None:
    """With fixed bytes every bit is 1 whatever the truth: what then differs would be a trace."""
    launch = network()
    url = personal(live_server, launch, "ana-1")
    link = url.partition("#")[2]
    records = []
    for answer in (tick_two, none_of_them, search_and_correct):
        page, record = watch(new_context, FIXED_BYTES)
        page.route("**/responses/", acknowledge)
        come(page, url)
        to_questions(page)
        page.wait_for_function(LATE)
        loaded = requests_so_far(record)
        answer(page)
        scramble(page)
        drawn = observe(page)
        press(page, "Send")
        receipt(page)
        records.append({"loaded": loaded, "drawn": drawn, "sent": observe(page), **record})
    assert records[1] == records[0]
    assert records[2] == records[0]
    posts = [x for x in [*loaded, *record["requests"]] if x[0] == "POST"]
    assert [json.loads(body) for _, _, body, _ in posts] == [
        {"link": link},
        {
            "digest": launch.digest,
            "submission": "10101010-1010-4010-9010-101010101010",
            "reports": {"friends": "1" * BITS},
            "link": link,
        },
    ]
    assert link not in "".join(x[1] for x in [*loaded, *record["requests"]])
    assert drawn["taken"].count(4) == BITS
    assert drawn["stores"]["fields"] == []
    keys = [key for key in drawn["stores"]["local"] if not key.endswith("probe")]
    # A key of a store names nobody, and the session has the link for a reload only.
    assert [
        re.fullmatch(f"candor:{launch.digest}:[0-9a-f]{{32}}", key) is None for key in keys
    ] == [False]
    assert drawn["stores"]["session"] == {
        f"candor:{launch.digest}:link": json.dumps({"link": link}, separators=(",", ":"))
    }
    for each in records:
        assert link not in json.dumps([each["sent"]["stores"], each["sent"]["taken"]])
        assert "ana-1" not in json.dumps(
            [*each["sent"]["stores"]["local"], each["sent"]["stores"]["session"]]
        )


def test_two_members_on_one_phone_have_a_session_each(live_server: Any, new_context: Any) -> None:
    launch = network()
    links = links_of(launch.survey)
    url = address(live_server, launch)
    page = new_context().new_page()
    come(page, f"{url}#{links['ana-1']}")
    to_questions(page)
    none_of_them(page)
    scramble(page)
    drawn = page.locator(".result__code").inner_text()
    # The link has left the address, and a reload goes on without it.
    expect(page).to_have_url(url)
    page.reload()
    expect(page.locator(".result__code")).to_have_text(drawn)
    page.evaluate("document.querySelector('.skip-link').click()")
    page.reload()
    expect(page.locator(".result__code")).to_have_text(drawn)
    # The same link once more, as from the invitation, only changes the address.
    page.evaluate("(link) => { location.hash = link; }", links["ana-1"])
    expect(page).to_have_url(url)
    # Opened in the same tab, another link is another page.
    with page.expect_navigation():
        page.evaluate("(link) => { location.hash = link; }", links["d4"])
    expect(page.locator("#person")).to_contain_text("Dee Dunn")
    to_questions(page)
    expect(box(page, "Ana Alves")).to_be_visible()
    expect(act(page)).to_be_hidden()
    # The same member with a newer link goes on where they stopped.
    newest = links_of(launch.survey)["ana-1"]
    page.goto("about:blank")
    page.goto(personal_again(live_server, launch, newest))
    expect(page.locator(".result__code")).to_have_text(drawn)
    press(page, "Send")
    receipt(page)
    assert sent()["member"] == "ana-1"
    assert_nothing_names(page, "ana-1", *links.values())
    page.reload()
    expect(page.get_by_role("heading", name="You have answered this survey")).to_be_visible()
    assert "Dee Dunn" not in page.content()
    # Nor does the spent link bring the names, in this browser or in another.
    for spent in (page, new_context().new_page()):
        with spent.expect_response("**/person/") as found:
            spent.goto("about:blank")
            spent.goto(personal_again(live_server, launch, newest))
        answer = found.value.json()
        assert (answer["names"], answer["answered"]) == (None, True)
        expect(spent.get_by_role("heading", name=re.compile("answered|used"))).to_be_visible()
        assert_nothing_names(spent, "ana-1", newest)


def personal_again(live_server: Any, launch: Launch, link: str) -> str:
    return f"{address(live_server, launch)}#{link}"


def assert_nothing_names(page: Page, *words: str) -> None:
    """Neither the address nor any store has one of these words."""
    kept = page.evaluate(
        "JSON.stringify([location.href, history.state, {...localStorage}, {...sessionStorage}])"
    )
    # As a word: a handle is drawn, and may have any two letters in it.
    assert not [word for word in words if re.search(rf"\b{re.escape(word)}\b", kept)]


# --- links --------------------------------------------------------------------------------------


def expect_screen(page: Page, title: str) -> None:
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_focused()
    expect(page.locator(".screen")).to_contain_text("survey@example.org")
    assert page.get_by_role("button").count() == 0


def test_without_a_link_that_works_a_calm_screen_says_what_to_do(
    live_server: Any, new_context: Any
) -> None:
    launch = network()
    url, links = address(live_server, launch), links_of(launch.survey)
    page = new_context(viewport=PHONE).new_page()
    page.goto(url)
    expect_screen(page, "You need your personal link")
    assert_well(page, "no link")
    # A whole link in the same tab.
    revoke(member=Member.objects.get(code="b2"))
    page.evaluate("(link) => { location.hash = link; }", links["b2"])
    expect_screen(page, "This link is not valid")
    Member.objects.filter(code="c3").update(answered=True)
    page.evaluate("(link) => { location.hash = link; }", links["c3"])
    expect_screen(page, "This link has been used")
    assert stored() == 0


def test_a_look_up_goes_on_once_there_is_a_connection(live_server: Any, new_context: Any) -> None:
    page = new_context(viewport=PHONE).new_page()
    page.route("**/person/", lambda route: route.abort())
    page.goto(personal(live_server, network(), "b2"))
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    page.unroute("**/person/")
    press(page, "Try now")
    expect(page.locator("#person")).to_contain_text("Bo Berg")
    press(page, "I agree")
    expect(page.get_by_role("heading", name="Practice: nothing is sent")).to_be_visible()


@pytest.mark.parametrize("change", ["answered", "revoked"])
def test_a_link_that_stops_working_meanwhile_is_told_at_the_end(
    live_server: Any, new_context: Any, change: str
) -> None:
    launch = network()
    page = new_context().new_page()
    come(page, personal(live_server, launch, "b2"))
    to_questions(page)
    none_of_them(page)
    scramble(page)
    member = Member.objects.get(code="b2")
    if change == "answered":
        Member.objects.filter(pk=member.pk).update(answered=True)
    else:
        revoke(member=member)
    press(page, "Send")
    words = {"answered": "That answer stays", "revoked": "If you get another link"}[change]
    expect(page.get_by_role("heading", name="Not stored")).to_be_visible()
    expect(page.locator(".lead")).to_contain_text(words)
    assert stored() == 0
    kept = page.evaluate("Object.values(localStorage).map((x) => JSON.parse(x).reports)")
    assert [bool(reports) for reports in kept] == [change == "revoked"]


def test_a_preview_shows_the_names_to_the_author(live_server: Any, new_context: Any) -> None:
    survey = network_survey(ROWS, slug="staff", questions=(TIES,))
    page = sign_in(new_context(), live_server)
    come(page, f"{live_server.url}/admin/surveys/survey/{survey.pk}/preview/")
    expect(page.locator("#person")).to_contain_text("Ana Alves")
    to_questions(page)
    box(page, "Dee Dunn").check()
    scramble(page)
    press(page, "Send")
    expect(page.get_by_role("heading", name="End of the preview")).to_be_visible()
    assert stored() == 0
