"""`python -m benchmarks.drills.sending`: respondents who come at a constant rate, whatever happens.

Reads {"port", "rate", "surveys", "seed"} as a line of standard input, answers each further line
with the number of receipts so far, and at "stop" lets everybody finish and prints all of it.

Like a browser, each respondent keeps the submission id until there is a receipt: after an error, a
lost answer, or when a second press sends the same once more. Some members of a roster open their
link on two devices, of which one gets the receipt.
"""

import heapq
import itertools
import json
import random
import sys
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

THREADS = 64
# One response in so many: its answer is lost; it is sent again after its receipt; a second device.
LOST, AGAIN, RIVAL = 20, 20, 20
LONGEST_PAUSE = 4.0
# nginx closes a connection on which nothing has come for 75 seconds; a browser then opens another.
KEPT_SECONDS = 30
STORED = (200, 201)


@dataclass
class Response:
    """What one browser sends until it has a receipt."""

    survey: str
    sort: str
    submission: str
    reports: dict[str, Any]
    body: bytes
    loses_answer: bool = False
    sends_again: bool = False
    has_rival: bool = False
    tries: int = 0
    receipt: str | None = None
    refused: bool = False


class Respondents:
    """Makes the responses of all surveys in turn, each code and each link once."""

    def __init__(self, surveys: list[dict[str, Any]], seed: int) -> None:
        self._chance = random.Random(seed)
        self._surveys, self._turns = surveys, itertools.cycle(surveys)
        self._keys = {each["slug"]: iter(each["keys"]) for each in surveys}

    def next(self) -> list[Response]:
        """One respondent's response, or the two of a member with two devices; none once all codes
        and links are used and there is no other survey.
        """
        for survey in itertools.islice(self._turns, len(self._surveys)):
            field = {"returning": "code", "roster": "link"}.get(survey["sort"])
            key = next(self._keys[survey["slug"]], None) if field else ""
            if key is not None:
                return self._all_of(survey, {field: key} if field else {})
        return []

    def _all_of(self, survey: dict[str, Any], named: dict[str, str]) -> list[Response]:
        twice = survey["sort"] == "roster" and self._chance.randrange(RIVAL) == 0
        made = [self._make(survey, named) for _ in range(2 if twice else 1)]
        for each in made:
            each.has_rival = twice
        return made

    def _make(self, survey: dict[str, Any], named: dict[str, str]) -> Response:
        chance = self._chance
        reports = {device: self._report(size) for device, size in survey["sizes"].items()}
        for device, count in survey["bits"].items():
            reports[device] = f"{chance.getrandbits(count):0{count}b}"
        strata: dict[str, str] = {}
        if pairs := survey.get("pairs"):
            strata["pair"] = chance.choice(sorted(pairs))
            reports["pair"] = self._report(pairs[strata["pair"]])
        submission = str(uuid.uuid4())
        body = {"digest": survey["digest"], "submission": submission, "reports": reports, **named}
        body |= {"strata": strata} if strata else {}
        return Response(
            survey["slug"],
            survey["sort"],
            submission,
            reports,
            json.dumps(body).encode(),
            loses_answer=chance.randrange(LOST) == 0,
            sends_again=chance.randrange(AGAIN) == 0,
        )

    def _report(self, size: int | list[int]) -> Any:
        """One of so many reports; of several questions that are sent together one of each."""
        chance = self._chance
        return chance.randrange(size) if isinstance(size, int) else [*map(chance.randrange, size)]


