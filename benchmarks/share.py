"""The workers' share of a processor while responses come in as fast as they are taken."""

import json
import subprocess
import sys
import time
from typing import Any

import psutil

from benchmarks.effort import Effort
from tests.system.stack import ROOT, Stack

CONNECTIONS = 10


def measure(stack: Stack, effort: Effort) -> dict[str, Any]:
    """Processor seconds of the results' worker for each second, and the responses it took."""
    document = stack.ledger("launch", "share")
    _load(stack, document, 2)  # everything is warm before anything counts
    worker = stack.role("worker")
    before, spent, began = stack.aggregated("share"), _processor_seconds(worker), time.monotonic()
    run = _load(stack, document, effort.rounds * effort.seconds)
    seconds = time.monotonic() - began
    return {
        "worker_cores": (_processor_seconds(worker) - spent) / seconds,
        "accepted_per_second": run["per_second"],
        "aggregated_per_second": (stack.aggregated("share") - before) / seconds,
    }


def _processor_seconds(process: psutil.Process) -> float:
    """Of a process and its children, those that have ended included."""
    family = [process, *process.children(recursive=True)]
    times = [one.cpu_times() for one in family]
    ended = process.cpu_times()
    return sum(one.user + one.system for one in times) + ended.children_user + ended.children_system


def _load(stack: Stack, document: dict[str, Any], seconds: float) -> dict[str, Any]:
    reports = {device["id"]: 0 for device in document["devices"]}
    body = {"digest": document["digest"], "submission": "@uuid@", "reports": reports}
    order = {
        "port": stack.port,
        "path": f"/s/{document['survey']}/responses/",
        "headers": {"Content-Type": "application/json"},
        "body": json.dumps(body),
        "seconds": seconds,
        "connections": CONNECTIONS,
    }
    command = [sys.executable, "-m", "benchmarks.load"]
    done = subprocess.run(
        command, cwd=ROOT, input=json.dumps(order), stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)
