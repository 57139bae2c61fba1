"""The worker's share of a processor while responses come in as fast as they are accepted."""

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
    """Processor seconds of the results' worker a second, and the responses it aggregates."""
    document = stack.ledger("launch", "share")
    load(stack, document, 2)  # warms up
    worker = stack.role("worker")
    before, cpu_before, began = (
        stack.aggregated("share"),
        processor_seconds(worker),
        time.monotonic(),
    )
    run = load(stack, document, effort.rounds * effort.seconds)
    seconds = time.monotonic() - began
    return {
        "worker_cores": (processor_seconds(worker) - cpu_before) / seconds,
        "accepted_per_second": run["per_second"],
        "aggregated_per_second": (stack.aggregated("share") - before) / seconds,
    }


def processor_seconds(process: psutil.Process) -> float:
    """Processor time of a process and its children, including those that have ended."""
    family = [process, *process.children(recursive=True)]
    times = [member.cpu_times() for member in family]
    ended = process.cpu_times()
    return (
        sum(spent.user + spent.system for spent in times)
        + ended.children_user
        + ended.children_system
    )


def load(stack: Stack, document: dict[str, Any], seconds: float) -> dict[str, Any]:
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
    process = subprocess.run(
        command, cwd=ROOT, input=json.dumps(order), stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(process.stdout)
