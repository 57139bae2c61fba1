"""The engine beside other libraries, under the Python of var/peers, which has them."""

import json
import subprocess
from pathlib import Path

from benchmarks.effort import Effort, Rows

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / "var" / "peers" / "bin" / "python"
# An answer that is drawn with the operating system's randomness takes at most so many times what
# NumPy's own generator takes for it; and a univariate estimate from raw reports, in seconds.
TARGETS = {f"draw, {size} categories.ours/numpy": ("<=", 6.0) for size in (2, 10, 100)}
TARGETS |= {"univariate.seconds": ("<=", 0.3)}


def engine(_effort: Effort) -> Rows:
    command = [PYTHON, "-W", "ignore", "-m", "benchmarks.engine"]
    ran = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(ran.stdout)
