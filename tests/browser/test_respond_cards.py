"""Decks of cards and searched tables, from the question to what is stored."""

import re
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Submission
from tests.browser.axe import assert_well
from tests.browser.respondent import (
    CARDS,
    HELD_MOTIONS,
    address,
    arrive,
    choose,
    draw_card,
    press,
    press_by_key,
    receipt,
    spin,
    survey,
    unfold_sent,
)
from tests.devices import cards_of, devices_of

pytestmark = pytest.mark.browser

LONG = "Something that has a long name and that nobody has listed here so far"
# With a refusal fifty answers: on a phone the longest list there is.
FIFTY = {
    **CARDS,
    "options": [f"{LONG} {number}" for number in range(1, 50)],
    "prefer_not": True,
    "epsilon": Decimal("0.5"),
}


def look(page: Page, state: str) -> None:
    """Axe finds nothing, and nothing sticks out to the right."""
    page.evaluate("Promise.allSettled(document.getAnimations().map((x) => x.finished))")
    assert_well(page, state)


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")


def test_a_card_is_drawn_shown_and_sent(arrived):
    """Epsilon 1, two of five answers on a card: 2e / (2e + 3) = 0.644 draw one that shows theirs.

    Each card 0.644 / 4 = 16.1 and 0.356 / 6 = 5.9 of 100.
    """
    launch = survey(questions=[CARDS])
    (device,) = devices_of(launch)
    page = arrived(launch)
    press(page, "I agree")
    choose(page, "4")
    draw_card(page)
    expect(page.locator(".result__code")).to_have_text(
        re.compile("This would be sent: card [A-J].")
    )
    page.get_by_text("Two quick questions").click()
    expect(
        page.get_by_text("Can people with different answers draw the same card?")
    ).to_be_visible()
    press(page, "Start")
    expect(page.get_by_text("About 6 in 10 people draw a card that shows")).to_be_visible()
    unfold(page)
    kept = "Of 100 people with the same answer, 64 draw a card that shows it."
    expect(page.get_by_text(kept)).to_be_visible()
    assert page.locator(".array .shape:not(.shape--open)").count() == 64
    shown = [[CARDS["options"][v] for v in card] for card in cards_of(device)]
    rows = page.locator("table.cards tbody tr").all_inner_texts()
    letters = device["reports"]
    assert rows == [
        f"{letter}\t{' and '.join(card)}" for letter, card in zip(letters, shown, strict=True)
    ]
    often = "Each card: of 100 people with an answer on it, 16 draw it. Of 100 others, 6 do."
    assert page.locator("table.cards caption").inner_text() == often
    fans = set()
    for label in ("Alcohol", "Sleeping pills"):
        choose(page, label)
        fans.add(page.locator(".device").inner_html())
    assert len(fans) == 1
    assert page.locator(".device .fan__card").count() == len(letters) == 10
    draw_card(page)
    letter = drawn_letter(page, letters, shown)
    page.reload()
    expect(page.locator(".drawn__head")).to_have_text(f"{letter}Card {letter}")
    press(page, "Send")
    assert receipt(page)
    code = letters.index(letter)
    assert Submission.objects.get().content["reports"] == {"q1": code}
    unfold_sent(page)
    expect(page.get_by_text(f"Scrambled: card {letter}")).to_be_visible()
    expect(page.get_by_text(f"It shows: {' and '.join(shown[code])}")).to_be_visible()


