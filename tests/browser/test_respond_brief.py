"""What a respondent reads and decides before the first question, in every mode."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.respondent import MIXED, TEXTS_OF_AUTHORS, address, survey
from tests.rosters import RosterRow, launched_network, links_of
from tests.waves import CODED, coded_launch, new_code, next_wave, post

pytestmark = pytest.mark.browser

MOST_WORDS = 120
MOST_DECISIONS = 2
# The words in sight, without those of the author. What is folded is not in sight.
OURS = """(ours) => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walk.nextNode()) {
    const { data, parentElement: node } = walk.currentNode;
    if (!data.trim() || node.closest(ours)) continue;
    if (node.closest(".visually-hidden, .skip-link, script, style, noscript")) continue;
    if (node.checkVisibility())
      words.push(...data.trim().split(/\\s+/));
  }
  return words.filter((word) => /[\\p{L}\\p{N}]/u.test(word));
}"""
SHIFTS = ("Early", "Late")
ROWS = tuple(RosterRow(f"m{n}", f"Member {n}", SHIFTS[n % 2]) for n in range(1, 15))
TIES = {
    "name": "friends",
    "kind": "roster_ties",
    "text": "Whom do you ask for advice?",
    "design": "tie_bits",
    "epsilon": "1",
}


def open_link(live_server: Any, client: Any) -> tuple[str, list[str]]:
    launch = survey(questions=MIXED, consent="I am of age.")
    return address(live_server, launch), ["I agree", "Start"]


def return_code(live_server: Any, client: Any) -> tuple[str, list[str]]:
    launch = survey(questions=MIXED, **CODED)
    return address(live_server, launch), ["I agree", "Start"]


def personal_link(live_server: Any, client: Any) -> tuple[str, list[str]]:
    launch = launched_network(ROWS, slug="staff", questions=(TIES, MIXED[0]), budget=20)
    url = f"{address(live_server, launch)}#{links_of(launch.survey)['m1']}"
    return url, ["I agree", "Start"]


def wave_of_a_newcomer(live_server: Any, client: Any) -> tuple[str, list[str]]:
    launch = next_wave(coded_launch(slug="work"), drug="2")
    return address(live_server, launch), ["I agree", "I answer for the first time"]


def wave_of_somebody_known(live_server: Any, client: Any) -> tuple[str, list[str]]:
    launch, code = coded_launch(slug="work"), new_code()
    reports = {device.id: 1 for device in launch.parameters.devices}
    assert post(client, launch, code, reports).status_code == 201
    wave = next_wave(launch, drug="2", absence="1")
    return address(live_server, wave), ["I agree", f"Continue with my return code {code}"]


MODES = [open_link, return_code, personal_link, wave_of_a_newcomer, wave_of_somebody_known]


def words_in_sight(page: Page) -> list[str]:
    words: list[str] = page.evaluate(OURS, TEXTS_OF_AUTHORS)
    return words


@pytest.mark.parametrize("mode", MODES)
def test_few_words_and_two_decisions_come_before_the_first_question(
    live_server, new_context, client, record_property, mode
):
    """The foot of the page counts once; a decision is a button that has to be pressed."""
    url, decisions = mode(live_server, client)
    page = new_context(viewport={"width": 360, "height": 740}).new_page()
    page.goto(url)
    foot: list[str] = page.evaluate(OURS, f"{TEXTS_OF_AUTHORS}, header, main")
    words: list[str] = []
    assert len(decisions) <= MOST_DECISIONS
    for decision in decisions:
        name, _, code = decision.partition(" code ")
        if code:
            page.get_by_label("Your return code").fill(code)
            name = f"{name} code"
        press = page.get_by_role("button", name=name, exact=True)
        expect(press).to_be_visible()
        seen = words_in_sight(page)
        words += seen if not words else seen[: len(seen) - len(foot)]
        press.click()
    expect(page.get_by_text(re.compile("^Question [0-9] of [0-9]$"))).to_be_visible()
    record_property("words", len(words))
    assert len(words) <= MOST_WORDS
