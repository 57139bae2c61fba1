"""The drill of restarts: web servers end and start behind nginx while responses come in.

    python -m benchmarks.restarts [--restarts 20] [--rate 40]

Two web servers, as docs/operating.md has them, behind an nginx that keeps its connections; each in
turn is told to end and started anew. It needs `nginx` on the PATH (Debian: `apt-get install
nginx-light`). Prints the answers by status, the longest one, and what is stored; the drill fails
where an answer is no receipt or a receipt has no response.
"""

import argparse
import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.system.answering_process import ROOT, AnsweringProcess
from tests.system.proxied import Web, nginx_before, program
from tests.system.stack import plain_environment

SENDERS = 8


class Senders:
    """Responses at a constant rate over kept connections, whatever becomes of the earlier ones."""

    def __init__(self, port: int, document: dict[str, Any], rate: float) -> None:
        self.port, self.document, self.pause = port, document, SENDERS / rate
        self.statuses: Counter[int | str] = Counter()
        self.acknowledged: set[str] = set()
        self.longest = 0.0
        self._stop, self._lock = threading.Event(), threading.Lock()
        self._threads = [threading.Thread(target=self._send_all) for _ in range(SENDERS)]
        for thread in self._threads:
            thread.start()

    def _send_all(self) -> None:
        due = time.monotonic()
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as nginx:
            while not self._stop.wait(max(0.0, due - time.monotonic())):
                due += self.pause
                began = time.monotonic()
                submission = str(uuid.uuid4())
                status = self._send(nginx, submission)
                with self._lock:
                    if status == 201:
                        self.acknowledged.add(submission)
                    self.statuses[status] += 1
                    self.longest = max(self.longest, time.monotonic() - began)

    def _send(self, nginx: http.client.HTTPConnection, submission: str) -> int | str:
        reports = {"q1": 0, "q2": 1}
        body = {"digest": self.document["digest"], "submission": submission}
        path = f"/s/{self.document['survey']}/responses/"
        try:
            nginx.request(
                "POST",
                path,
                json.dumps({**body, "reports": reports}),
                {"Content-Type": "application/json"},
            )
            answer = nginx.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException) as error:
            nginx.close()
            return type(error).__name__
        return answer.status

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


def drill(restarts: int, rate: float) -> dict[str, Any]:
    with ExitStack() as ends:
        # nginx has a user of its own where it is started by root.
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="candor-restarts-")))
        environment = plain_environment(
            CANDOR_DATA_DIR=str(folder),
            CANDOR_SECRET_KEY="of this drill, and of nothing else in the world",
            CANDOR_PLAIN_HTTP="1",
            CANDOR_WEB_WORKERS="2",
            CANDOR_THROTTLE_EXEMPT="127.0.0.1",
            REDIS_URL="redis://127.0.0.1:1/0",
            DJANGO_SETTINGS_MODULE="config.settings",
        )
        for command in (["migrate", "-v0"], ["collectstatic", "-v0", "--noinput"]):
            subprocess.run(
                [sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True
            )
        ledger = AnsweringProcess("tests.system.ledger", environment)
        ends.callback(ledger.close)
        document = ledger.ask("launch", "restarts")
        webs = [ends.enter_context(closing(Web(environment))) for _ in range(2)]
        site = ends.enter_context(nginx_before([each.port for each in webs], folder))
        senders = Senders(urlsplit(site).port, document, rate)
        with closing(senders):
            time.sleep(2)
            for number in range(restarts):
                webs[number % 2].restart()
        return {
            "restarts": restarts,
            "answers": {str(status): count for status, count in senders.statuses.items()},
            "longest_seconds": senders.longest,
            "stored": len(ledger.ask("audit", "restarts")["receipts"]),
        }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.restarts")
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--rate", type=float, default=40, help="responses a second")
    options = parser.parse_args()
    if not program():
        sys.exit("The drill needs nginx; on Debian: apt-get install nginx-light")
    outcome = drill(options.restarts, options.rate)
    print(json.dumps(outcome))
    return int(outcome["answers"] != {"201": outcome["stored"]})


if __name__ == "__main__":
    sys.exit(main())
