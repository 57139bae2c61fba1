"""A process with Candor's settings that is asked for things in a stack's database.

One for many questions, because Django takes seconds to import: a line of JSON in, `[verb, argument,
...]`, a line of JSON out.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


class AnsweringProcess:
    """The end of the connection in the test."""

    def __init__(self, module: str, environment: Mapping[str, str], code: Path = ROOT) -> None:
        self.environment = environment
        self.process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=code,
            env={**environment, "CANDOR_SECRET_KEY": "x" * 50, "CANDOR_PLAIN_HTTP": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *words: Any) -> Any:
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "the process that was asked has died; its traceback is above"
        return json.loads(answer)

    def close(self) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(timeout=300)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


def answer_by(verbs: Mapping[str, Callable[..., Any]]) -> None:
    """The other end: answer until the input ends."""
    import django
    from django.db import connections

    django.setup()
    for line in sys.stdin:
        verb, *arguments = json.loads(line)
        sys.stdout.write(json.dumps(verbs[verb](*arguments)) + "\n")
        sys.stdout.flush()
        # Nothing is held open while the stack is stopped, killed and started again.
        connections.close_all()
