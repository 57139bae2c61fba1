"""The start of a program with the library, against NumPy's and SciPy's own, in processor time.

Each is a new process that reads compiled files; what an empty one takes is not counted. Least times
of several turns, so that a busy machine affects both sides alike.
"""

import os
import resource
import subprocess
import sys

from benchmarks.effort import Effort, Rows

# The part of SciPy that estimates need; others are loaded by what uses them.
OWN = "import numpy, scipy.special"
PROGRAMS = {
    "import": "import rr_engine",
    "thirty names": "from rr_engine import *",
    "first estimate": (
        "from rr_engine import estimate, forced_response\n"
        "estimate(forced_response(p_truth=2 / 3, p_yes=1 / 6), [175, 25]).interval()"
    ),
    "every name": (
        "import inspect, rr_engine\n"
        "for name in rr_engine.__all__:\n"
        "    module = getattr(rr_engine, name)\n"
        "    if inspect.ismodule(module):\n"
        "        [getattr(module, each) for each in module.__all__]"
    ),
}
TARGETS = {f"{name}.ratio": ("<=", 1.3) for name in ("import", "first estimate")}
TURNS = 3


def rows(effort: Effort) -> Rows:
    programs = {"empty": "", "own": OWN, **PROGRAMS}
    seconds = {name: float("inf") for name in programs}
    for _ in range(TURNS * effort.rounds):
        for name, program in programs.items():
            seconds[name] = min(seconds[name], _processor_seconds(program))
    own = seconds["own"] - seconds["empty"]
    return {
        name: {"seconds": taken, "own": own, "ratio": taken / own}
        for name in PROGRAMS
        for taken in [seconds[name] - seconds["empty"]]
    }


def _processor_seconds(program: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