class Senders:
    """Threads that send what is due; what gets no receipt is due again after a pause."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._port, self._rate = order["port"], order["rate"]
        self._respondents = Respondents(order["surveys"], order["seed"])
        self._chance = random.Random(order["seed"])
        self.responses: list[Response] = []
        self.statuses: Counter[str] = Counter()
        self.troubles: list[str] = []
        self.receipts = self.latest = 0
        self._due: list[tuple[float, int, Response]] = []
        self._number, self._unfinished = itertools.count(), 0
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._come)]
        self._threads += [threading.Thread(target=self._send_all) for _ in range(THREADS)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stopped.set()
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _come(self) -> None:
        due = time.monotonic()
        while not self._stopped.wait(max(0.0, due - time.monotonic())):
            due += 1 / self._rate
            with self._changed:
                for response in self._respondents.next():
                    self.responses.append(response)
                    self._unfinished += 1
                    self._put(response, 0)

    def _put(self, response: Response, seconds: float) -> None:
        heapq.heappush(self._due, (time.monotonic() + seconds, next(self._number), response))
        self._changed.notify()

    def _take(self) -> Response | None:
        """The next response that is due; None when all are finished."""
        with self._changed:
            while True:
                if self._stopped.is_set() and not self._unfinished:
                    self._changed.notify_all()
                    return None
                wait = self._due[0][0] - time.monotonic() if self._due else 1.0
                if self._due and wait <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(min(wait, 1.0))

    def _send_all(self) -> None:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=120)
        used = time.monotonic()
        while response := self._take():
            if time.monotonic() - used > KEPT_SECONDS:
                connection.close()
            used = time.monotonic()
            pause = self._send(connection, response)
            with self._changed:
                if pause is None:
                    self._unfinished -= 1
                else:
                    self._put(response, pause)
        connection.close()

    def _send(self, connection: HTTPConnection, response: Response) -> float | None:
        """Send once; returns the seconds until the next try, or None at the end."""
        response.tries += 1
        headers = {"Content-Type": "application/json"}
        path = f"/s/{response.survey}/responses/"
        try:
            connection.request("POST", path, response.body, headers)
            if response.loses_answer:
                response.loses_answer = False
                connection.close()
                self._note("answer lost on purpose")
                return 0.1
            answer = connection.getresponse()
            return self._judge(response, answer, answer.read())
        except (OSError, HTTPException) as error:
            connection.close()
            self._note(type(error).__name__, f"{type(error).__name__} at {path}")
            return self._pause(response)

    def _judge(self, response: Response, answer: HTTPResponse, body: bytes) -> float | None:
        status = answer.status
        if status in STORED:
            return self._judge_receipt(response, status, json.loads(body)["receipt"])
        if status == 409 and response.has_rival and response.receipt is None:
            response.refused = True
            self._note("409 to a second device")
            return None
        retry_after = answer.headers["Retry-After"]
        by = "" if body.startswith(b"{") else " of the proxy"
        name = f"{status}{by}" if retry_after else f"{status}{by} without Retry-After"
        self._note(name, "" if status == 503 and retry_after else f"{name}: {body[:300]!r}")
        if status < 500:
            response.refused = True
            return None
        return self._pause(response)

    def _judge_receipt(self, response: Response, status: int, receipt: str) -> float | None:
        earlier, response.receipt = response.receipt, receipt
        wrong = earlier not in (None, receipt) or (earlier is not None and status == 201)
        self._note(str(status), f"{status}, {receipt} after {earlier}" if wrong else "")
        if earlier is None:
            with self._changed:
                self.receipts += 1
        again, response.sends_again = response.sends_again, False
        return 0.0 if again else None

    def _pause(self, response: Response) -> float:
        return min(2.0 ** min(response.tries, 6) / 4, LONGEST_PAUSE) * self._chance.uniform(0.5, 1)

    def _note(self, status: str, trouble: str = "") -> None:
        with self._changed:
            self.statuses[status] += 1
            if trouble:
                self.troubles.append(trouble)

    def all(self) -> dict[str, Any]:
        """What was sent and with what end."""
        names = ("survey", "submission", "reports", "receipt", "refused", "has_rival", "tries")
        rows = [{name: getattr(each, name) for name in names} for each in self.responses]
        return {"responses": rows, "statuses": self.statuses, "troubles": self.troubles[:50]}


def main() -> None:
    senders = Senders(json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        if line.strip() == "stop":
            senders.stop()
            print(json.dumps(senders.all()), flush=True)
            return
        print(json.dumps({"count": senders.receipts}), flush=True)
    senders.stop()


if __name__ == "__main__":
    main()
