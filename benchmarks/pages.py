"""`python -m benchmarks.pages [PATH ...]`: what is between a person and a page of use.

Starts a stack of its own with the demo and a few surveys beside it, and opens in Chromium

- the respondent's page of every mode, at 400 kbit/s and 400 ms for each request: words, decisions,
  requests and bytes before the first question, and when "I agree" can be pressed;
- pages of results (those of the demo and a long one, or the paths given), at 1.6 Mbit/s and 150 ms:
  height at 1280 and at 360 pixels, words, when it is drawn and when its scripts have run, which
  makes it of use, requests and bytes until the page rests, and when that is.

Bytes are those of the network, heads included. It prints two tables and writes var/pages.json.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.support import launch_chromium, until
from tests.system.answering_process import AnsweringProcess
from tests.system.stack import Stack, running_stack

REPORT = Path(__file__).resolve().parents[1] / "var" / "pages.json"
# Bits and milliseconds.
SLOW, USUAL = (400_000, 400), (1_600_000, 150)
PHONE, DESK = (360, 740), (1280, 800)
ROUNDS = 3
# The last has 30 questions and three tables of twelve groups.
RESULTS = (
    *("/s/workplace-health/results/", "/s/talk-of-leaving/results/"),
    "/s/thirty/results/",
)
# Screens before a first question; more is a loop.
SCREENS = 12

# Kept in the page: the first moment at which the button stands there and can be pressed.
USABLE = """(() => {
  const look = () => {
    const start = document.getElementById("start");
    if (start?.checkVisibility() && !start.disabled) window.usable = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})()"""
WORDS = """() => {
  const texts = [...document.querySelectorAll("h1, main")].map((one) => one.innerText);
  return texts.join(" ").split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length;
}"""
AT_QUESTION = """() => [...document.querySelectorAll("section.question, section.joint")].some(
  (one) => one.checkVisibility() && !one.closest(".practice"))"""
# Presses what leads on; returns what was pressed.
GO_ON = """(code) => {
  const seen = (one) => one.checkVisibility() && !one.closest(".practice");
  const input = [...document.querySelectorAll("input.code-input")].find(seen);
  if (input && code) {
    input.value = code;
    input.form.requestSubmit();
    return "return code";
  }
  const buttons = [...document.querySelectorAll("main button:enabled")].filter(seen);
  const first = buttons.filter((one) => one.type !== "submit");
  const next = first.find((one) => one.classList.contains("button--primary")) ??
    first.find((one) => !one.classList.contains("button--quiet"));
  next?.click();
  return next?.textContent.trim() ?? "";
}"""
DRAWN = """() => performance.getEntriesByName("first-contentful-paint")[0].startTime"""
RAN = """() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd"""
RESTS = """() => document.readyState === "complete" && new Promise((done) =>
  requestIdleCallback(() => requestIdleCallback(() => done(performance.now()))))"""


@dataclass
class Traffic:
    """What has come whole from the network, and its bytes; what is cached counts as nothing."""

    requests: dict[str, str] = field(default_factory=dict)
    received: dict[str, int] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)

    def follow(self, page: Page, network: tuple[int, int]) -> None:
        session = page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.requestServedFromCache", lambda it: self._forget(it["requestId"]))
        session.on("Network.responseReceived", self._answered)
        session.on("Network.dataReceived", lambda it: self._came(it, "encodedDataLength"))
        session.on("Network.loadingFinished", self._ended)
        session.send("Network.enable")
        bits, latency = network
        session.send(
            "Network.emulateNetworkConditions",
            {
                "offline": False,
                "latency": latency,
                "downloadThroughput": bits / 8,
                "uploadThroughput": bits / 8,
            },
        )

    def _asked(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if url.startswith("http"):
            self.requests[event["requestId"]] = url

    def _forget(self, request: str) -> None:
        self.requests.pop(request, None)
        self.received.pop(request, None)

    def _answered(self, event: dict[str, Any]) -> None:
        answer = event["response"]
        if answer.get("fromDiskCache") or answer.get("fromPrefetchCache"):
            self._forget(event["requestId"])
        else:
            self._came({"requestId": event["requestId"], **answer}, "encodedDataLength")

    def _came(self, event: dict[str, Any], key: str) -> None:
        request = event["requestId"]
        if request in self.requests:
            self.received[request] = self.received.get(request, 0) + int(event[key])

    def _ended(self, event: dict[str, Any]) -> None:
        # The whole, heads included.
        if event["requestId"] in self.requests:
            self.received[event["requestId"]] = int(event["encodedDataLength"])
            self.whole.add(event["requestId"])

    @property
    def numbers(self) -> dict[str, float]:
        came = self.whole & self.requests.keys()
        return {"requests": len(came), "kB": sum(self.received[each] for each in came) / 1000}


def respondent(browser: Browser, url: str, code: str = "") -> dict[str, Any]:
    """One first visit to the first question."""
    width, height = PHONE
    context = browser.new_context(viewport={"width": width, "height": height})
    page, traffic = context.new_page(), Traffic()
    page.add_init_script(USABLE)
    traffic.follow(page, SLOW)
    page.goto(url, wait_until="commit")
    until(page, "Boolean(window.usable)")
    at_start = traffic.numbers
    words, pressed = 0, list[str]()
    while not page.evaluate(AT_QUESTION) and len(pressed) < SCREENS:
        words += page.evaluate(WORDS)
        title = page.title()
        pressed.append(page.evaluate(GO_ON, code))
        until(page, f"document.title !== {json.dumps(title)} || ({AT_QUESTION})()")
    row = {
        "words": words,
        "decisions": len(pressed),
        "usable_s": page.evaluate("window.usable") / 1000,
        "requests_at_start": at_start["requests"],
        "kB_at_start": at_start["kB"],
        **traffic.numbers,
        "pressed": pressed,
        "asked": sorted(traffic.requests[each] for each in traffic.whole & {*traffic.requests}),
    }
    context.close()
    return row


def results(browser: Browser, url: str) -> dict[str, Any]:
    """One first visit to a page of results."""
    row: dict[str, Any] = {}
    for width, height in (DESK, PHONE):
        context = browser.new_context(viewport={"width": width, "height": height})
        page, traffic = context.new_page(), Traffic()
        traffic.follow(page, USUAL)
        page.goto(url)
        row[f"rests_s_{width}"] = page.evaluate(RESTS) / 1000
        row[f"drawn_s_{width}"] = page.evaluate(DRAWN) / 1000
        row[f"usable_s_{width}"] = page.evaluate(RAN) / 1000
        row |= {
            f"height_{width}": page.evaluate("document.documentElement.scrollHeight"),
            "words": page.evaluate(WORDS),
            **traffic.numbers,
        }
        context.close()
    return row


def modes(stack: Stack) -> Iterator[tuple[str, str, str]]:
    """Name, address and return code of each way to a first question."""
    made = AnsweringProcess("benchmarks.page_surveys", stack.environment)
    try:
        for name in ("simplest", "simplest_german", "kinds", "arms", "groups", "coded"):
            yield name.replace("_", ", "), f"{stack.url}/s/{made.ask(name)['survey']}/", ""
        made.ask("thirty")
    finally:
        made.close()
    codes = json.loads((stack.data / "demo-codes.json").read_text())
    links = json.loads((stack.data / "demo-links.json").read_text())
    demo = f"{stack.url}/s/workplace-health/"
    yield "demo, wave 2, new", demo, ""
    yield "demo, wave 2, with a code", demo, codes[0]
    yield "demo, personal link", f"{stack.url}/s/talk-of-leaving/#{next(iter(links.values()))}", ""


def of_rounds(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The median of what a machine does differently each time; the rest of the last round."""
    return rows[-1] | {
        key: median(row[key] for row in rows)
        for key in rows[-1]
        if key.startswith(("usable", "drawn", "rests"))
    }


def print_table(title: str, rows: dict[str, dict[str, Any]]) -> None:
    columns = [
        key for key, value in next(iter(rows.values())).items() if not isinstance(value, list)
    ]
    print(f"\n{title}\n{'':28}", *(f"{column:>17}" for column in columns))
    for name, row in rows.items():
        print(f"{name:28}", *(f"{row[column]:17.4g}" for column in columns))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("paths", nargs="*", default=RESULTS, metavar="PATH", help="of results")
    paths = parser.parse_args().paths
    with running_stack(settings={"CANDOR_DEMO": "1"}) as stack, sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        asked = {
            name: of_rounds([respondent(browser, url, code) for _ in range(ROUNDS)])
            for name, url, code in modes(stack)
        }
        read = {
            path: of_rounds([results(browser, stack.url + path) for _ in range(ROUNDS)])
            for path in paths
        }
        browser.close()
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps({"respondent": asked, "results": read}, indent=2))
    print_table("Until the first question (400 kbit/s, 400 ms)", asked)
    print_table("Results (1.6 Mbit/s, 150 ms)", read)


if __name__ == "__main__":
    main()
