"""Respondents who all send at the same time, and who do not give up until they are answered."""

import random
import threading
import time
import uuid
from collections import Counter
from typing import Any

from surveys.management.respondents import Respondents
from tests.system.stack import Stack, wait_for

SIZES = {"q1": 2, "q2": 3, "q3": 2}
# The tally of all pairs of questions, which has no reports of its own.
PAIRS = "*,*/*"


class Crowd:
    """`size` respondents, one thread each; every one keeps its submission id while it retries."""

    def __init__(self, url: str, document: dict[str, Any], *, size: int = 200) -> None:
        # More than any restart takes, however busy the machine is.
        self.client = Respondents(url, document, tries=1000)
        chance = random.Random(1)  # reports of nobody: only their histogram matters here
        self.sent = {
            str(uuid.uuid4()): {name: chance.randrange(count) for name, count in SIZES.items()}
            for _ in range(size)
        }
        self.receipts: dict[str, str] = {}
        self._threads = [
            threading.Thread(target=self._send, args=item, daemon=True)
            for item in self.sent.items()
        ]

    def _send(self, submission: str, reports: dict[str, int]) -> None:
        self.receipts[submission] = self.client.send(reports, submission=submission)

    def start(self) -> "Crowd":
        for thread in self._threads:
            thread.start()
        return self

    def wait_until_answered(self, count: int) -> None:
        while len(self.receipts) < count:
            assert any(thread.is_alive() for thread in self._threads)
            time.sleep(0.002)

    def finish(self, *, seconds: float = 600) -> None:
        for thread in self._threads:
            thread.join(timeout=seconds)
        self.client.close()
        assert len(self.receipts) == len(self.sent)

    def send_again(self) -> None:
        """Send every response again under the same id; the receipts must be the same."""
        for submission, reports in self.sent.items():
            assert self.client.send(reports, submission=submission) == self.receipts[submission]
        self.client.close()

    def histogram(self) -> dict[str, list[int]]:
        counts = {name: Counter(reports[name] for reports in self.sent.values()) for name in SIZES}
        return {
            f"{name}/page": [counts[name][code] for code in range(size)]
            for name, size in SIZES.items()
        }


def assert_counted_once(stack: Stack, slug: str, crowd: Crowd) -> None:
    """Check that receipts, inbox, report sets, tallies and their recount agree."""
    size = len(crowd.sent)
    wait_for(lambda: stack.in_results(slug) >= size, every=0.2)
    crowd.send_again()
    ledger = stack.ledger("audit", slug)
    assert ledger["receipts"] == sorted(crowd.sent)
    assert ledger["inbox"] == 0
    assert ledger["aggregated"] == ledger["report_sets"] == size
    assert_tallied(ledger, crowd.histogram())


def assert_tallied(ledger: dict[str, Any], expected: dict[str, list[int]]) -> None:
    """The tallies are those of the report sets, and those of devices are as expected."""
    assert ledger["tallies"] == ledger["recount"]
    of_devices = {key: counts for key, counts in ledger["tallies"].items() if key != PAIRS}
    assert of_devices == expected
