"""A soak of seconds: everybody comes, all is counted, and it says that this was too short.

The judgement has tests of its own (tests/app/test_soak.py). The whole of it: docs/testing.md.
"""

import json
import subprocess
import sys

import pytest

from tests.system.answering_process import ROOT
from tests.system.stack import plain_environment

pytestmark = pytest.mark.system


def test_a_soak_of_seconds_counts_everything_and_is_too_short(tmp_path):
    out = tmp_path / "samples.jsonl"
    words = ["--minutes", "0.05", "--every", "1", "--people", "10", "--out", str(out)]
    process = subprocess.run(
        [sys.executable, "-m", "benchmarks.soak", *words],
        cwd=ROOT,
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    samples = [json.loads(line) for line in out.read_text().splitlines()]
    table, _, wrong = process.stdout.partition("[")
    assert json.loads(f"[{wrong}") == [f"{len(samples)} samples are too few to be judged"]
    assert process.returncode == 1
    (sums,) = (line for line in table.splitlines() if line.startswith("sent "))
    counted = dict(part.rsplit(" ", 1) for part in sums.split(", "))
    assert counted["acknowledged"] == counted["stored"] == counted["tallied"]
    assert int(counted["acknowledged"]) > 18
    roles = samples[-1]["roles"]
    assert {"web", "worker", "kept worker", "searches", "clock", "metrics"} <= set(roles)
    assert all(sum(taken["memory"] for taken in each.values()) > 1 for each in roles.values())
