"""Memory of a real worker, without its files, early and late in a series of recomputes."""

import json
import subprocess
import sys
import time
from typing import Any

import psutil

from benchmarks.costs import anonymous_bytes
from tests.system.stack import ROOT, Stack

WARM = 100
ROUNDS = 300


def measure(stack: Stack, _effort: object) -> dict[str, Any]:
    """Anonymous megabytes of all the worker's processes after WARM and after ROUNDS."""
    stack.ledger("launch", "memory")
    worker = stack.role("worker")
    early = _rounds(stack, worker, WARM)
    late = _rounds(stack, worker, ROUNDS - WARM)
    return {
        f"mb_after_{WARM}_recomputes": early,
        f"mb_after_{ROUNDS}_recomputes": late,
        "growth": late / early,
    }


def _rounds(stack: Stack, worker: psutil.Process, rounds: int) -> float:
    environment = {
        **stack.environment,
        "CANDOR_SECRET_KEY": "x" * 50,
        "REDIS_URL": stack.broker_url(),
    }
    command = [sys.executable, "-m", "benchmarks.worker", str(rounds)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    processes = [worker, *worker.children(recursive=True)]
    return sum(anonymous_bytes(process.pid) for process in processes) / 1e6


def drive(rounds: int) -> None:
    """Let the worker aggregate 20 responses and compute anew, `rounds` times."""
    import django

    django.setup()
    from benchmarks.inbox import fill_inbox
    from surveys.jobs import queue
    from surveys.models import Launch, Result
    from surveys.services.results import RECOMPUTE

    launch = Launch.objects.get(survey__slug="memory")
    for _ in range(rounds):
        fill_inbox(launch, 20)
        # Without the pause between recomputes, which is not what is measured.
        queue.broker().flushdb()
        queue.wake(RECOMPUTE, launch.pk)
        received = launch.received_count()
        deadline = time.monotonic() + 30
        while not Result.objects.filter(launch=launch, responses__gte=received).exists():
            if time.monotonic() > deadline:
                raise TimeoutError(json.dumps({"received": received}))
            time.sleep(0.01)
        launch.refresh_from_db()


if __name__ == "__main__":
    drive(int(sys.argv[1]))
