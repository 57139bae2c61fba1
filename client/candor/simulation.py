"""People who do not exist: their answers are drawn, scrambled like everybody's, and sent.

Nothing tells their responses from those of people, and nothing can take them out again.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import factorial
from typing import Any

from candor import respondent
from candor.errors import CandorError, UnreachableError

# The shares of a question's answers, by the question's name.
Shares = Mapping[str, Sequence[float]]
Truth = dict[str, Counter[str]]
WORDS = ("river", "table", "orange", "window")


class Simulated:
    """People of one survey. `truth`: how many of them would really answer what."""

    def __init__(self, url: str, address: str, *, seed: int, shares: Shares | None = None) -> None:
        self._url, self._address = url.rstrip("/"), address
        answer = respondent.fetch(self._url, address)
        if answer.status != 200:
            raise UnreachableError(f"{url} has no open survey at {address!r}: {answer.status}")
        self.document = respondent.check(answer.body)
        self._chance, self._shares = random.Random(seed), dict(shares or {})
        self.truth: Truth = {}
        self.sent = 0
        if self.document["mode"] != "open" or self.document["arms"]:
            raise CandorError(
                "simulate: people are simulated for surveys with an open link and without arms; "
                f"this one is {self.document['mode']}"
            )
        unknown = set(self._shares) - {each["id"] for each in self.document["questions"]}
        if unknown:
            raise CandorError(f"share: no question is called {sorted(unknown)[0]!r}")

    def send(self, people: int, progress: Callable[[int], None] | None = None) -> None:
        """Let so many people answer, one after the other."""
        for number in range(1, people + 1):
            self._send_one()
            if progress is not None:
                progress(number)

    def _send_one(self) -> None:
        document, chance = self.document, self._chance
        would = {each["id"]: self._answer(each) for each in document["questions"]}
        # Where chance picks who is asked what, the others are not asked.
        pair = respondent.pick_pair(document, chance.randbytes)
        if pair is not None:
            picked = {
                name
                for each in document["devices"]
                if respondent.is_drawn_pair(each)
                for name in each["questions"]
            }
            would = {
                name: each
                for name, each in would.items()
                if name not in picked or name in pair["questions"]
            }
        answers = respondent.routed(document, would, {})
        if respondent.end_of(document, answers, self._full()) != "complete":
            return
        body = respondent.respond(document, answers, random_bytes=chance.randbytes)
        self._deliver(body)
        self._count(answers)

    def _full(self) -> list[int]:
        """The quotas that are full."""
        if "quotas" not in self.document:
            return []
        return list(respondent.fetch_full(self._url, self._address).body["full"])

    def _deliver(self, body: dict[str, Any]) -> None:
        while True:
            answer = respondent.send(self._url, self._address, body, self.document)
            if answer.status in (429, 503):
                time.sleep(float(answer.headers.get("Retry-After", "1")))
                continue
            if answer.status not in (200, 201):
                raise CandorError(f"simulate: the site answers {answer.status}: {answer.body}")
            self.sent += 1
            return

    def _answer(self, question: dict[str, Any]) -> Any:
        """What one person would really answer."""
        chance, control = self._chance, question["control"]
        if control == "text":
            return chance.choice(WORDS)
        if respondent.is_every_step(question):
            return chance.randint(0, int(respondent.steps_of(question["scale"])))
        answers = respondent.answers_of(question)
        if control == "ranking":
            return chance.randrange(factorial(answers))
        if control == "boxes":
            shares = self._shares.get(question["id"], [0.5] * len(question["categories"]))
            return [place for place, share in enumerate(shares) if chance.random() < share]
        shares = self._shares.get(question["id"], [1.0] * answers)
        if len(shares) != answers:
            raise CandorError(f"share: {question['id']!r} has {answers} answers, not {len(shares)}")
        return chance.choices(range(answers), weights=shares)[0]

    def _count(self, answers: Mapping[str, Any]) -> None:
        for question in self.document["questions"]:
            given = answers.get(question["id"])
            labels = question.get("categories") or ()
            counted = self.truth.setdefault(question["id"], Counter())
            for place in given if isinstance(given, list) else [given]:
                if isinstance(place, int) and place < len(labels):
                    counted[labels[place]] += 1
