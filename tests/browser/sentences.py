"""The sentences that a respondent meets, gathered from the real page: every kind, every strength.

A walk goes through a survey as a respondent would, unfolds whatever can be unfolded, and notes the
words in sight at each stop. `make sentences` puts them all on one page, to be read.
"""

import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.respondent import CARDS, DIRECT, EACH, SCALE, TEXTS_OF_AUTHORS, WHOLE

# Where the notes are kept, in the environment: everything is walked through then.
FOLDER = "SENTENCES_FOLDER"
EPSILONS = ("0.5", "1", "2", "4", "8")
NUMBER = {
    "kind": "bounded_number",
    "text": "How many hours did you sleep?",
    "scale": {"lower": "0", "upper": "12", "step": "1", "unit": "hours", "bins": []},
    "design": "one_bit",
}
BINS = {**NUMBER, "text": "How many hours did you work?", "design": "k_rr"}
BINS["scale"] = {**NUMBER["scale"], "bins": [0, 4, 8]}  # type: ignore[dict-item]
TEXT = {"kind": "short_text", "text": "Which drug was it?", "design": "rappor"}
RARE = {
    "text": "Have you been in prison?",
    "design": "optimal_binary",
    "design_parameters": {"delta": "0.01", "prevalence": "0.001"},
}
# One question of each kind, and of each device that has words of its own.
KINDS: dict[str, dict[str, Any]] = {
    "yes or no": {"text": "Did you ever take something home?"},
    "yes or no, with a refusal": {
        "text": "Did you ever fall asleep at work?",
        "prefer_not": True,
        "required": False,
    },
    "one of several": {
        "kind": "single_choice",
        "text": "How do you sleep?",
        "options": ["Well", "Badly", "Hardly"],
        "design": "k_rr",
    },
    "cards": CARDS,
    "a scale": SCALE,
    "a device for each option": EACH,
    "one device over the whole set": {**WHOLE, "text": "Which of these have you sold?"},
    "a number": NUMBER,
    "a number in bins": BINS,
    "a short text": TEXT,
    "a direct question": DIRECT,
}
# The words in sight by the block that they stand in, without those of the author.
BLOCKS = """(ours) => {
  for (const one of document.querySelectorAll("main details")) one.open = true;
  const inline = "span, b, strong, a, em, code";
  const blocks = new Map();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement: node } = walk.currentNode;
    if (!data.trim() || node.closest(ours)) continue;
    if (!node.checkVisibility() || node.closest("script, style, noscript, pre, svg")) continue;
    let block = node;
    while (block.matches(inline)) block = block.parentElement;
    blocks.set(block, (blocks.get(block) ?? "") + data);
  }
  return [...blocks.values()].map((text) => text.replace(/\\s+/g, " ").trim());
}"""
QUESTION = ".screen > .question"
# Options and titles of questions are the author's as well.
NOT_OURS = (
    f"{TEXTS_OF_AUTHORS}, {QUESTION} .question__text, .options, .roster__list, .fields, .mono, "
    ".places, footer, .skip-link, .receipt__code, .return-code"
)


@dataclass
class Notes:
    """The sentences of one walk, each with the stops at which it was in sight."""

    name: str
    stops: dict[str, list[str]] = field(default_factory=dict)

    def take(self, page: Page, stop: str) -> None:
        for block in page.evaluate(BLOCKS, NOT_OURS):
            for sentence in sentences_of(block):
                places = self.stops.setdefault(sentence, [])
                if stop not in places:
                    places.append(stop)


def sentences_of(text: str) -> list[str]:
    """Split where a sentence ends; a number like 1.5 or “No.” inside quotes does not end one."""
    return [part for part in re.split(r"(?<=[.!?])\s+(?=\S)", text) if part]


def words_of(sentence: str) -> list[str]:
    """What an author has named stands between quotes, and counts as one word."""
    ours = re.sub("[“„][^“”]*[”“]", "x", sentence)
    return [word for word in ours.split() if re.search(r"\w", word)]


def walk(page: Page, url: str, name: str, code: str = "") -> Notes:
    """From the welcome to the receipt, stopping at every state; `code` is a return code."""
    notes = Notes(name)
    page.goto(url)
    start = page.locator("#start")
    expect(start).to_be_visible()
    notes.take(page, "welcome")
    start.click()
    expect(page.locator(f".practice, .returning, {QUESTION}").first).to_be_visible()
    if page.locator(".returning").count():
        notes.take(page, "who comes back")
        page.locator(".code-input").fill(code)
        page.locator("form:has(.code-input) [type=submit]").click()
        expect(page.locator(QUESTION)).to_be_visible()
    elif page.locator(".practice").count():
        _practise(page, notes)
    while _is_asked(page):
        if page.locator(QUESTION).count():
            _answer(page, notes)
        else:
            _keep_code(page, notes)
    notes.take(page, "sent")
    page.reload()
    expect(page.locator(".receipt__code, .returning").first).to_be_visible()
    notes.take(page, "answered before")
    return notes


def _practise(page: Page, notes: Notes) -> None:
    notes.take(page, "practice")
    _choose(page, ".practice")
    notes.take(page, "practice, chosen")
    _draw(page, ".practice")
    notes.take(page, "practice, drawn")
    for choice in (0, 1):
        for quiz in page.locator(".quiz").all():
            quiz.get_by_role("radio").nth(choice).check()
        page.locator(".practice details button").click()
        notes.take(page, "practice, quick questions")
    page.locator(".steps .button--primary").click()


def _is_asked(page: Page) -> bool:
    expect(page.locator(f"{QUESTION}, .return-card, .receipt__code").first).to_be_visible()
    return page.locator(".receipt__code").count() == 0


def _answer(page: Page, notes: Notes) -> None:
    title = page.locator(f"{QUESTION} .question__text").inner_text()
    notes.take(page, "question")
    if page.locator(f"{QUESTION}[data-state=open]").count():
        _choose(page, QUESTION)
        notes.take(page, "question, chosen")
        if page.locator(f"{QUESTION} .button--chance").is_visible():
            _draw(page, QUESTION)
            notes.take(page, "question, drawn")
    page.locator(".steps .button--primary").last.click()
    expect(page.locator(".question__text", has_text=title)).to_have_count(0)


def _keep_code(page: Page, notes: Notes) -> None:
    notes.take(page, "return code")
    if page.locator(".kept input").count():
        page.locator(".kept input").check()
    page.locator(".steps .button--primary").click()
    expect(page.locator(".keeping")).to_have_count(0)


def _choose(page: Page, place: str) -> None:
    scope = page.locator(f"{place} form").last
    for kind in (".text__row input", ".number__row input"):
        if scope.locator(kind).count():
            scope.locator(kind).fill({".text__row input": "aspirin"}.get(kind, "7"))
            return
    scope.locator("[type=radio], [type=checkbox]").first.check()


def _draw(page: Page, place: str) -> None:
    page.locator(f"{place} .button--chance").click()
    expect(page.locator(f"{place} .result__code")).to_be_visible()


def keep(notes: Notes) -> None:
    """Leave the notes where scripts/sentences.py finds them, if it asks for them."""
    if folder := os.environ.get(FOLDER):
        name = re.sub(r"\W+", "-", notes.name)
        text = json.dumps(asdict(notes), ensure_ascii=False)
        (Path(folder) / f"{name}.json").write_text(text, encoding="utf-8")
