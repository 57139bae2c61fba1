"""`python -m benchmarks.answering [TEMPLATE]`: how long somebody takes to answer a template.

Launches a template on a stack of its own, and answers it in Chromium in a window of 360 pixels,
once as somebody to whom everything applies, and once as somebody to whom nothing does. A person
takes time by a model: 1.2 seconds for each tap, and 200 words a minute. They read what the author
has written, questions and answers, once on each screen, and what the page says of itself once in
all: a sentence that differs from one before in a number, a letter or a label alone is known. The
practice is read and not tried. The page's clock is put forward by these times, so that the wait
before sending is what it would be for such a person; what the page itself takes, the turning of
its wheels included, runs by the real clock.
"""

import argparse
import json
import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from benchmarks.pages import PHONE, print_table
from tests.browser.support import launch_chromium, until
from tests.system.answering_process import AnsweringProcess
from tests.system.stack import running_stack

TEMPLATE = "drugs-in-population"
WORDS_A_MINUTE, SECONDS_A_TAP = 200, 1.2
# Which answers somebody gives to whom everything applies, or nothing; else the first.
GIVEN = {"everything": {"Yes", "In the past 30 days"}, "nothing": {"No", "Never"}}
# Each piece of text that is seen, without what is folded or only said, and whether the author has
# written it.
TEXTS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const { parentElement: parent, textContent: text } = walker.currentNode;
    const isSeen = parent.checkVisibility({ visibilityProperty: true });
    if (isSeen && !parent.closest("footer, svg, .visually-hidden")) {
      const byAuthor = parent.closest(".author-text, [dir=auto]:not(.option--other)");
      texts.push([text.trim(), Boolean(byAuthor)]);
    }
  }
  return texts.filter(([text]) => text);
}"""
WORD = re.compile(r"\w\S*")
# What differs from one sentence of the page to the next like it.
VALUES = re.compile(r"“[^”]*”|\b[A-Z]\b|\d+")
WAIT = "They are sent in"


@dataclass
class Person:
    """Reads and taps on a page, and counts what that is; `human`: how long it took, in seconds."""

    page: Page
    given: set[str]
    screens: int = 0
    taps: int = 0
    words: int = 0
    human: float = 0.0
    _shown: set[str] = field(default_factory=set)
    _known: set[str] = field(default_factory=set)

    def read(self) -> None:
        shown, count = set(), 0
        for text, by_author in self.page.evaluate(TEXTS):
            form = text if by_author else VALUES.sub("", text)
            if form not in shown | (self._shown if by_author else self._known):
                count += len(WORD.findall(text))
            shown.add(form)
        self._shown, self._known = shown, self._known | shown
        self.words += count
        self._take(count * 60 / WORDS_A_MINUTE)

    def tap(self, target: Locator) -> None:
        self.taps += 1
        self._take(SECONDS_A_TAP)
        target.click()

    def _take(self, seconds: float) -> None:
        self.human += seconds
        self.page.clock.fast_forward(round(seconds * 1000))

    def answer_screen(self) -> None:
        """Do what the screen asks for, up to its button that leads on."""
        self.screens += 1
        self.read()
        shown = self.page.locator(".question:visible")
        for place in range(shown.count()):
            question = shown.nth(place)
            if question.get_attribute("data-state") == "open":
                self._answer(question)

    def _answer(self, question: Locator) -> None:
        labels = question.locator("label:visible")
        texts = [text.strip() for text in labels.all_inner_texts()]
        self.tap(labels.nth(next((i for i, each in enumerate(texts) if each in self.given), 0)))
        self.read()
        spin = question.get_by_role("button", name="Spin", exact=True)
        if spin.is_visible():
            self.tap(spin)
            question.and_(self.page.locator("[data-state=drawn]")).wait_for()
            self.read()

    def go_on(self) -> str:
        """Press the button that leads on; returns what it said."""
        button = self.page.locator("main .steps button.button--primary:visible")
        name = button.inner_text()
        title = self.page.title()
        self.tap(button)
        if name != "Send":
            until(self.page, f"document.title !== {json.dumps(title)}")
        return name

    def wait(self) -> float:
        """Until the receipt is there; returns how long the page says that it waits, in seconds."""
        receipt, pause = self.page.locator(".receipt__code"), self.page.get_by_text(WAIT)
        receipt.or_(pause).first.wait_for()
        if receipt.is_visible():
            return 0.0
        said = WORD.findall(pause.inner_text().removeprefix(WAIT))[0]
        self.page.clock.run_for((int(said) + 1) * 1000)
        receipt.wait_for()
        return float(said)

    def seconds(self) -> float:
        """By the page's clock, since it was opened."""
        since: float = self.page.evaluate("performance.now()")
        return since / 1000


def answered(browser: Browser, url: str, given: set[str]) -> dict[str, Any]:
    """The numbers of one whole response, from the address until it is sent."""
    width, height = PHONE
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.clock.install()
    page.goto(url)
    page.get_by_role("button", name="I agree", exact=True).wait_for()
    person = Person(page, given)
    person.read()
    person.go_on()
    # Nobody has to try the practice.
    person.read()
    while person.go_on() != "Send":
        person.answer_screen()
    before = person.seconds()
    waited = person.wait()
    context.close()
    return {
        "minutes": (before + waited) / 60,
        "reads_s": person.words * 60 / WORDS_A_MINUTE,
        "taps_s": person.taps * SECONDS_A_TAP,
        "waits_s": waited,
        "page_s": before - person.human,
        "screens": person.screens,
        "taps": person.taps,
        "words": person.words,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answering", description=__doc__)
    parser.add_argument("template", nargs="?", default=TEMPLATE)
    template = parser.parse_args().template
    with running_stack() as stack, sync_playwright() as playwright:
        surveys = AnsweringProcess("benchmarks.page_surveys", stack.environment)
        slug = surveys.ask("template", template)["survey"]
        surveys.close()
        browser = launch_chromium(playwright)
        url = f"{stack.url}/s/{slug}/"
        rows = {name: answered(browser, url, given) for name, given in GIVEN.items()}
        browser.close()
    print_table(f"Answering {template} at {PHONE[0]} pixels, by what applies", rows)


if __name__ == "__main__":
    main()
