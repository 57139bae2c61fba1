"""A short text: a field, a pattern of places, and a text that is nowhere but on the screen."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from surveys.features.return_codes.assignment import chain_of
from surveys.models import Submission
from tests.browser import comer
from tests.browser.axe import assert_well, assert_well_in_sizes
from tests.browser.respondent import (
    address,
    arrive,
    press,
    receipt,
    spin,
    stored,
    survey,
    to_questions,
    unfold_sent,
)
from tests.browser.test_respond_truth import COUNTED_BYTES, STORES, walk_through, watch
from tests.browser.text_surveys import REFUSAL, filter_of, text_launch
from tests.waves import coded_launch, next_wave

pytestmark = pytest.mark.browser

BITS, HASHES = 128, 2
SECRET = "Xyzzy Plugh"
# A draw of 32 bits for every place; a cohort takes one byte.
COUNT_DRAWS = """
window.drawn = 0;
const real = Crypto.prototype.getRandomValues;
Crypto.prototype.getRandomValues = function (array) {
  window.drawn += array.byteLength === 4;
  return real.call(this, array);
};
"""
# A tab's state while its hash is computed.
SLOW_HASH = """
// Not every blank page has it.
const subtle = window.SubtleCrypto?.prototype;
const digest = subtle?.digest;
if (subtle) subtle.digest = async function (...given) {
  const result = await digest.apply(this, given);
  if (window.slow) await new Promise((resolve) => { window.goOn = resolve; });
  return result;
};
"""


def field(page: Page) -> Locator:
    return page.get_by_role("textbox")


def refusal(page: Page) -> Locator:
    return page.get_by_role("checkbox", name=REFUSAL, exact=True)


def act(page: Page) -> Locator:
    return page.get_by_role("button", name="Scramble", exact=True)


def scramble(page: Page) -> None:
    act(page).click()
    expect(page.locator(".question[data-state=drawn]").last).to_be_visible()


def opened(live_server: Any, new_context: Any, script: str = "", **options: Any) -> Page:
    """At the question of a new survey; other options are those of the text."""
    size = options.pop("viewport", {"width": 1280, "height": 900})
    context = new_context(viewport=size)
    if script:
        context.add_init_script(script)
    page = arrive(context.new_page(), address(live_server, text_launch(**options)))
    to_questions(page)
    return page


def sent() -> Any:
    return Submission.objects.get().content["reports"]["q1"]


SIZES = [(320, 800), (360, 800), (1280, 800)]


# --- the walk -----------------------------------------------------------------------------------


def test_all_the_way_from_the_first_screen_to_the_receipt(
    live_server: Any, new_context: Any
) -> None:
    context = new_context(viewport={"width": 320, "height": 800})
    page = arrive(context.new_page(), address(live_server, text_launch()))
    press(page, "I agree")
    # Practice is on one place of a pattern.
    page.get_by_role("radio", name="Yes", exact=True).check()
    assert_well_in_sizes(page, "practice", SIZES)
    press(page, "Spin")
    expect(page.locator(".result__code")).to_have_text(re.compile("would be sent: [AB][.]"))
    assert_well_in_sizes(page, "practised", SIZES)
    press(page, "Start")
    field(page).fill("Heroin" * 10)
    assert_well_in_sizes(page, "too long", SIZES)
    field(page).fill("Heroin")
    expect(page.locator(".pattern figcaption")).to_contain_text("of 128 places", ignore_case=True)
    assert_well_in_sizes(page, "written", SIZES)
    scramble(page)
    page.get_by_text("Which places are marked").click()
    assert_well_in_sizes(page, "drawn", SIZES)
    press(page, "Send")
    receipt(page)
    unfold_sent(page)
    assert_well_in_sizes(page, "sent", SIZES)
    cohort, filter_bits = sent()
    assert cohort in range(8)
    assert len(filter_bits) == BITS
    assert set(filter_bits) == {"0", "1"}
    marked = filter_bits.count("1")
    expect(page.locator(".fields")).to_contain_text(
        f"Scrambled: a pattern with {marked} of 128 places marked"
    )
    shown = page.locator(".fields__value").first.inner_text()
    assert json.loads(shown) == [cohort, filter_bits]


def test_with_the_keyboard_alone(live_server: Any, new_context: Any) -> None:
    page = opened(live_server, new_context, prefer_not=False)
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(field(page)).to_be_focused()
    page.keyboard.type("tea")
    # Enter in the only field must not send the form.
    page.keyboard.press("Enter")
    expect(act(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(act(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".result")).to_be_focused()
    assert (
        page.locator("#announcer").inner_text().startswith("This is what will be sent: a pattern")
    )
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    receipt(page)
    assert len(sent()) == 2


def test_the_picture_shows_in_words_what_it_shows(live_server: Any, new_context: Any) -> None:
    """The places are counted from 1, row by row; squares and dots differ in shape and size."""
    page = opened(live_server, new_context)
    field(page).fill("Heroin")
    caption = page.locator(".pattern figcaption")
    expect(caption).to_contain_text("this answer marks number")
    assert page.locator(".device .pattern svg").get_attribute("aria-hidden") == "true"
    own = page.locator(".device .pattern__marked").get_attribute("d") or ""
    assert own.count("M") == HASHES
    scramble(page)
    assert page.locator(".pattern__places--own").count() == 0
    page.get_by_text("Which places are marked").click()
    words = page.locator(".result details p").inner_text()
    squares = (page.locator(".result .pattern__marked").get_attribute("d") or "").count("M")
    press(page, "Send")
    receipt(page)
    places = [place + 1 for place, bit in enumerate(sent()[1]) if bit == "1"]
    assert [int(word) for word in words.replace(" and ", ", ").replace(",", "").split()] == places
    assert squares == len(places)


# --- what is no answer --------------------------------------------------------------------------


NO_ANSWERS = [
    ("", "Write an answer before you go on."),
    (" \u200b ", "Nothing can be seen of this text."),
    ("a" * 41, "At most 40 characters; these are 41."),
    # The hashed text counts: a sharp s is two letters.
    ("ß" * 21, "At most 40 characters; these are 42."),
]


def test_what_is_no_answer_is_said_and_the_longest_text_is_one(
    live_server: Any, new_context: Any
) -> None:
    page = opened(live_server, new_context)
    for typed, words in NO_ANSWERS:
        field(page).fill(typed)
        expect(act(page)).to_be_hidden()
        press(page, "Send")
        expect(page.locator(".field__error")).to_have_text(words)
        expect(field(page)).to_be_focused()
        assert stored() == 0
        field(page).fill("tea")
        expect(page.locator(".field__error")).to_be_empty()
        field(page).fill("")
    # It is counted after it is made comparable.
    field(page).fill("  " + "😀" * 40 + "  ")
    expect(page.locator(".text__count")).to_have_text("40 / 40")
    expect(act(page)).to_be_visible()


def test_a_text_and_a_refusal_exclude_each_other(live_server: Any, new_context: Any) -> None:
    page = opened(live_server, new_context)
    field(page).fill("tea")
    refusal(page).check()
    expect(field(page)).to_have_value("")
    expect(act(page)).to_be_visible()
    field(page).fill("t")
    expect(refusal(page)).not_to_be_checked()
    refusal(page).check()
    scramble(page)
    press(page, "Send")
    receipt(page)
    assert len(sent()[1]) == BITS


def test_an_optional_text_may_be_left_out(live_server: Any, new_context: Any) -> None:
    page = opened(live_server, new_context, required=False, questions=({"randomized": False},))
    field(page).fill("tea")
    press(page, "Clear my choice")
    expect(field(page)).to_have_value("")
    press(page, "Next")
    page.get_by_role("radio", name="Yes", exact=True).check()
    press(page, "Send")
    receipt(page)
    assert Submission.objects.get().content["reports"] == {"q2": 1}


# --- once ---------------------------------------------------------------------------------------


def shown_pattern(page: Page) -> str:
    return page.locator(".question .pattern__marked").get_attribute("d") or ""


def test_a_double_click_draws_once(live_server: Any, new_context: Any) -> None:
    page = opened(live_server, new_context, COUNT_DRAWS)
    field(page).fill("tea")
    act(page).dblclick()
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    assert page.evaluate("drawn") == BITS
    press(page, "Send")
    receipt(page)
    assert stored() == 1


def test_a_drawn_pattern_survives_reloads(live_server: Any, new_context: Any) -> None:
    page = opened(live_server, new_context, questions=({},))
    field(page).fill("tea")
    scramble(page)
    before = shown_pattern(page)
    page.reload()
    press(page, "Back")
    assert shown_pattern(page) == before
    assert field(page).count() == 0


def test_two_tabs_that_scramble_at_once_draw_once(live_server: Any, new_context: Any) -> None:
    context = new_context()
    context.add_init_script(COUNT_DRAWS)
    url = address(live_server, text_launch())
    tabs = [arrive(context.new_page(), url) for _ in range(2)]
    for page, text in zip(tabs, ("tea", "coffee"), strict=True):
        to_questions(page)
        field(page).fill(text)
    for page in tabs:
        page.evaluate(
            "setTimeout(() => document.querySelector('.question .button--chance')?.click(), 300)"
        )
    for page in tabs:
        expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    assert shown_pattern(tabs[0]) == shown_pattern(tabs[1])
    assert sum(page.evaluate("drawn") for page in tabs) == BITS


def test_leaving_while_the_text_is_hashed_leaves_nothing(
    live_server: Any, new_context: Any
) -> None:
    """Nothing was drawn and nothing is kept: the one report is that of the next attempt."""
    page = opened(live_server, new_context, SLOW_HASH + COUNT_DRAWS)
    field(page).fill(SECRET)
    expect(page.locator(".pattern figcaption")).not_to_be_empty()
    page.evaluate("window.slow = true")
    act(page).click()
    # The text is gone from the field, a second click does nothing, and nothing is stored yet.
    expect(field(page)).to_have_value("")
    act(page).click()
    assert page.evaluate("drawn") == 0
    assert page.evaluate("({...localStorage})") == {}
    page.reload()
    press(page, "I agree")
    press(page, "Start")
    expect(field(page)).to_have_value("")
    field(page).fill("tea")
    scramble(page)
    press(page, "Send")
    receipt(page)
    assert stored() == 1


def test_a_click_while_the_text_is_hashed_draws_once(live_server: Any, new_context: Any) -> None:
    page = opened(live_server, new_context, SLOW_HASH + COUNT_DRAWS)
    field(page).fill("tea")
    expect(page.locator(".pattern figcaption")).not_to_be_empty()
    page.evaluate("window.slow = true")
    act(page).click()
    act(page).click()
    page.evaluate("window.slow = false; goOn()")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    assert page.evaluate("drawn") == BITS


# --- the text is nowhere ------------------------------------------------------------------------

Answer = Callable[[Page], Any]


def writing(text: str) -> Answer:
    return lambda page: field(page).fill(text)


def refusing(page: Page) -> None:
    field(page).fill("tea")
    refusal(page).check()


ANSWERS = [writing("tea"), writing("ΟΔΟΣ 😀"), writing("A" * 40), refusing]


def test_the_record_of_everything_is_the_same_for_every_text(
    live_server: Any, new_context: Any
) -> None:
    """With bytes for which every text gives the same report, as of other questions."""
    launch = text_launch()
    url = address(live_server, launch)
    records = [walk_through(new_context, url, answer, scramble) for answer in ANSWERS]
    for record in records[1:]:
        assert record == records[0]
    (body,) = [body for method, _, body, _ in records[0]["requests"] if method == "POST"]
    assert json.loads(body)["reports"] == {"q1": [0, "1" * BITS]}


def test_a_text_takes_a_draw_for_each_place(live_server: Any, new_context: Any) -> None:
    """With bytes of the generator; that every text takes the same ones is in the record above."""
    page, record = watch(new_context, COUNTED_BYTES)
    arrive(page, address(live_server, text_launch()))
    to_questions(page)
    ANSWERS[0](page)
    scramble(page)
    # A check of the source, the cohort, the places, and the id.
    assert page.evaluate("taken") == [1, 1, *[4] * BITS, 16]
    press(page, "Send")
    receipt(page)
    (body,) = [body for method, _, body, _ in record["requests"] if method == "POST"]
    assert set(json.loads(body)) == {"digest", "submission", "reports"}


def test_the_text_is_in_no_request_store_address_or_element(
    live_server: Any, new_context: Any
) -> None:
    page, record = watch(new_context, COUNTED_BYTES)
    arrive(page, address(live_server, text_launch(questions=({},))))
    to_questions(page)
    field(page).press_sequentially(SECRET)
    expect(page.locator(".pattern figcaption")).not_to_be_empty()
    seen = [traces(page)]
    scramble(page)
    seen.append(traces(page))
    page.reload()
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    page.get_by_role("radio", name="No", exact=True).check()
    spin(page)
    press(page, "Send")
    receipt(page)
    seen.append(traces(page))
    whole = json.dumps([seen, record["requests"], record["console"]]).lower()
    assert "q1" in whole
    for word in SECRET.lower().split():
        assert word not in whole


def traces(page: Page) -> list[Any]:
    return [page.evaluate(STORES), page.context.cookies(), page.content()]


def test_the_field_is_kept_from_what_browsers_offer(live_server: Any, new_context: Any) -> None:
    """Suggestions and spelling are looked up by some browsers on a server of theirs."""
    page = opened(live_server, new_context)
    names = "name value type autocomplete autocorrect autocapitalize spellcheck writingsuggestions"
    got = field(page).evaluate("(x, all) => all.map((one) => x.getAttribute(one))", names.split())
    assert got == [None, None, "text", "off", "off", "none", "false", "false"]
    assert page.locator("form").get_attribute("autocomplete") == "off"
    assert field(page).evaluate("(x) => x.spellcheck") is False


def test_a_text_does_not_outlive_leaving_the_page(live_server: Any, new_context: Any) -> None:
    page = opened(live_server, new_context)
    field(page).fill(SECRET)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    expect(field(page)).to_have_value("")
    expect(act(page)).to_be_hidden()
    assert page.locator(".device .pattern").count() == 0


# --- from the author's question to a later wave -------------------------------------------------

SHORT = {
    "name": "drug",
    "kind": "short_text",
    "design": "rappor",
    "text": "What did you take last?",
    "epsilon": Decimal("1.5"),
    "prefer_not": True,
}


def test_what_an_author_asks_is_asked_and_stored(at_questions: Any) -> None:
    launch = survey(questions=[SHORT])
    page = at_questions(launch)
    refusal(page).check()
    scramble(page)
    press(page, "Send")
    receipt(page)
    cohort, filter_bits = Submission.objects.get().content["reports"]["drug"]
    (device,) = launch.parameters.devices
    assert cohort in range(device.table.cohorts)
    assert len(filter_bits) == device.table.bits


def test_who_comes_back_sends_the_same_pattern_again(
    live_server: Any, new_context: Any, at_questions: Any
) -> None:
    """The noise of a text is drawn once: a second draw would add to what the first one tells."""
    questions = [SHORT, {"name": "more"}]
    first = coded_launch(slug="work", questions=questions, budget=Decimal(8))
    page = at_questions(first)
    field(page).fill("tea")
    scramble(page)
    press(page, "Next")
    page.get_by_role("radio", name="Yes", exact=True).check()
    spin(page)
    press(page, "Next")
    code = comer.shown_code(page)
    comer.keep_and_send(page)
    receipt(page)
    before = chain_of(launch_id=first.pk, code=code).reports["drug"]
    later = next_wave(first, more="2")
    page = comer.come_back(new_context().new_page(), live_server, later, code)
    marked = before[1].count("1")
    expect(page.locator(".fields").first).to_contain_text(f"You sent: a pattern with {marked} of")
    expect(page.locator(".fields .pattern__places--sent")).to_be_visible()
    assert_well(page, "what was sent before")
    page.get_by_role("radio", name="Yes", exact=True).check()
    spin(page)
    press(page, "Next")
    press(page, "Send")
    receipt(page)
    assert chain_of(launch_id=later.pk, code=code).reports["drug"] == before


# --- where it cannot be asked -------------------------------------------------------------------


def test_without_sha_256_nothing_is_asked(live_server: Any, new_context: Any) -> None:
    """Browsers hide it over plain http."""
    context = new_context()
    context.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined})")
    page = context.new_page()
    page.goto(address(live_server, text_launch()))
    expect(page.get_by_text("Open the page over https")).to_be_visible()
    assert field(page).count() == 0


@pytest.mark.parametrize(("bits", "hashes"), [(4096, 40), (512, 1), (2, 1)])
def test_filters_of_every_size_fit_a_narrow_page(
    live_server: Any, new_context: Any, bits: int, hashes: int
) -> None:
    table = filter_of("1.5", bits=bits, hashes=hashes, cohorts=1)
    page = opened(live_server, new_context, viewport={"width": 360, "height": 800}, table=table)
    field(page).fill("tea")
    expect(page.locator(".pattern figcaption")).not_to_be_empty()
    assert_well(page, "written")
    scramble(page)
    assert_well(page, "drawn")
    # With one cohort there is no number to speak of.
    expect(page.get_by_text("goes with it")).to_have_count(0)