def drawn_letter(page: Page, letters: list[str], shown: list[list[str]]) -> str:
    """The letter of the card that lies there; it says who else draws it and marks no answer."""
    told = page.locator(".result__code").inner_text()
    letter = re.fullmatch("This is what will be sent: card ([A-J])[.]", told)[1]
    code = letters.index(letter)
    assert page.locator("#announcer").inner_text() == told
    assert page.locator(".drawn li").all_inner_texts() == shown[code]
    assert (
        len(set(page.locator(".drawn li").evaluate_all("(all) => all.map((x) => x.className)")))
        == 1
    )
    who = (
        "Of 100 people with an answer on this card, 16 draw it. Of 100 people with another answer, "
        "6 draw it too."
    )
    expect(page.get_by_text(who)).to_be_visible()
    return letter


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fifty_answers_on_cards_by_keyboard_on_a_phone(arrived, scheme):
    """Dark: without motion; light: with motion, as long for every answer, and skipped."""
    still = "reduce" if scheme == "dark" else "no-preference"
    viewport = {"width": 360, "height": 700}
    page = arrived(
        survey(questions=[FIFTY]),
        script=HELD_MOTIONS,
        viewport=viewport,
        color_scheme=scheme,
        reduced_motion=still,
    )
    for name in ("I agree", "Start"):
        press_by_key(page, name)
        look(page, f"after {name}")
    unfold(page)
    look(page, "the table of all cards")
    while page.evaluate("document.activeElement.type") != "radio":
        page.keyboard.press("Tab")
    page.keyboard.press("End")
    expect(page.get_by_role("radio", name="Prefer not to say")).to_be_checked()
    look(page, "chosen")
    press_by_key(page, "Draw a card")
    if scheme == "light":
        page.wait_for_function("() => lengths.length > 0")
        assert set(page.evaluate("lengths")) == {900}
        expect(page.get_by_role("button", name="Skip")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    if scheme == "dark":
        assert page.evaluate("lengths") == []
        assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate("document.activeElement.className") == "result"
    look(page, "drawn")
    press_by_key(page, "Send")
    receipt(page)
    look(page, "sent")


def searched_device(answers: int, reports: int) -> dict[str, Any]:
    """A table of weights 3, 4, 5 and 6, some more often with some answers: none proves anything."""
    columns = []
    for v in range(answers):
        weights = [3 + (7 * u + 3 * v + u * v) % 4 for u in range(reports)]
        column = [2**32 // sum(weights) * weight for weight in weights]
        column[0] += 2**32 - sum(column)
        columns.append(column)
    labels = [f"Answer number {v + 1}" for v in range(answers)]
    record = {
        "prior": [str(Decimal(1) / answers)] * answers,
        "respondents": 1000,
        "privacy": "0.4",
        "worst_posterior": None,
        "epsilon": "1",
        "method": "local",
        "least_error": "0.1",
    }
    table = [list(row) for row in zip(*columns, strict=True)]
    adopted = {"run": 1, "method": "local", "certificate": {}, "labels": labels}
    return {
        "kind": "single_choice",
        "options": labels,
        "design": "searched",
        "epsilon": Decimal("1"),
        "design_parameters": {"table": table, "search": record, **adopted},
    }


def test_a_searched_table_with_ninety_codes_speaks_briefly(live_server, new_context):
    context = new_context(viewport={"width": 360, "height": 700})
    launch = survey(questions=[searched_device(10, 90)])
    (device,) = devices_of(launch)
    page = arrive(context.new_page(), address(live_server, launch))
    press(page, "I agree")
    look(page, "practice")
    press(page, "Start")
    unfold(page)
    most = -(-100 * max(map(max, device["columns"])) // 2**32)
    words = f"Of 100 people with the same answer, at most {most} send the same letter."
    expect(page.get_by_text(words)).to_be_visible()
    assert page.locator("table.outcomes tbody tr").count() == 10
    choose(page, "Answer number 7")
    look(page, "chosen")
    assert page.locator(".device .sector").count() == 90
    spin(page)
    letter = page.locator(".result__code").inner_text().split(": ")[1].rstrip(".")
    code = device["reports"].index(letter)
    # Everything is about 1 of 90 people: 3 to 6 parts of about 405.
    counts = [round(1000 * column[code] / 2**32) for column in device["columns"]]
    unfold(page)
    cells = page.locator(".result td").all_inner_texts()
    assert [int(cell) for cell in cells] == counts
    text = page.locator(".result p").nth(1).inner_text()
    assert text == (
        f"Of 1,000 people with the same real answer, {min(counts)} to {max(counts)} send {letter}: "
        "how many depends on the answer."
    )
    look(page, "drawn")
    press(page, "Send")
    receipt(page)
    assert Submission.objects.get().content["reports"] == {"q1": code}
