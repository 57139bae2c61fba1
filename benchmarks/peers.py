"""The engine compared with other libraries, under the Python of var/peers, which has them."""

import json
import subprocess
from pathlib import Path

from benchmarks.effort import Effort, Rows

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / "var" / "peers" / "bin" / "python"
# The time of a draw with the operating system's randomness, as a multiple of one with NumPy's own
# generator; and of a univariate estimate from raw reports, in seconds.
TARGETS = {f"draw, {size} categories.ours/numpy": ("<=", 6.0) for size in (2, 10, 100)}
TARGETS |= {"univariate.seconds": ("<=", 0.3)}


MODEL_TARGETS = {"logit.seconds": ("<", 1.0), "logit.ratio": ("<=", 3.0)}


def engine(_effort: Effort) -> Rows:
    return _run("benchmarks.engine")


def models(_effort: Effort) -> Rows:
    return _run("benchmarks.models")


def _run(module: str) -> Rows:
    command = [PYTHON, "-W", "ignore", "-m", module]
    process = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(process.stdout)
