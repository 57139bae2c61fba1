"""One drill: responses at a constant rate, something happens, and then everything is counted."""

import itertools
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.drills.site import Site
from tests.system.answering_process import ROOT
from tests.system.stack import wait_for

# Receipts before a drill's event, and after it.
BEFORE, AFTER = 100, 150
# Members of the roster, and people with a return code.
MEMBERS = 150
# What no drill is excused from.
HARMLESS = {"200", "201", "answer lost on purpose", "409 to a second device"}


@dataclass(frozen=True)
class Drill:
    """An event, and whether the site may say meanwhile that it is away (503 with Retry-After)."""

    name: str
    event: Callable[[Site, "Load"], None]
    may_be_away: bool = False


class Load:
    """The process that sends, as the drill sees it."""

    def __init__(self, site: Site, surveys: list[dict[str, Any]], rate: float, seed: int) -> None:
        self.surveys = surveys
        self.sent: dict[str, Any] = {}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.drills.sending"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._say({"port": site.port, "rate": rate, "surveys": surveys, "seed": seed})

    def _say(self, words: Any) -> None:
        self.process.stdin.write(f"{words if isinstance(words, str) else json.dumps(words)}\n")
        self.process.stdin.flush()

    def receipts(self) -> int:
        self._say("count")
        return json.loads(self.process.stdout.readline())["count"]

    def wait_for_more(self, number: int) -> None:
        """Wait until so many more responses have their receipts."""
        until = self.receipts() + number
        wait_for(lambda: self.receipts() >= until, every=0.1, seconds=600)

    def stop(self) -> dict[str, Any]:
        """Nobody comes any more; wait until all who came are done, and return what they sent."""
        self._say("stop")
        line = self.process.stdout.readline()
        self.process.wait(timeout=600)
        self.process.stdin.close()
        self.process.stdout.close()
        self.sent = json.loads(line)
        return self.sent


def run(drill: Drill, site: Site, rate: float, number: int) -> dict[str, Any]:
    """The figures of one drill; "wrong" is empty where everything holds."""
    began = time.monotonic()
    slug = f"drill-{number}"
    load = Load(site, site.books.ask("prepare", slug, MEMBERS), rate, number)
    try:
        load.wait_for_more(BEFORE)
        drill.event(site, load)
        # Clock and workers are there, too, whoever rings.
        site.books.ask("store_silently", f"{slug}-silent")
        load.wait_for_more(AFTER)
        drained(site, f"{slug}-silent", 1)
    finally:
        sent = load.stop()
    figures = judge(drill, site, load.surveys, sent)
    if figures["wrong"]:
        sys.stderr.write(site.logs())
    return figures | {"seconds": time.monotonic() - began}


def judge(
    drill: Drill, site: Site, surveys: list[dict[str, Any]], sent: dict[str, Any]
) -> dict[str, Any]:
    """Compare what has a receipt with what is stored and what is counted."""
    wrong = statuses_amiss(drill, sent)
    total = {"acknowledged": 0, "stored": 0, "tallied": 0}
    for survey in surveys:
        mine = [each for each in sent["responses"] if each["survey"] == survey["slug"]]
        wrong += refusals_amiss(mine)
        with_receipt = [each for each in mine if each["receipt"]]
        audit = drained(site, survey["slug"], len(with_receipt))
        wrong += [f"{survey['slug']}: {each}" for each in amiss(survey, with_receipt, audit)]
        total["acknowledged"] += len(with_receipt)
        total["stored"] += audit["report_sets"] + audit["inbox"]
        total["tallied"] += audit["aggregated"]
    repeated = sum(each["tries"] > 1 for each in sent["responses"])
    return {**total, "sent": len(sent["responses"]), "sent again": repeated} | {
        "answers": sent["statuses"],
        "wrong": wrong,
    }


def drained(site: Site, slug: str, count: int) -> dict[str, Any]:
    """The audit of a survey once the workers have counted all that has come."""
    wait_for(lambda: site.books.ask("waiting", slug) == 0, every=0.5, seconds=300)
    wait_for(lambda: site.books.ask("audit", slug)["in_results"] >= count, every=0.5)
    return site.books.ask("audit", slug)


def statuses_amiss(drill: Drill, sent: dict[str, Any]) -> list[str]:
    allowed = HARMLESS | ({"503", "503 of the proxy"} if drill.may_be_away else set())
    wrong = [
        f"{count} answers {status}"
        for status, count in sent["statuses"].items()
        if status not in allowed
    ]
    return wrong + sent["troubles"][:5]


def refusals_amiss(responses: list[dict[str, Any]]) -> list[str]:
    """Everybody has a receipt, and of a member's two devices one."""
    return [
        f"{each['survey']}: {each['submission']} has no receipt"
        for each in responses
        if not each["receipt"] and not each["has_rival"]
    ]


def amiss(
    survey: dict[str, Any], with_receipt: list[dict[str, Any]], audit: dict[str, Any]
) -> list[str]:
    """What differs between the receipts that came and what is stored of one survey."""
    count = len(with_receipt)
    expected = {
        "receipts": sorted(each["submission"] for each in with_receipt),
        "inbox": 0,
        "aggregated": count,
        "report_sets": count,
        "recount_agrees": True,
        "unaccounted": 0,
    }
    if survey["sort"] != "returning":
        # Elsewhere they are those of all waves.
        expected["in_results"] = count
    if survey["sort"] == "roster":
        expected |= dict.fromkeys(("members", "different_members", "members_answered"), count)
    found = {**audit, "receipts": sorted(audit["receipts"])}
    wrong = [
        f"{name} should be {_short(value)} and is {_short(found[name])}"
        for name, value in expected.items()
        if found[name] != value
    ]
    for device, size in survey["sizes"].items():
        tally = tally_of([each["reports"][device] for each in with_receipt], size)
        # Without a response there is no tally.
        if audit["tallies"].get(f"{device}/page", [0] * len(tally)) != tally:
            wrong.append(f"the tally of {device} is not that of what was sent")
    return wrong


def tally_of(reports: list[Any], size: int | list[int]) -> list[int]:
    """How often each report came; of questions that are sent together, each combination."""
    counts = Counter(each if isinstance(each, int) else tuple(each) for each in reports)
    if isinstance(size, int):
        return [counts[code] for code in range(size)]
    return [counts[codes] for codes in itertools.product(*map(range, size))]


def _short(value: Any) -> str:
    return f"{len(value)} of them" if isinstance(value, list) else str(value)
